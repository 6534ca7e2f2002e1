/// What is damaged or lost in the ledger, and what happens to the damaged file.
enum DamageSentences {
    static func damaged(_ path: String, _ damage: String) -> String {
        "The ledger \(path) is damaged (\(damage)). "
            + "Restart bracketd: it moves the file aside and creates a new ledger."
    }

    // MARK: The damage, as part of a sentence

    static let notALedger = "it is a database, but not a ledger"
    static let rowsAreMissing = "some rows refer to rows that do not exist"
    static let emptyBesideLog = "it is empty, but the log of its changes is not"

    static func truncated(to byteCount: Int) -> String { "it was truncated after \(byteCount) bytes" }

    // MARK: Rows

    static let countIsMissing = "The ledger's count of commits is missing."

    /// - Parameters:
    ///   - name: the name of the row's first column.
    ///   - key: the value of that column.
    static func invalidRow(
        _ name: String,
        _ key: some CustomStringConvertible,
        column: String,
        value: some CustomStringConvertible
    ) -> String {
        "The ledger's row with \(name) \(key) cannot be read: its \(column) is \(value)."
    }

    static func rowsIgnored(_ count: Int, first sentence: String) -> String {
        "\(sentence) Rows like this were ignored: \(count)."
    }

    // MARK: Moving aside and restoring

    /// - Parameter removed: the number of older damaged ledgers that were removed.
    static func movedAside(_ file: LedgerFile, to name: String, because damage: String, removed: Int) -> String {
        "The ledger \(file.path) was damaged (\(damage)) and is kept as \(name). A new ledger is used. "
            + "The history, the incomplete shoot and the settings to put back are only in the old ledger. "
            + "If it becomes readable again, stop bracketd and restore it: "
            + "bracketd --restore-ledger \(file.directory)/\(name)."
            + (removed > 0 ? " \(oldestRemoved(removed))" : "")
    }

    private static func oldestRemoved(_ count: Int) -> String {
        "Older damaged ledgers were removed: \(count). The last \(LedgerFile.damagedMax) are kept."
    }

    static func notMovedAside(_ path: String) -> String {
        "\(path) cannot be restored. Only a ledger-damaged-….sqlite or ledger-replaced-….sqlite can."
    }

    static let fileIsMissing = "The file does not exist."

    static func notRestored(_ path: String, because fault: LedgerFault) -> String {
        let reason = fault.damage.map { "it is damaged (\($0))." } ?? fault.sentence
        return "\(path) cannot be restored: \(reason) Nothing was changed."
    }

    /// - Parameter replaced: the new name of the replaced ledger; nil: none.
    static func restored(_ path: String, replaced: String?) -> String {
        "\(path) is restored as the ledger." + (replaced.map { " The replaced ledger is kept as \($0)." } ?? "")
    }
}

extension LedgerLoss {
    /// - Parameter isInterrupted: whether a shoot can be resumed or dismissed.
    func sentence(path: String, isInterrupted: Bool) -> String {
        let lost = commits == 1 ? "its last change" : "its last \(commits) changes"
        let copy = log.map { "; a copy of the log is kept as \($0)" } ?? ""
        return "The ledger \(path) lost \(lost): the log of its changes is damaged\(copy). "
            + "Missing in the history: \(gone). Captured frames may be missing there too. "
            + advice(isInterrupted)
    }

    private var gone: String {
        if begun <= kept { return kept > 0 ? "the last part of shoot \(kept)" : "the last part" }
        return kept > 0 ? "everything after shoot \(kept), including shoot \(begun)" : "everything up to shoot \(begun)"
    }

    private func advice(_ isInterrupted: Bool) -> String {
        let nothing = "No shoot continues automatically: check the camera's card"
        return isInterrupted ? "\(nothing), then bracketctl resume or bracketctl dismiss." : "\(nothing)."
    }
}
