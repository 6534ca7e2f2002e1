import ArgumentParser
import Interface
import Varlink

/// A command with one call, which the daemon accepts or refuses.
protocol OrderCommand: ClientCommand {
    associatedtype Method: VarlinkMethod
    var method: Method { get }
    /// The sentence about the effect of the call if the daemon accepts the call.
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
        return try show(object, [remark, sentence].compactMap(\.self).joined(separator: "\n"), in: environment)
    }
}

struct PauseCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pauses the shoot. An exposure is never interrupted."
    )

    @OptionGroup var common: CommonOptions

    @Flag(help: "Fire the last frame again when the shoot resumes.")
    var redo = false

    var method: Bracketd.Pause { Bracketd.Pause(redo: redo ? true : nil) }

    var sentence: String { OrderSentences.pauses(redo: redo) }
}

struct ResumeCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resumes a paused or interrupted shoot, and shows its progress.",
        discussion: """
            A shoot is interrupted when the daemon ends before the shoot, as in a power cut. The command fires the \
            missing frames. With a number, it fires the missing frames of that shoot, for any outcome of the shoot. It \
            asks before it drops the missing frames of the last shoot.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var meant: ShootArgument

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        _ = try await meant.withConsent(in: environment) { try await daemon.call(Bracketd.Resume(shoot: $0, drop: $1)) }
        return try await ShootFollower(daemon, environment, common, progress).follow(Bracketd.Follow())
    }
}

struct CancelCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Stops the shoot. An exposure is never interrupted."
    )
    var method: Bracketd.Cancel { Bracketd.Cancel() }
    var sentence: String { OrderSentences.cancels }

    @OptionGroup var common: CommonOptions
}

struct DismissCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Drops the missing frames of the last shoot.",
        discussion:
            "bracketctl retry with the shoot's number can still fire them. A complete shoot does not change."
    )
    var method: Bracketd.Dismiss { Bracketd.Dismiss() }
    var sentence: String { OrderSentences.dropsMissingFrames }

    @OptionGroup var common: CommonOptions
}

struct RedoCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Fires the last frame once more: as the next frame, or at once if the shoot has ended."
    )
    var method: Bracketd.Redo { Bracketd.Redo() }
    var sentence: String { OrderSentences.firesLastFrameAgain }

    @OptionGroup var common: CommonOptions
}
