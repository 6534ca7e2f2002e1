import Foundation
import Testing

/// A running `camerasim`.
final class SimulatorProcess {
    let port: UInt16
    private let process: Process
    private let output: Pipe
    private let errors: Pipe

    /// Starts `camerasim sony` on a free port and waits until it listens.
    init(_ arguments: String...) throws {
        process = Process()
        output = Pipe()
        errors = Pipe()
        process.executableURL = Self.executable
        process.arguments = ["sony", "--listen", "127.0.0.1:0"] + arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let line = try Self.line(output)
        let prefix = "listening on 127.0.0.1:"
        try #require(line.hasPrefix(prefix), "camerasim said '\(line)'")
        port = try #require(UInt16(line.dropFirst(prefix.count).dropLast()))
    }

    /// The next line of the log with this text; with `--log` only. Ends with an error when the program does.
    func waitForLog(_ text: String) throws {
        while true {
            let line = try Self.line(errors)
            if line.contains(text) { return }
            try #require(!line.isEmpty, "camerasim ended without saying '\(text)'")
        }
    }

    private static func line(_ pipe: Pipe) throws -> String {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n"), let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// Ends it with a signal.
    ///
    /// - Returns: its exit status, nil when the signal killed it, and what it said on standard error.
    func end(by signal: Int32) -> (status: Int32?, errors: String) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        let status = process.terminationReason == .exit ? process.terminationStatus : nil
        return (status, String(decoding: said, as: UTF8.self))
    }

    /// Runs `camerasim`, or another program, to its end.
    static func run(
        _ arguments: [String],
        program: URL = executable
    ) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: said, as: UTF8.self),
            String(decoding: complained, as: UTF8.self)
        )
    }

    /// Beside the test bundle, where the build puts every product.
    static let executable: URL = {
        let bundle = URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
        let beside = bundle.appending(path: "camerasim")
        if FileManager.default.isExecutableFile(atPath: beside.path()) { return beside }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return root.appending(path: ".build/debug/camerasim")
    }()
}
