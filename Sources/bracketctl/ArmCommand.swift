import ArgumentParser
import Interface
import Varlink

struct ArmCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "arm",
        abstract: "Sets the plan that the button fires from now on.",
        discussion: """
            The daemon keeps the plan until another plan is armed, also over a restart. When the button is pressed, \
            the daemon checks the plan against the camera. This command refuses an invalid plan at once.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: PlanOptions

    @Flag(help: "The button fires the plan of the daemon's configuration again.")
    var usual = false

    func validate() throws {
        guard usual, options.isAnyGiven else { return }
        throw ValidationError(UsageSentences.usualAndPlan)
    }

    func execute(in environment: Environment) async throws -> ProcessExit {
        let arm = Bracketd.Arm(plan: usual ? nil : try options.input())
        let daemon = try await Daemon(common.connection(in: environment))
        _ = try await daemon.call(arm)
        let armed = try await daemon.call(Bracketd.GetStatus()).status.armed
        let sentence =
            armed == nil
            ? OrderSentences.noButton(usual: usual, doctor: daemon.connection.commandLine("doctor"))
            : usual ? OrderSentences.buttonFiresConfigured : OrderSentences.buttonFiresThis
        let object: JSONValue = [
            "command": "arm", "sentence": .string(sentence), "isButtonThere": .bool(armed != nil),
        ]
        return try show(object, sentence, in: environment)
    }
}
