import ArgumentParser
import Glibc
import Varlink

struct BundleCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Packs a fault report into one file. Works without the daemon.",
        discussion: """
            The file contains recordings, the ledger, the configuration without secrets, versions, the daemon's status \
            and its last journal entries. It contains no pictures. Its README.txt lists the contents, the missing \
            parts with the reasons, and the private data. Read README.txt before you publish the file. Missing parts \
            are also reported on standard error. If you may not read the daemon's storage, use sudo.
            Exit codes: 0 the file is written, 1 it cannot be written, 64 wrong arguments.
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(file: "Write this file (.tar.gz), which must not exist. Default: bracketd-bundle-TIME.tar.gz here.")
    var output: String?

    @Option(file: "The configuration file of bracketd, if any.")
    var config: String?

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError(UsageSentences.needsFile("--output")) }
        if config?.isEmpty == true { throw ValidationError(UsageSentences.needsFile("--config")) }
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let connection = try common.connection(in: environment)
        if let config, access(config, F_OK) != 0, errno == ENOENT {
            throw Failure("NoConfiguration", FileSentences.noConfiguration(config))
        }
        let now = time(nil)
        let name = "bracketd-bundle-\(HistoryTime(seconds: now).stamp(in: environment))"
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
            return try report(file.path, byteCount: try file.finish(), bundle.missing, in: environment)
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
    ) throws(OutputClosed) -> ProcessExit {
        let sentence = BundleSentences.written(path, byteCount: byteCount)
        let object: JSONValue = [
            "file": .string(path), "byteCount": .int(byteCount), "missing": .strings(missing),
            "sentence": .string(sentence),
        ]
        return try show(object, sentence, in: environment)
    }
}
