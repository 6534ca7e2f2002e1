/// The reasons why bracketd rejects its arguments.
enum ArgumentSentences {
    static let configIsEmpty = "--config needs a file name."
    static let restoreLedgerIsEmpty = "--restore-ledger needs a file name."
    static let socketIsEmpty = "--socket needs a path."
}
