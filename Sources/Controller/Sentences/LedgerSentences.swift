/// The texts of the journal, the status and the replies about the ledger.
enum LedgerSentences {
    // MARK: Opening

    static let opening = "The ledger is being opened."
    static let openingAdvice = "Try again in a moment."
    static let notYetOpen = "\(opening) \(openingAdvice)"
    static let isOpen = "The ledger is open."
    static let slowOpening = "The check of the ledger takes more than 10 s: the disk is slow."
    static let stillChecked = "The ledger is still being checked."
    static let historyOff =
        "The ledger is off. For a history, set mode = \"required\" or \"best-effort\" under [ledger]."

    /// - Parameter count: the number of shoots that this run began before the ledger was open.
    static func notRecorded(shootsBeforeOpening count: Int) -> String {
        let shoots = count == 1 ? "The shoot" : "The \(count) shoots"
        return "\(shoots) that began before the ledger was open will not be recorded."
    }

    // MARK: Writing

    /// - Parameter reason: the sentence from the ledger that says why it cannot be written.
    static func notWritten(_ reason: String, _ mode: LedgerMode) -> String { "\(reason) \(consequence(mode))" }

    static func silent(_ mode: LedgerMode) -> String {
        "The ledger's disk did not answer for 5 s. \(consequence(mode))"
    }

    private static func consequence(_ mode: LedgerMode) -> String {
        mode == .required
            ? "No frame is fired until the ledger can be written."
            : "Shoots continue without a record, and cannot be resumed after bracketd stops or crashes."
    }

    static let writableAgain = "The ledger can be written again."

    static func givenUp(shoot: Int) -> String {
        "Shoot \(shoot) is not recorded: too many changes wait for the ledger's disk."
    }
}

extension LedgerContents {
    /// The cause of a shoot that an earlier run did not end, if the ledger has no other cause.
    package static let interruptedSentence = "The daemon ended before the shoot ended."
}
