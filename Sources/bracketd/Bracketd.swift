import ArgumentParser
import Controller
import Glibc
import Host
import ProgramOutput

@main
struct Bracketd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bracketd",
        abstract: "Fires exposure brackets with a camera on WiFi, for the clients of its socket.",
        discussion: """
            Runs in the foreground until SIGTERM or SIGINT.
            Exit codes: 0 stopped as requested, 1 any error, 64 wrong arguments.
            """,
        version: Version.current
    )

    /// The limit of open files covers 64 clients, connections to cameras, recordings, ledger and pictures.
    static func main() { runProgram(openFiles: 256) }

    @Option(help: ArgumentHelp("Read this configuration file (TOML).", valueName: "file"), completion: .file())
    var config: String?

    @Option(help: ArgumentHelp("Listen on this socket instead of the configured one.", valueName: "path"))
    var socket: String?

    @Flag(help: "Check the configuration, print the values in use, and exit.")
    var check = false

    @Option(
        help: ArgumentHelp(
            "Restore this ledger, which was moved aside, and exit. No bracketd may run.",
            valueName: "file"
        ),
        completion: .file()
    )
    var restoreLedger: String?

    @Flag(help: "Also write entries of level debug.")
    var debug = false

    func validate() throws {
        if config?.isEmpty == true { throw ValidationError(ArgumentSentences.configIsEmpty) }
        if restoreLedger?.isEmpty == true { throw ValidationError(ArgumentSentences.restoreLedgerIsEmpty) }
        if socket?.isEmpty == true { throw ValidationError(ArgumentSentences.socketIsEmpty) }
    }

    func run() throws {
        // Signals are blocked first, because later threads inherit the blocked signals.
        Signals.block()
        if let restoreLedger { return try restore(restoreLedger) }
        let configuration = try effectiveConfiguration()
        guard !check else { return try StandardStream.output.write(configuration.text) }
        let journal = Journal(writer: journalWriter, minimumPriority: debug ? .debug : .info)
        var options = Daemon.Options(configuration: configuration, journal: journal)
        if config != nil { options.readConfiguration = readConfiguration }
        do {
            let ending = try Daemon.run(options)
            journal.finish()
            switch ending {
            case .inOrder: return
            case .forced: throw ExitCode.failure
            case .failed(let reason): throw failure(reason)
            }
        } catch let error as Daemon.StartError {
            journal.finish()
            throw failure(error.description)
        }
    }

    private func restore(_ path: String) throws {
        let sentence: String
        do {
            sentence = try LedgerRestoring.restore(path)
        } catch {
            throw failure("\(error)")
        }
        try StandardStream.output.write("\(sentence)\n")
    }

    private func effectiveConfiguration() throws -> Configuration {
        do {
            return try readConfiguration()
        } catch {
            throw failure(error.description)
        }
    }

    @Sendable
    private func readConfiguration() throws(ConfigurationError) -> Configuration {
        let stateDirectory = environment("STATE_DIRECTORY")
        var configuration = Configuration(stateDirectory: stateDirectory)
        if let config { configuration = try Configuration(file: config, stateDirectory: stateDirectory) }
        if let socket { configuration.socketPath = socket }
        return configuration
    }

    private var journalWriter: any JournalWriter {
        JournaldWriter.isAvailable(journalStream: environment("JOURNAL_STREAM"))
            ? JournaldWriter() : StandardErrorWriter()
    }

    private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Prints each line of a message on standard error, and returns the exit code.
    private func failure(_ message: String) -> ExitCode {
        for line in message.split(separator: "\n") { StandardError.write("bracketd: \(line)") }
        return ExitCode.failure
    }
}
