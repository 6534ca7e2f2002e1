import ArgumentParser
import ProgramOutput

extension ParsableCommand {
    /// The first argument after `help` that names no command. Nil if the arguments ask for existing help; the parser
    /// then prints the help.
    ///
    /// - Parameter arguments: the arguments of a call that the parser treats as its own `help` command.
    package static func unknownHelpTopic(in arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = self
        for word in arguments.drop(while: { $0 != "help" }).dropFirst() where !word.hasPrefix("-") {
            // `help` itself is a command of the parser.
            if command == self, word == "help" { return nil }
            let commands = command.configuration.subcommands
            guard let next = commands.first(where: { $0.isCalled(word) }) else { return word }
            command = next
        }
        return nil
    }

    /// Throws an error for an unknown topic. The parser reports the error with exit status 64.
    static func refuseUnknownHelpTopic(_ arguments: [String], parsed command: any ParsableCommand) throws {
        let isOwn = configuration.subcommands.contains { $0 == type(of: command) } || command is Self
        guard !isOwn, arguments.first == "help", let topic = unknownHelpTopic(in: arguments) else { return }
        throw ValidationError(OutputSentences.noHelp(for: topic))
    }

    private static func isCalled(_ word: String) -> Bool {
        _commandName == word || configuration.aliases.contains(word)
    }
}
