import ArgumentParser
import Simulation

/// The entry: `camerasim sony`, `camerasim list`.
@main
struct Camerasim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camerasim",
        abstract: "Simulated cameras on real sockets.",
        subcommands: [SonyCommand.self, ListCommand.self]
    )
}

/// `camerasim list`: what can be simulated.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the models and the faults."
    )

    func run() {
        let models = SonyModel.all.map { "  \($0.name)\n      \($0.summary)" }.joined(separator: "\n")
        Output.write("Models for 'camerasim sony --model':\n\(models)\n\nFaults for '--fault':\n\(FaultGrammar.help)\n")
    }
}
