import ArgumentParser

extension ParsableCommand {
    /// The first argument after `help` that names no command; nil when the arguments ask for existing help. The
    /// parser itself answers with the help of the program.
    ///
    /// - Parameter arguments: those of a call that the parser treats as its own `help` command.
    package static func unknownHelpTopic(in arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = self
        for word in arguments.drop(while: { $0 != "help" }).dropFirst() where !word.hasPrefix("-") {
            // The parser's own command.
            if command == self, word == "help" { return nil }
            let commands = command.configuration.subcommands
            guard let next = commands.first(where: { $0.isCalled(word) }) else { return word }
            command = next
        }
        return nil
    }

    /// Throws for an unknown topic; the parser reports it with exit status 64.
    static func refuseUnknownHelpTopic(_ arguments: [String], parsed command: any ParsableCommand) throws {
        let isOwn = configuration.subcommands.contains { $0 == type(of: command) } || command is Self
        guard !isOwn, arguments.first == "help", let topic = unknownHelpTopic(in: arguments) else { return }
        throw ValidationError(OutputSentences.noHelp(for: topic))
    }

    private static func isCalled(_ word: String) -> Bool {
        _commandName == word || configuration.aliases.contains(word)
    }
}
