import Foundation
import Testing

/// A running `camerasim`.
final class SimulatorProcess {
    let host: String
    /// The port of PTP/IP; 0 if the body does not listen.
    let port: UInt16
    /// The port of the description; nil if the body has none.
    let descriptionPort: UInt16?
    private let process: Process
    private let output: Pipe
    private let errors: Pipe

    /// Starts `camerasim sony` on a free port and waits until it listens.
    convenience init(_ arguments: String...) throws { try self.init(host: "127.0.0.1", arguments: arguments) }

    /// - Parameters:
    ///   - port: the port on which the body listens; 0: any free port.
    ///   - announced: the address in the description; nil: the address on which the body listens.
    ///   - size: the size of pictures; nil: as a real body's.
    ///   - wrapper: a program with its arguments that starts the simulator.
    ///   - maker: the maker's command.
    init(
        host: String,
        port asked: UInt16 = 0,
        arguments: [String],
        size: String? = "small",
        wrapper: [String] = [],
        announced: String? = nil,
        maker: String = "sony"
    ) throws {
        self.host = host
        process = Process()
        output = Pipe()
        errors = Pipe()
        let sizes = size.map { ["--picture-size", $0] } ?? []
        let words = wrapper + [Self.executable.path(), maker, "--listen", "\(host):\(asked)"] + sizes + arguments
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let isListening = !arguments.contains("--ssdp-kind")
        let isFound = arguments.contains("--ssdp")
        port = isListening ? try Self.port(in: Self.line(output), behind: "listening on \(host):", "") : 0
        descriptionPort =
            isFound
            ? try Self.port(in: Self.line(output), behind: "description at http://\(announced ?? host):", "/dd.xml")
            : nil
    }

    private static func port(in line: String, behind prefix: String, _ suffix: String) throws -> UInt16 {
        try #require(line.hasPrefix(prefix) && line.hasSuffix(suffix + "\n"), "camerasim said '\(line)'")
        return try #require(UInt16(line.dropFirst(prefix.count).dropLast(suffix.count + 1)))
    }

    /// The id of the started process. It is the simulator's id, because the wrapper becomes the simulator.
    var processID: Int32 { process.processIdentifier }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the next log line with this text. It needs `--log`. It throws an error when the program ends.
    func waitForLog(_ text: String) throws {
        while true {
            let line = try Self.line(errors)
            if line.contains(text) { return }
            try #require(!line.isEmpty, "camerasim ended without saying '\(text)'")
        }
    }

    private static func line(_ pipe: Pipe) throws -> String {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            var wait = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&wait, 1, 60_000) == 1, "camerasim said nothing for a minute")
            guard let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first else { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// Ends the process with a signal.
    ///
    /// - Returns: its exit status, nil if the signal killed it, and its text on standard error.
    func end(by signal: Int32) -> (status: Int32?, errors: String) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        let status = process.terminationReason == .exit ? process.terminationStatus : nil
        return (status, String(decoding: said, as: UTF8.self))
    }

    /// Runs `camerasim`, or another program, until it ends. Kills it after a minute, because a simulator that wrongly
    /// accepts an argument would run forever.
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
        let id = process.processIdentifier
        let killing = DispatchWorkItem { kill(id, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: killing)
        defer { killing.cancel() }
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: said, as: UTF8.self),
            String(decoding: complained, as: UTF8.self)
        )
    }

    /// The simulator in the folder of the test bundle, into which the build puts every product.
    static let executable: URL = {
        let bundle = URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
        let beside = bundle.appending(path: "camerasim")
        if FileManager.default.isExecutableFile(atPath: beside.path()) { return beside }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return root.appending(path: ".build/debug/camerasim")
    }()
}
