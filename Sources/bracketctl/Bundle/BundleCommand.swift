import ArgumentParser
import Foundation
import Varlink

struct BundleCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Packs what a report of a fault needs into one file; works without the daemon too.",
        discussion: """
            In it are the flight recorder's recordings, the ledger, the configuration without secrets, versions, the \
            daemon's status, and the last entries of its journal; no pictures. Its README.txt says what is in, what \
            was left out and why, and what it tells about you: look it through before you make it public. What cannot \
            be had is left out and told on standard error. Who may not read the daemon's storage runs it with sudo.
            Exit codes: 0 the file is written, 1 it cannot be, 64 wrong arguments.
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(
        help: ArgumentHelp(
            "Write this file (.tar.gz), which must not be there; otherwise bracketd-bundle-TIME.tar.gz here.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String?

    @Option(
        help: ArgumentHelp("The configuration that bracketd is started with, if any.", valueName: "file"),
        completion: .file()
    )
    var config: String?

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("--output needs the name of a file.") }
        if config?.isEmpty == true { throw ValidationError("--config needs the name of a file.") }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let connection = try common.connection(in: environment)
        if let config, access(config, F_OK) != 0, errno == ENOENT {
            let sentence = "There is no \(config): --config names the file that bracketd is started with."
            throw Failure(.error, name: "NoConfiguration", sentence)
        }
        let now = time(nil)
        let name = "bracketd-bundle-\(BundleCommand.stamp(environment.calendar(now)))"
        let file = try BundleFile(output ?? "\(name).tar.gz")
        do {
            let archive = TarWriter(time: now) { (bytes) throws(Failure) in try file.write(bytes) }
            var bundle = Bundle(name: name, archive: archive, in: environment)
            let program = DaemonProgram()
            try await bundle.packVersions(connection, by: program)
            let storage = try bundle.packConfiguration(config, by: program)
            try bundle.packJournal(from: OtherProgram("journalctl", in: OtherProgram.systemFolders))
            try bundle.packLedger(of: storage)
            try bundle.packRecordings(of: storage)
            try bundle.finish()
            try report(file.path, byteCount: try file.finish(), bundle.missing, in: environment)
            return .allDone
        } catch let failure as Failure {
            file.abandon()
            throw failure
        }
    }

    private func report(
        _ path: String,
        byteCount: Int,
        _ missing: [String],
        in environment: Environment
    ) throws(OutputClosed) {
        let sentence = "\(path) is written, \(byteCount) bytes. Its README.txt says what is in it; it is yours alone."
        let object: JSONValue = [
            "file": .string(path), "byteCount": .int(byteCount), "missing": .strings(missing),
            "sentence": .string(sentence),
        ]
        try environment.output.line(common.json ? object.description : sentence)
    }

    /// `20261122-140307`
    private static func stamp(_ time: tm) -> String {
        func digits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(time.tm_year + 1900)\(digits(time.tm_mon + 1))\(digits(time.tm_mday))-"
            + digits(time.tm_hour) + digits(time.tm_min) + digits(time.tm_sec)
    }
}
