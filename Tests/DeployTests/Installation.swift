import Foundation

/// The files of `deploy/`, installed into a directory in place of `/`.
final class Installation {
    struct Failure: Error, CustomStringConvertible { let description: String }

    static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "deploy")
    static let unitFolder = "usr/lib/systemd/system"
    static let dropIns = ["debug.conf", "near-networks.conf", "pictures-disk.conf"]

    let root: String

    /// Installs the files with `deploy/install-files`. `systemd` is the version of systemd; nil: the version of this
    /// computer.
    init(systemd: Int? = nil) throws {
        root = try Self.temporaryDirectory()
        let arguments = ["--root", root] + (systemd.map { ["--systemd", String($0)] } ?? [])
        let run = try Command("\(Self.sources.path)/install-files", arguments)
        guard run.isSilentSuccess else { throw Failure(description: "install-files: \(run)") }
    }

    static func temporaryDirectory() throws -> String {
        var template = Array("/tmp/deploy-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no temporary directory: \(errno)") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    static func source(_ name: String) throws -> String {
        try String(contentsOf: sources.appending(path: name), encoding: .utf8)
    }

    func path(_ name: String) -> String { "\(root)/\(name)" }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// The units, with an existing program in place of the daemon. `dropIn` is one of the examples to check with them.
    func unitsToCheck(dropIn: String? = nil) throws -> [String] {
        func write(_ text: String, to name: String) throws {
            let text = text.replacing("/usr/bin/bracketd", with: "/bin/true")
            try text.write(toFile: path(name), atomically: false, encoding: .utf8)
        }
        let names = ["bracketd.service", "bracketd.socket"].map { "\(Self.unitFolder)/\($0)" }
        for name in names { try write(text(name), to: name) }
        if let dropIn {
            let folder = "\(Self.unitFolder)/bracketd.service.d"
            try FileManager.default.createDirectory(atPath: path(folder), withIntermediateDirectories: true)
            try write(Self.source("examples/\(dropIn)"), to: "\(folder)/\(dropIn)")
        }
        return names.map(path)
    }
}

struct Command: CustomStringConvertible {
    let status: Int32
    /// The output of the command on both streams.
    let output: String

    init(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }

    var isSilentSuccess: Bool { status == 0 && output.isEmpty }

    /// The path of one of our programs, which the build puts beside the tests.
    static func built(_ name: String) -> String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
    }

    static func isThere(_ program: String) -> Bool {
        (try? Command("sh", ["-c", "command -v \(program)"]))?.status == 0
    }

    var description: String { "ended with \(status): \(output)" }
}

/// The settings of a unit: the sections with their lines `Name=value`, in their order (systemd.syntax(7)).
struct UnitText {
    let lines: [(section: String, name: String, value: String)]

    init(_ text: String) {
        var section = ""
        var lines: [(String, String, String)] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("[") {
                section = String(line.dropFirst().dropLast())
            } else {
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                lines.append((section, parts[0], parts.count > 1 ? parts[1] : ""))
            }
        }
        self.lines = lines
    }

    func words(_ name: String) -> [String] {
        lines.filter { $0.name == name }.flatMap { $0.value.split(separator: " ").map(String.init) }
    }

    var settings: [String] { lines.map { "\($0.section): \($0.name)=\($0.value)" } }
}
