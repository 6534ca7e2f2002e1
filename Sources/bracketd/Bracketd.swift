import Controller
import Glibc
import Host
import ProgramOutput

@main
struct Bracketd {
    private let arguments: Arguments

    static func main() {
        StandardStream.occupyClosed()
        // The limit covers 64 clients, connections to cameras, recordings, ledger and pictures.
        OpenFiles.require(256, for: "bracketd")
        StandardStream.endProgram(exitStatus(CommandLine.arguments.dropFirst()))
    }

    /// Runs the program with its arguments and returns its exit status.
    private static func exitStatus(_ words: some Sequence<String>) -> CInt {
        do {
            return try Bracketd(arguments: Arguments(Array(words))).run()
        } catch let failure as OutputFailure {
            return StandardStream.report(failure, of: "bracketd")
        } catch let information as Arguments.Information {
            return show(information)
        } catch let error as ArgumentError {
            StandardStream.errors.message("\(error.sentence)\n\(Arguments.usage)\n\(HelpSentences.seeHelp)")
            return EX_USAGE
        } catch {
            for line in "\(error)".split(separator: "\n") { StandardError.write("bracketd: \(line)") }
            return EXIT_FAILURE
        }
    }

    private static func show(_ information: Arguments.Information) -> CInt {
        do throws(OutputFailure) {
            switch information {
            case .help: try StandardStream.output.line(Arguments.help)
            case .version: try StandardStream.output.line(Version.current)
            }
            return EXIT_SUCCESS
        } catch {
            return StandardStream.report(error, of: "bracketd")
        }
    }

    /// Returns the exit status.
    private func run() throws -> CInt {
        // Signals are blocked first, because later threads inherit the blocked signals.
        Signals.block()
        if let ledger = arguments.restoreLedger {
            try StandardStream.output.line(LedgerRestoring.restore(ledger))
            return EXIT_SUCCESS
        }
        let configuration = try readConfiguration()
        guard !arguments.check else {
            try StandardStream.output.write(configuration.text)
            return EXIT_SUCCESS
        }
        let journal = Journal(writer: journalWriter, minimumPriority: arguments.debug ? .debug : .info)
        var options = Daemon.Options(configuration: configuration, journal: journal)
        if arguments.config != nil { options.readConfiguration = readConfiguration }
        defer { journal.finish() }
        switch try Daemon.run(options) {
        case .inOrder: return EXIT_SUCCESS
        // The journal has the reason.
        case .forced: return EXIT_FAILURE
        case .failed(let reason): throw Failure(description: reason)
        }
    }

    @Sendable
    private func readConfiguration() throws(ConfigurationError) -> Configuration {
        let stateDirectory = environment("STATE_DIRECTORY")
        var configuration = Configuration(stateDirectory: stateDirectory)
        if let file = arguments.config { configuration = try Configuration(file: file, stateDirectory: stateDirectory) }
        if let socket = arguments.socket { configuration.socketPath = socket }
        return configuration
    }

    private var journalWriter: any JournalWriter {
        JournaldWriter.isAvailable(journalStream: environment("JOURNAL_STREAM"))
            ? JournaldWriter() : StandardErrorWriter()
    }

    private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// Why the daemon ended.
private struct Failure: Error, CustomStringConvertible {
    let description: String
}
