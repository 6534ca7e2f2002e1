import Foundation

/// A copy of the ledger's file and of its write-ahead log, both from the same moment.
///
/// SQLite cannot make the copy, because the daemon has locked the file (see `Ledger`). A damaged file may not be
/// readable with SQLite. So both files are read as bytes. They are read again if a change made them inconsistent.
struct LedgerCopy {
    /// The suffix of SQLite's log in WAL mode (tempfiles.html, 2.2).
    static let logSuffix = "-wal"
    /// The length of the log's header. Its salts change whenever the log restarts (fileformat2.html, 4.1).
    private static let logHeaderSize = 32
    private static let attemptsMax = 20

    var file: [UInt8]
    var log: [UInt8]?

    /// Reads the file and then the log. SQLite may copy pages from the log into the file between the two readings. Both
    /// copies then have these pages, unless the log restarted. After a restart both are read again.
    ///
    /// - Parameter byteCountMax: The most bytes of each file.
    init(path: String, byteCountMax: Int) throws(PartError) {
        for _ in 0..<Self.attemptsMax {
            let before = try Self.read(path + Self.logSuffix, byteCountMax)
            guard let file = try Self.read(path, byteCountMax) else {
                throw PartError(reason: BundleSentences.doesNotExist)
            }
            let log = try Self.read(path + Self.logSuffix, byteCountMax)
            // This reading shows whether the log restarted during the first reading.
            let after = try Self.read(path + Self.logSuffix, byteCountMax)
            let headers = Set([before, log, after].map { ($0 ?? []).prefix(Self.logHeaderSize) })
            guard headers.count == 1, (before?.count ?? 0) <= (log?.count ?? 0) else { continue }
            if log?.isEmpty != false {
                // Without a log, two equal readings show that the file is consistent.
                let again = try Self.read(path, byteCountMax)
                guard file == again else { continue }
            }
            (self.file, self.log) = (file, log)
            return
        }
        throw PartError(reason: BundleSentences.alwaysChanged)
    }

    private static func read(_ path: String, _ byteCountMax: Int) throws(PartError) -> [UInt8]? {
        try FileToPack(path)?.content(sizeMax: byteCountMax)
    }
}
