import ArgumentParser
import Interface
import Varlink

struct WatchCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints every transition of every chart as it happens, until interrupted.",
        discussion: """
            With --progress it shows the progress of the running shoot, no matter what started it: a command, the \
            button or the daemon. It ends with the shoot's outcome, as bracketctl shoot does.
            """
    )

    @OptionGroup var common: CommonOptions

    @Flag(name: .customLong("progress"), help: "Show the progress of the running shoot.")
    var showsProgress = false

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var wait: WaitOption

    func validate() throws {
        guard !showsProgress else { return }
        if wait.noWait { throw ValidationError("--no-wait works only with --progress.") }
        guard progress.states else { return }
        throw ValidationError("--states works only with --progress. Without it every transition names its states.")
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        if showsProgress {
            return try await ShootFollower(
                daemon: daemon,
                environment: environment,
                json: common.json,
                options: progress
            ).join(waits: !wait.noWait)
        }
        do {
            let _: Never? = try await daemon.follow(Bracketd.Watch()) { reply in
                let text = WatchCommand.text(reply.transition, at: environment.timeOfDay())
                let object = PrintedJSON.transition(reply.transition.json)
                try environment.output.line(common.json ? object.description : text)
                return nil
            }
        } catch let failure as Failure {
            throw failure.duringWatch
        }
        throw Failure.watchEnded(daemon.connection)
    }

    /// `14:03:07.412  shooting: confirmingSpeed → capturing (set 2, frame 3, 1/15)`
    ///
    /// - Parameter time: the time of arrival; the daemon's clock is meaningless to users.
    static func text(_ transition: Bracketd.Transition, at time: String) -> String {
        "\(time)  \(transition.message)"
    }
}
