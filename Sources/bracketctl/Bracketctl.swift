import ArgumentParser
import Glibc
import ProgramCommands
import ProgramOutput
import Varlink

/// The command-line client of bracketd.
@main
struct Bracketctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bracketctl",
        abstract: "Plans and fires HDR brackets through the bracketd daemon.",
        discussion: """
            The daemon's socket is --socket PATH, or the value of the environment variable BRACKETD_SOCKET, or \
            \(Connection.defaultSocketPath).

            Exit codes: 0 all done, 1 any other error, 3 partial, 4 nothing captured, 5 no daemon, 64 usage.
            """,
        version: version,
        subcommands: [
            PlanCommand.self, MeterCommand.self, PreflightCommand.self, ShootCommand.self, ArmCommand.self,
            StatusCommand.self, WatchCommand.self,
            PauseCommand.self, RedoCommand.self, ResumeCommand.self, CancelCommand.self, RetryCommand.self,
            ExtendCommand.self, DismissCommand.self, HistoryCommand.self, SortCommand.self, CamerasCommand.self,
            ConnectCommand.self, DisconnectCommand.self,
            CameraCommand.self, GetCommand.self, SetCommand.self, PhotosCommand.self, FilesCommand.self,
            SnapshotCommand.self, ChartsCommand.self,
            DoctorCommand.self, ReplayCommand.self, BundleCommand.self,
        ]
    )

    /// A test compares this version with the daemon's version.
    static let version = ProgramVersion.current

    @OptionGroup var common: CommonOptions

    static func main() async {
        StandardStream.occupyClosed()
        OpenFiles.require(32, for: "bracketctl")
        let arguments = Array(CommandLine.arguments.dropFirst())
        let status = await run(arguments, in: .process)
        Glibc.exit(status.rawValue)
    }

    /// Runs the command that the arguments name and returns the exit status of the process.
    static func run(_ arguments: [String], in environment: Environment) async -> ProcessExit {
        do {
            var command = try await asyncParseAsRoot(arguments)
            if let command = command as? any ClientCommand { return try await command.execute(in: environment) }
            guard !(command is Bracketctl) else { throw noCommand }
            // Only the commands of the argument parser reach this line. All of these commands print help.
            if let topic = unknownHelpTopic(in: arguments) { throw noHelp(topic) }
            try command.run()
            return .allDone
        } catch let failure as Failure {
            failure.report(in: environment, asJSON: arguments.contains("--json"))
            return failure.status
        } catch let closed as OutputClosed {
            return report(closed, in: environment)
        } catch {
            return report(parserError: error, in: environment, asJSON: arguments.contains("--json"))
        }
    }

    private static var noCommand: Failure {
        Failure.usage(UsageSentences.noCommand(configuration.subcommands.map { $0._commandName }))
    }

    private static func noHelp(_ topic: String) -> Failure {
        Failure.usage(UsageSentences.noHelp(topic))
    }

    /// Reports a closed output. This is not an error, because the reader of the output has read enough.
    private static func report(_ closed: OutputClosed, in environment: Environment) -> ProcessExit {
        if !closed.isBrokenPipe { try? environment.errors.line("bracketctl: \(closed.sentence)") }
        return .error
    }

    /// Prints the requested help, or reports an error of the argument parser. Its errors are about the arguments.
    private static func report(parserError: any Error, in environment: Environment, asJSON: Bool) -> ProcessExit {
        guard exitCode(for: parserError) != .success else {
            do throws(OutputClosed) {
                try environment.output.line(fullMessage(for: parserError))
                return .allDone
            } catch {
                return report(error, in: environment)
            }
        }
        let message = message(for: parserError).split(separator: "\n").joined(separator: " ")
        let sentence = [".", "?"].contains(message.last) ? message : message + "."
        let failure = Failure.usage(FailureSentences.referring(sentence, to: helpCommand(for: parserError)))
        failure.report(in: environment, asJSON: asJSON)
        return failure.status
    }

    /// The command whose help the user requests, for example with `bracketctl plan --help`. Only the parser's message
    /// contains the name of this command, in quotation marks at the end.
    private static func helpCommand(for parserError: any Error) -> String {
        let quoted = fullMessage(for: parserError).split(separator: "See '").last?.prefix { $0 != "'" } ?? ""
        return quoted.hasPrefix("bracketctl ") && quoted.hasSuffix(" --help") ? String(quoted) : "bracketctl --help"
    }
}

/// A command of bracketctl, which returns the exit status of the process.
protocol ClientCommand: AsyncParsableCommand {
    var common: CommonOptions { get }

    /// - Throws: `Failure`, or `OutputClosed` if the reader closed the output.
    func execute(in environment: Environment) async throws -> ProcessExit
}

extension ClientCommand {
    /// Prints the result of the command: as text, or with `--json` as an object.
    func show(
        _ object: @autoclosure () -> JSONValue,
        _ text: @autoclosure () -> String,
        in environment: Environment
    ) throws(OutputClosed) -> ProcessExit {
        try environment.output.line(common.json ? object().description : text())
        return .allDone
    }
}
