import Foundation

/// The ledger's file and its write-ahead log, both as they were at one moment.
///
/// SQLite cannot make the copy, because the daemon holds the file exclusively (see `Ledger`), and a damaged file may
/// not be readable. So the bytes are read, and read again after a change that would not fit together.
struct LedgerCopy {
    /// The suffix of SQLite's log in WAL mode (tempfiles.html, 2.2).
    static let logSuffix = "-wal"
    /// The header of the log, whose salts change whenever the log restarts (fileformat2.html, 4.1).
    private static let logHeaderSize = 32
    private static let attemptsMax = 20

    var file: [UInt8]
    var log: [UInt8]?

    /// Reads the file, then the log. Pages copied from the log into the file between the two are in both, unless the
    /// log restarted; then both are read again.
    ///
    /// - Parameter byteCountMax: the limit for each.
    init(path: String, byteCountMax: Int) throws(PartError) {
        for _ in 0..<Self.attemptsMax {
            let before = try Self.read(path + Self.logSuffix, byteCountMax)
            guard let file = try Self.read(path, byteCountMax) else {
                throw PartError(reason: BundleSentences.doesNotExist)
            }
            let log = try Self.read(path + Self.logSuffix, byteCountMax)
            // Whether the log restarted while it was being read.
            let after = try Self.read(path + Self.logSuffix, byteCountMax)
            let headers = Set([before, log, after].map { ($0 ?? []).prefix(Self.logHeaderSize) })
            guard headers.count == 1, (before?.count ?? 0) <= (log?.count ?? 0) else { continue }
            if log?.isEmpty != false {
                // Without a log, two equal readings prove that the file is consistent.
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
