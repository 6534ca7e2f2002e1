import Foundation

enum BuiltProgram {
    struct End {
        /// The exit status; nil if a signal ended the program.
        let status: Int32?
        let signal: Int32?
        let output: String
        let errors: String
    }

    static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// Runs a program through the shell.
    ///
    /// - Parameters:
    ///   - redirection: the shell's redirection, such as `>/dev/full`.
    ///   - limit: a shell command that runs before the program, such as `ulimit -n 8`.
    static func run(
        _ name: String,
        _ arguments: [String],
        _ redirection: String = "",
        limit: String = "true"
    ) throws -> End {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let program = folder.appending(path: name).path(percentEncoded: false)
        process.arguments = ["-c", "\(limit) && exec \"$0\" \"$@\" \(redirection)", program] + arguments
        return try end(of: process)
    }

    /// Runs a program whose output has no reader.
    static func runWithoutReader(_ name: String, _ arguments: [String]) throws -> End {
        let process = Process()
        process.executableURL = folder.appending(path: name)
        process.arguments = arguments
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        return try end(of: process, output: pipe)
    }

    private static func end(of process: Process, output: Pipe = Pipe()) throws -> End {
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        try output.fileHandleForWriting.close()
        let text = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        let errorText = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let isExit = process.terminationReason == .exit
        return End(
            status: isExit ? process.terminationStatus : nil,
            signal: isExit ? nil : process.terminationStatus,
            output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: errorText, as: UTF8.self)
        )
    }
}

/// A directory that is removed with the test.
final class Folder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
    }
}
