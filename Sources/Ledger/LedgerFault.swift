import CSQLite

/// Why the ledger cannot be used, or did not accept a commit. The sentence says what happened, where, and what to do.
package struct LedgerFault: Error, Hashable, Sendable, CustomStringConvertible {
    package var sentence: String
    /// The damage to the file, as a short phrase; nil: no damage is known.
    var damage: String?

    package var description: String { sentence }

    init(_ sentence: String, damage: String? = nil) {
        self.sentence = sentence
        self.damage = damage
    }

    static func damaged(_ path: String, _ damage: String) -> LedgerFault {
        LedgerFault(DamageSentences.damaged(path, damage), damage: damage)
    }

    /// - Parameter words: the result of `integrity_check`. If a page cannot be read, the disk may be at fault. The
    ///   content of the page may be intact and readable the next time.
    static func found(_ words: String, path: String) -> LedgerFault {
        guard words.contains("error code=") || words.contains("failed to get page") else {
            return damaged(path, words)
        }
        let code = words.split(separator: "error code=").dropFirst().last?.prefix { $0.isNumber }
        // All extended result codes of an error have the same lower byte (rescode.html).
        let result = code.flatMap { CInt($0) }.map { $0 & 0xFF }
        if result == SQLITE_CORRUPT || result == SQLITE_NOTADB { return damaged(path, words) }
        return LedgerFault(LedgerSentences.diskError(path, .opened, words))
    }

    init(_ error: any Error, path: String, action: LedgerAction) {
        switch error {
        case let fault as LedgerFault: self = fault
        case let error as DatabaseError: self.init(error, path, action)
        default: self.init(LedgerSentences.otherError(path, action, error))
        }
    }

    init(path: String, action: LedgerAction, code: CInt) {
        self.init(LedgerSentences.systemError(path, action, code: code))
    }

    private init(_ error: DatabaseError, _ path: String, _ action: LedgerAction) {
        let reason = error.message ?? LedgerSentences.noReason
        switch error.primaryCode {
        case SQLITE_FULL: self.init(LedgerSentences.diskFull(path, action))
        case SQLITE_READONLY: self.init(LedgerSentences.readOnly(path, action))
        case SQLITE_BUSY, SQLITE_LOCKED: self.init(LedgerSentences.inUse(path, action))
        case SQLITE_IOERR: self.init(LedgerSentences.diskError(path, action, reason))
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged(path, reason)
        case SQLITE_CANTOPEN: self.init(LedgerSentences.notAccessible(path, action, reason))
        default: self.init(LedgerSentences.databaseError(path, action, reason, code: error.code))
        }
    }
}
