@testable import bracketd

extension Examples {
    static let bracketdArguments: [String] = [
        ArgumentSentences.configIsEmpty,
        ArgumentSentences.restoreLedgerIsEmpty,
        ArgumentSentences.socketIsEmpty,
    ]
}
