import ArgumentParser
import Varlink

/// `bracketctl watch`
struct WatchCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints every transition of every chart as it happens, until it is interrupted."
    )

    @OptionGroup var common: CommonOptions

    func execute(in environment: Environment) async throws -> ProcessExit {
        let daemon = try await Daemon(common.connection(in: environment))
        do {
            let _: Never? = try await daemon.follow(.watch) { reply in
                let text = try WatchCommand.text(reply, at: environment.timeOfDay())
                try environment.output.line(common.json ? (reply["transition"] ?? .emptyObject).description : text)
                return nil
            }
        } catch let failure as Failure {
            throw failure.duringWatch
        }
        throw Failure.watchEnded(daemon.connection)
    }

    /// `14:03:07.412  shooting: confirmingSpeed → capturing (set 2, frame 3, 1/15)`
    ///
    /// - Parameter time: when it was received, for the daemon's clock means nothing to people.
    static func text(_ reply: JSONValue, at time: String) throws(Failure) -> String {
        "\(time)  \(try ReplyFields("transition", of: reply).string("message"))"
    }
}
