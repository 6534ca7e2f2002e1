import Glibc

/// What could not be done with the ledger. The text follows the words "cannot be".
enum LedgerAction: String {
    case opened, read, written, created, restored
    case movedAside = "moved aside"
    case movedAsideDamaged = "moved aside, although it is damaged"
}

/// Why the ledger cannot be used, and what to do.
enum LedgerSentences {
    static func notOpen(_ path: String, _ action: LedgerAction) -> String {
        "\(cannotBe(path, action)): it is not open."
    }

    static func notARegularFile(_ path: String, companion: String) -> String {
        let file = companion.isEmpty ? "it" : path + companion
        return "\(cannotBe(path, .opened)): \(file) is not a regular file. Move it away."
    }

    static func newerVersion(_ path: String, _ version: Int, supported: Int) -> String {
        "A newer bracketd wrote the ledger \(path) (version \(version); this bracketd supports \(supported)). "
            + "Install the newer bracketd again, or move the file away."
    }

    /// - Parameter code: errno.
    static func systemError(_ path: String, _ action: LedgerAction, code: CInt) -> String {
        "\(cannotBe(path, action)): \(String(cString: strerror(code)))\(advice(code))."
    }

    static func diskFull(_ path: String, _ action: LedgerAction) -> String {
        "\(cannotBe(path, action)): the disk is full. Free some space there."
    }

    static func readOnly(_ path: String, _ action: LedgerAction) -> String {
        "\(cannotBe(path, action)): it is read-only\(advice(EROFS))."
    }

    static func inUse(_ path: String, _ action: LedgerAction) -> String {
        "\(cannotBe(path, action)): another process uses it. Stop that process. "
            + "Two daemons need different directories ([storage] directory)."
    }

    /// - Parameter reason: SQLite's description of the error.
    static func diskError(_ path: String, _ action: LedgerAction, _ reason: String) -> String {
        "\(cannotBe(path, action)): the disk reports an error (\(reason)). The disk may be failing: check it."
    }

    /// - Parameter reason: SQLite's description of the error.
    static func notAccessible(_ path: String, _ action: LedgerAction, _ reason: String) -> String {
        "\(cannotBe(path, action)): \(reason)\(advice(EACCES))."
    }

    /// - Parameters:
    ///   - reason: SQLite's description of the error.
    ///   - code: SQLite's extended result code.
    static func databaseError(_ path: String, _ action: LedgerAction, _ reason: String, code: CInt) -> String {
        "\(cannotBe(path, action)): \(reason) (SQLite \(code))."
    }

    static func otherError(_ path: String, _ action: LedgerAction, _ error: any Error) -> String {
        "\(cannotBe(path, action)): \(error)."
    }

    static let noReason = "SQLite gives no reason"

    private static func cannotBe(_ path: String, _ action: LedgerAction) -> String {
        "The ledger \(path) cannot be \(action.rawValue)"
    }

    private static func advice(_ code: CInt) -> String {
        switch code {
        case EACCES, EPERM, EROFS: ". Make it writable for bracketd, or set another directory under [storage]"
        case ENOSPC, EDQUOT: ". Free some space there"
        case EIO: ". The disk may be failing: check it"
        default: ""
        }
    }
}
