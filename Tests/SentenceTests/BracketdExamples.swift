@testable import bracketd

extension Examples {
    static let bracketdArguments: [String] = [
        ArgumentError.unknownOption("--cofnig").sentence,
        ArgumentError.unexpected("extra").sentence,
        ArgumentError.valueIsMissing("--config <file>").sentence,
        ArgumentError.valueIsEmpty("--config <file>").sentence,
        ArgumentError.takesNoValue("--check").sentence,
        HelpSentences.overview, HelpSentences.details, HelpSentences.config, HelpSentences.socket, HelpSentences.check,
        HelpSentences.restoreLedger, HelpSentences.debug, HelpSentences.version, HelpSentences.help,
        HelpSentences.seeHelp,
    ]
}
