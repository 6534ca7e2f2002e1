import Processes
import Varlink

/// The bracketd program beside this bracketctl. It reads a configuration exactly as the daemon does.
struct DaemonProgram {
    private static let outputMax = 1 << 18
    private static let timeMax = Duration.seconds(10)
    /// The default storage directory, which is used if the bracketd program cannot be run.
    static let usualStorage = "/var/lib/bracketd"

    /// The program; nil: neither this program's directory nor a system directory contains it.
    private let program: OtherProgram?

    init(in folders: [String] = DaemonProgram.folders) {
        program = OtherProgram("bracketd", in: folders)
    }

    /// The directories to search. The first one is the directory of this program.
    static var folders: [String] {
        let system = ["/usr/local/bin", "/usr/local/sbin", "/usr/sbin"] + OtherProgram.systemFolders
        return (OwnProgram.folder.map { [$0] } ?? []) + system
    }

    var path: String? { program?.path }

    func version() throws(PartError) -> String {
        let answer = try ask(["--version"])
        return String(decoding: answer.output, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? "unknown"
    }

    /// The configuration in a file (nil: the default configuration), in the format of a configuration file.
    ///
    /// - Throws: `PartError` with the program's errors if the file is invalid.
    func configuration(_ file: String?) throws(PartError) -> String {
        let answer = try ask(["--check"] + (file.map { ["--config", $0] } ?? []))
        guard answer.status == 0 else { throw PartError(reason: answer.errors) }
        return String(decoding: answer.output, as: UTF8.self)
    }

    /// The storage directory in a configuration: the value of a line below `[storage]`, in quotation marks as in JSON.
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
