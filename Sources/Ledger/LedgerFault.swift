import GRDB
import Glibc

/// Why the ledger cannot be used, or did not accept a commit. The sentence says what, where and what to do.
package struct LedgerFault: Error, Hashable, Sendable, CustomStringConvertible {
    package var sentence: String
    /// The damage of the file itself, as a short phrase; nil: no known damage.
    var damage: String?

    package var description: String { sentence }

    init(_ sentence: String, damage: String? = nil) {
        self.sentence = sentence
        self.damage = damage
    }

    static func damaged(_ path: String, _ words: String) -> LedgerFault {
        LedgerFault(
            """
            The ledger \(path) is damaged (\(words)). Restart bracketd: it moves the file aside and creates a new \
            ledger.
            """,
            damage: words
        )
    }

    /// - Parameter words: the result of `integrity_check`. A page that cannot be read is a fault of the disk: its
    ///   content may be intact and readable the next time.
    static func found(_ words: String, path: String) -> LedgerFault {
        guard words.contains("error code=") || words.contains("failed to get page") else {
            return damaged(path, words)
        }
        let code = words.split(separator: "error code=").dropFirst().last?.prefix { $0.isNumber }
        // Extended result codes share their lower byte (rescode.html).
        let result = code.flatMap { CInt($0) }.map { ResultCode(rawValue: $0 & 0xFF) }
        if result == .SQLITE_CORRUPT || result == .SQLITE_NOTADB { return damaged(path, words) }
        return unreadable(path, "opened", words)
    }

    private static func unreadable(_ path: String, _ action: String, _ words: String) -> LedgerFault {
        LedgerFault(
            """
            The ledger \(path) cannot be \(action): the disk reports an error (\(words)). The disk may be \
            failing: check it.
            """
        )
    }

    /// - Parameter action: the failed action, as a participle: `written`.
    init(_ error: any Error, path: String, action: String) {
        switch error {
        case let fault as LedgerFault: self = fault
        case let error as DatabaseError: self.init(error, path, action)
        default: self.init("The ledger \(path) cannot be \(action): \(error).")
        }
    }

    init(path: String, action: String, code: CInt) {
        let reason = String(cString: strerror(code))
        self.init("The ledger \(path) cannot be \(action): \(reason)\(Self.advice(code)).")
    }

    private static func advice(_ code: CInt) -> String {
        switch code {
        case EACCES, EPERM, EROFS: ". Make it writable for bracketd, or set another directory under [storage]"
        case ENOSPC, EDQUOT: ". Free some space there"
        case EIO: ". The disk may be failing: check it"
        default: ""
        }
    }

    private init(_ error: DatabaseError, _ path: String, _ action: String) {
        let begin = "The ledger \(path) cannot be \(action):"
        switch error.resultCode {
        case .SQLITE_FULL: self.init("\(begin) the disk is full. Free some space there.")
        case .SQLITE_READONLY:
            self.init("\(begin) it is read-only\(Self.advice(EROFS)).")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                """
                \(begin) another process uses it. Stop that process. Two daemons need different directories \
                ([storage] directory).
                """
            )
        case .SQLITE_IOERR: self = .unreadable(path, action, Self.words(error))
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(path, Self.words(error))
        case .SQLITE_CANTOPEN: self.init("\(begin) \(Self.words(error))\(Self.advice(EACCES)).")
        default: self.init("\(begin) \(Self.words(error)) (SQLite \(error.extendedResultCode.rawValue)).")
        }
    }

    private static func words(_ error: DatabaseError) -> String { error.message ?? "SQLite gives no reason" }
}
