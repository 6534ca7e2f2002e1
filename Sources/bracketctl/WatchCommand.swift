import ArgumentParser
import Interface
import Varlink

struct WatchCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints every transition of every chart as it happens, until interrupted.",
        discussion: """
            With --progress the command shows the progress of the running shoot. A command, the button or the daemon \
            may have started the shoot. The command ends with the outcome of the shoot, as bracketctl shoot does.
            """
    )

    @OptionGroup var common: CommonOptions

    @Flag(name: .customLong("progress"), help: "Show the progress of the running shoot.")
    var showsProgress = false

    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard !showsProgress else { return }
        if progress.wait.noWait { throw ValidationError(UsageSentences.noWaitWithoutProgress) }
        guard progress.states else { return }
        throw ValidationError(UsageSentences.statesWithoutProgress)
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        if showsProgress {
            return try await ShootFollower(daemon, environment, common, progress).join()
        }
        try await daemon.watch(Bracketd.Watch()) { reply in
            let text = WatchCommand.text(reply.transition, at: environment.timeOfDay())
            _ = try show(PrintedJSON.transition(reply.transition.json), text, in: environment)
        }
    }

    /// The transition as one line: `14:03:07.412  shooting: confirmingSpeed → capturing (set 2, frame 3, 1/15)`.
    ///
    /// - Parameter time: The arrival time, because the daemon's clock has no meaning for users.
    static func text(_ transition: Bracketd.Transition, at time: String) -> String {
        "\(time)  \(transition.message)"
    }
}
