import Foundation
import Varlink

/// The bracketd that was installed with this bracketctl: it knows best what it makes of a configuration.
struct DaemonProgram {
    private static let outputMax = 1 << 18
    private static let timeMax: TimeInterval = 10
    /// Where it keeps things when nobody says otherwise; for when it cannot be asked.
    static let usualStorage = "/var/lib/bracketd"

    /// nil: there is none beside bracketctl, nor among the system's programs.
    private let program: OtherProgram?

    init(in folders: [String] = DaemonProgram.folders) {
        program = OtherProgram("bracketd", in: folders)
    }

    /// Where it is looked for: beside this program first.
    static var folders: [String] {
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        return [own, "/usr/local/bin", "/usr/local/sbin", "/usr/sbin"] + OtherProgram.systemFolders
    }

    var path: String? { program?.path }

    /// What it calls itself.
    func version() throws(OtherProgram.Trouble) -> String {
        let answer = try ask(["--version"])
        return String(decoding: answer.output, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? "unknown"
    }

    /// What it makes of a configuration file, or of none, as a file would say it.
    ///
    /// - Throws: what it says of a file that it does not take.
    func configuration(_ file: String?) throws(OtherProgram.Trouble) -> String {
        let answer = try ask(["--check"] + (file.map { ["--config", $0] } ?? []))
        guard answer.status == 0 else { throw OtherProgram.Trouble(reason: answer.errors) }
        return String(decoding: answer.output, as: UTF8.self)
    }

    /// The storage directory that such a text names: a line of its own below `[storage]`, its value in quotes as JSON
    /// has them too.
    static func storage(in configuration: String) -> String? {
        let lines = configuration.split(separator: "\n").drop { $0 != "[storage]" }
        guard let line = lines.dropFirst().first, line.hasPrefix("directory = ") else { return nil }
        return try? JSONValue(parsing: Array(line.dropFirst("directory = ".count).utf8)).stringValue
    }

    private func ask(_ arguments: [String]) throws(OtherProgram.Trouble) -> OtherProgram.Answer {
        guard let program else { throw OtherProgram.Trouble(reason: "there is no bracketd beside bracketctl") }
        return try program.run(arguments, outputMax: Self.outputMax, within: Self.timeMax)
    }
}
