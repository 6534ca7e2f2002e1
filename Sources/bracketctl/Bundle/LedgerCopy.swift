/// A copy of the ledger's file and of its write-ahead log, both from the same moment.
///
/// SQLite cannot make the copy, because the daemon has locked the file (see `Ledger`). SQLite also cannot read some
/// damaged files. So both files are read as bytes, and read again after a change made the copies inconsistent.
struct LedgerCopy {
    /// The suffix of SQLite's log in WAL mode (tempfiles.html, 2.2).
    static let logSuffix = "-wal"
    /// The length of the log's header. Its salts change whenever the log restarts (fileformat2.html, 4.1).
    private static let logHeaderSize = 32
    private static let attemptsMax = 20

    var file: [UInt8]
    var log: [UInt8]?

    /// Reads the file and then the log. If SQLite moves pages from the log into the file between the two reads, the log
    /// still has these pages, unless the log restarted. After a restart of the log, both are read again.
    ///
    /// - Parameter byteCountMax: The maximum number of bytes of each file.
    init(path: String, byteCountMax: Int) throws(PartError) {
        for _ in 0..<Self.attemptsMax {
            let before = try Self.read(path + Self.logSuffix, byteCountMax)
            guard let file = try Self.read(path, byteCountMax) else {
                throw PartError(reason: BundleSentences.doesNotExist)
            }
            let log = try Self.read(path + Self.logSuffix, byteCountMax)
            // A third copy of the log shows whether the log restarted while the second copy was made.
            let after = try Self.read(path + Self.logSuffix, byteCountMax)
            let headers = Set([before, log, after].map { ($0 ?? []).prefix(Self.logHeaderSize) })
            guard headers.count == 1, (before?.count ?? 0) <= (log?.count ?? 0) else { continue }
            if log?.isEmpty != false {
                // Without a log, two equal copies show that the file is consistent.
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
