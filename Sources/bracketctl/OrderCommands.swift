import ArgumentParser
import Interface
import Varlink

/// A command with one call that the daemon accepts or refuses.
protocol OrderCommand: ClientCommand {
    associatedtype Method: VarlinkMethod
    var method: Method { get }
    /// The effect of the accepted call.
    var sentence: String { get }
    func remark(_ reply: Method.Reply) -> String?
    static var answerTimeMax: Duration { get }
}

extension OrderCommand {
    func remark(_ reply: Method.Reply) -> String? { nil }
    static var answerTimeMax: Duration { Daemon.answerTimeMax }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        let remark = remark(try await daemon.call(method, within: Self.answerTimeMax))
        let object = JSONValue.object(leavingOutNil: [
            "command": .string(Self._commandName), "sentence": .string(sentence),
            "settings": remark.map { .string($0) },
        ])
        let lines = [remark, sentence].compactMap(\.self)
        try environment.output.line(common.json ? object.description : lines.joined(separator: "\n"))
        return .allDone
    }
}

struct PauseCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pauses the shoot; an exposure is never cut."
    )

    @OptionGroup var common: CommonOptions

    @Flag(help: "Fire the last frame again when the shoot goes on.")
    var redo = false

    var method: Bracketd.Pause { Bracketd.Pause(redo: redo ? true : nil) }

    var sentence: String {
        "The shoot pauses at the end of the frame, or at once when nothing is being exposed."
            + (redo ? " The last frame is fired again when it goes on." : "")
    }
}

struct ResumeCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Goes on after a pause, or with an interrupted shoot, and shows its progress.",
        discussion: """
            A shoot is interrupted when the daemon ends before it does, as in a power cut. Going on fires the frames \
            that it lacks. With a number, the frames are fired that this shoot lacks, however it ended. Frames that \
            the last shoot lacks are dropped then, after a question.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var wait: WaitOption
    @OptionGroup var meant: ShootArgument

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        _ = try await meant.withConsent(in: environment) { try await daemon.call(Bracketd.Resume(shoot: $0, drop: $1)) }
        return try await ShootFollower(
            daemon: daemon,
            environment: environment,
            json: common.json,
            options: progress
        ).follow(Bracketd.Follow(), waits: !wait.noWait)
    }
}

struct CancelCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Stops the shoot; an exposure is never cut."
    )
    var method: Bracketd.Cancel { Bracketd.Cancel() }
    var sentence: String { "The shoot stops at the end of the frame, or at once when nothing is being exposed." }

    @OptionGroup var common: CommonOptions
}

struct DismissCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Drops the frames that the last shoot lacks.",
        discussion:
            "They can still be fired with bracketctl retry and the shoot's number. A complete shoot stays as it is."
    )
    var method: Bracketd.Dismiss { Bracketd.Dismiss() }
    var sentence: String { "The frames that the last shoot lacks are dropped." }

    @OptionGroup var common: CommonOptions
}

struct RedoCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Fires the last frame once more: next, or at once after the end of the shoot."
    )
    var method: Bracketd.Redo { Bracketd.Redo() }
    var sentence: String { "The last frame is fired once more." }

    @OptionGroup var common: CommonOptions
}
