import Foundation
import Varlink

/// The installed bracketd of this bracketctl, which reads configurations exactly as the daemon does.
struct DaemonProgram {
    private static let outputMax = 1 << 18
    private static let timeMax: TimeInterval = 10
    /// The default storage directory, for when the program cannot be run.
    static let usualStorage = "/var/lib/bracketd"

    /// nil if neither this program's directory nor the system's have it.
    private let program: OtherProgram?

    init(in folders: [String] = DaemonProgram.folders) {
        program = OtherProgram("bracketd", in: folders)
    }

    /// The directories to search, this program's own first.
    static var folders: [String] {
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        return [own, "/usr/local/bin", "/usr/local/sbin", "/usr/sbin"] + OtherProgram.systemFolders
    }

    var path: String? { program?.path }

    func version() throws(PartError) -> String {
        let answer = try ask(["--version"])
        return String(decoding: answer.output, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? "unknown"
    }

    /// The configuration of a file, or the default one, in the form of a file.
    ///
    /// - Throws: the program's errors for an invalid file.
    func configuration(_ file: String?) throws(PartError) -> String {
        let answer = try ask(["--check"] + (file.map { ["--config", $0] } ?? []))
        guard answer.status == 0 else { throw PartError(reason: answer.errors) }
        return String(decoding: answer.output, as: UTF8.self)
    }

    /// The storage directory in such a text: a line below `[storage]`, with its value in quotes as in JSON.
    static func storage(in configuration: String) -> String? {
        let lines = configuration.split(separator: "\n").drop { $0 != "[storage]" }
        guard let line = lines.dropFirst().first, line.hasPrefix("directory = ") else { return nil }
        return try? JSONValue(parsing: Array(line.dropFirst("directory = ".count).utf8)).stringValue
    }

    private func ask(_ arguments: [String]) throws(PartError) -> OtherProgram.Answer {
        guard let program else { throw PartError(reason: BundleSentences.noBracketd) }
        return try program.run(arguments, outputMax: Self.outputMax, within: Self.timeMax)
    }
}
