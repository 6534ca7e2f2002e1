import Foundation

/// The ledger's file and the log of its changes beside it, as they were at one moment: together they are the ledger,
/// whatever reads them.
///
/// SQLite cannot be asked for a copy: the daemon has the file for itself (see `Ledger`), and of a damaged one there is
/// none to be had. So the bytes are read, and read again when they changed in a way that would not fit together.
struct LedgerCopy {
    /// What SQLite puts beside a file in WAL mode (tempfiles.html, 2.2).
    static let logSuffix = "-wal"
    /// The header of the log, whose salts are new whenever the log begins anew (fileformat2.html, 4.1).
    private static let logHeaderSize = 32
    private static let attemptsMax = 20

    var file: [UInt8]
    /// nil: there is none.
    var log: [UInt8]?

    /// Reads both. The log after the file: what was brought from the log into the file meanwhile is then in both, and
    /// the same; unless the log began anew in between, for then it is in neither for certain.
    ///
    /// - Parameter byteCountMax: of each.
    init(path: String, byteCountMax: Int) throws(FileToPack.Trouble) {
        for _ in 0..<Self.attemptsMax {
            let before = try Self.read(path + Self.logSuffix, byteCountMax)
            guard let file = try Self.read(path, byteCountMax) else {
                throw FileToPack.Trouble(reason: "there is none")
            }
            let log = try Self.read(path + Self.logSuffix, byteCountMax)
            // Whether the log began anew while it was read itself.
            let after = try Self.read(path + Self.logSuffix, byteCountMax)
            let headers = Set([before, log, after].map { ($0 ?? []).prefix(Self.logHeaderSize) })
            guard headers.count == 1, (before?.count ?? 0) <= (log?.count ?? 0) else { continue }
            if log?.isEmpty != false {
                // Without a log the file alone has to be of one moment.
                let again = try Self.read(path, byteCountMax)
                guard file == again else { continue }
            }
            (self.file, self.log) = (file, log)
            return
        }
        throw FileToPack.Trouble(reason: "it changed all the time while it was read")
    }

    private static func read(_ path: String, _ byteCountMax: Int) throws(FileToPack.Trouble) -> [UInt8]? {
        try FileToPack(path)?.content(sizeMax: byteCountMax)
    }
}
