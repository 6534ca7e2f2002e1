import Glibc
import Ledger

/// Restores a ledger that was moved aside. No daemon must run at the same time.
package enum LedgerRestoring {
    /// - Parameter path: the moved file, such as `/var/lib/bracketd/ledger-damaged-20261122-103000.sqlite`.
    /// - Returns: a sentence that says what was done.
    package static func restore(_ path: String) throws -> String {
        let absolute = path.hasPrefix("/") ? path : "\(currentDirectory())/\(path)"
        let slash = absolute.lastIndex(of: "/") ?? absolute.startIndex
        let directory = slash > absolute.startIndex ? String(absolute[..<slash]) : "/"
        guard access(directory, F_OK) == 0 else {
            throw StorageError(path: directory, action: .use, reason: "\(SystemError.last)")
        }
        let lock = try StorageDirectory(path: directory).lock()
        let clock = LedgerClock { (Int64(time(nil)) * 1000, .zero) }
        let sentence = try Ledger.restore(String(absolute[slash...].dropFirst()), in: directory, clock: clock)
        return withExtendedLifetime(lock) { sentence }
    }

    private static func currentDirectory() -> String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }
}
