import ArgumentParser
import Varlink

/// A command that tells the daemon one thing, which it takes or refuses.
protocol OrderCommand: ClientCommand {
    static var method: Daemon.Method { get }
    /// What will happen now that the daemon took it.
    static var sentence: String { get }
}

extension OrderCommand {
    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        _ = try await daemon.call(Self.method)
        let object: JSONValue = ["command": .string(Self._commandName), "sentence": .string(Self.sentence)]
        try environment.output.line(common.json ? object.description : Self.sentence)
        return .allDone
    }
}

/// `bracketctl pause`
struct PauseCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pauses the shoot; an exposure is never cut."
    )
    static let method = Daemon.Method.pause
    static let sentence = "The shoot pauses at the end of the frame, or at once when nothing is being exposed."

    @OptionGroup var common: CommonOptions
}

/// `bracketctl resume`
struct ResumeCommand: OrderCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Goes on after a pause.")
    static let method = Daemon.Method.resume
    static let sentence = "The shoot goes on."

    @OptionGroup var common: CommonOptions
}

/// `bracketctl cancel`
struct CancelCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Stops the shoot; an exposure is never cut."
    )
    static let method = Daemon.Method.cancel
    static let sentence = "The shoot stops at the end of the frame, or at once when nothing is being exposed."

    @OptionGroup var common: CommonOptions
}

/// `bracketctl dismiss`
struct DismissCommand: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Forgets the last shoot, and with it the frames that it lacks."
    )
    static let method = Daemon.Method.dismiss
    static let sentence = "The last shoot is forgotten."

    @OptionGroup var common: CommonOptions
}
