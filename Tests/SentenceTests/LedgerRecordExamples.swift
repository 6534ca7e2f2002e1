@testable import Controller

extension Examples {
    static let ledgerRecord: [String] = [
        LedgerSentences.opening,
        LedgerSentences.openingAdvice,
        LedgerSentences.notYetOpen,
        LedgerSentences.isOpen,
        LedgerSentences.slowOpening,
        LedgerSentences.stillChecked,
        LedgerSentences.historyOff,
        LedgerSentences.notRecorded(shootsBeforeOpening: 1),
        LedgerSentences.notRecorded(shootsBeforeOpening: 3),
        LedgerSentences.notWritten(fullDisk, .required),
        LedgerSentences.notWritten(fullDisk, .bestEffort),
        LedgerSentences.silent(.required),
        LedgerSentences.silent(.bestEffort),
        LedgerSentences.writableAgain,
        LedgerSentences.givenUp(shoot: 41),
        LedgerContents.interruptedSentence,
    ]
}

private let fullDisk = "The disk of the ledger is full."
