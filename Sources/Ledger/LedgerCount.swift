import Glibc

/// The number of commits that the ledger has had, in a small file beside the ledger.
///
/// SQLite ends the log at the first frame with a wrong checksum and reports nothing. So one flipped bit discards all
/// later commits. The ledger counts its commits in a table, and this file has the minimum of that count. The file is
/// written after the commit and never synced, so its count can only be too low.
struct LedgerCount {
    struct Record: Equatable {
        /// The ledger's random number, as hexadecimal digits.
        var ledger: String
        /// The number of commits that survive a power cut.
        var durable: Int
        /// The number of commits that survive the end of the process. It is valid until the system restarts.
        var committed: Int
        /// The id of the system's boot during which the file was written; see `bootID`.
        var boot: String
        /// The highest number of a shoot in the ledger.
        var shoot: Int

        /// The number of commits that the ledger must have when it is opened during the given boot.
        func expected(boot: String) -> Int { boot == self.boot && !boot.isEmpty ? max(durable, committed) : durable }
    }

    private static let mark = "bracketd-ledger-count-1"
    private static let sizeMax = 512

    private(set) var record: Record
    private let file: CInt

    /// Opens or creates the file. Nil if that fails; commits are then not counted.
    init?(path: String, record: Record) {
        let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        var file = open(path, O_RDWR | O_CREAT | O_EXCL | flags, 0o600)
        if file < 0, errno == EEXIST { file = open(path, O_RDWR | flags) }
        guard file >= 0 else { return nil }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            close(file)
            return nil
        }
        (self.file, self.record) = (file, record)
        write()
    }

    /// Reads the file. Nil if the file is missing or damaged.
    static func read(_ path: String) -> Record? {
        guard let text = text(of: path, sizeMax: sizeMax) else { return nil }
        let words = text.prefix { $0 != "\n" }.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 7, words[0] == mark, let durable = Int(words[2]), let committed = Int(words[3]),
            let shoot = Int(words[5]), durable >= 0, committed >= 0, shoot >= 0
        else { return nil }
        let record = Record(
            ledger: String(words[1]),
            durable: durable,
            committed: committed,
            boot: String(words[4]),
            shoot: shoot
        )
        return line(record) == "\(words.joined(separator: " "))\n" ? record : nil
    }

    /// The id of the system's boot (random(4), boot_id); empty if unknown.
    static var bootID: String {
        text(of: "/proc/sys/kernel/random/boot_id", sizeMax: 64).map { String($0.prefix { $0 != "\n" }) } ?? ""
    }

    mutating func note(commit number: Int, isDurable: Bool, shoot: Int) {
        record.committed = number
        if isDurable { record.durable = number }
        record.shoot = max(record.shoot, shoot)
        write()
    }

    /// Writes the file. If that fails, the count in the file is too low, which is harmless.
    private func write() {
        let bytes = Array(Self.line(record).utf8)
        _ = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
    }

    func end() { close(file) }

    private static func line(_ record: Record) -> String {
        let words = "\(mark) \(record.ledger) \(record.durable) \(record.committed) \(record.boot) \(record.shoot)"
        // The hash is FNV-1a. With it, a flipped bit in this file does not count as a loss.
        let hash = words.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(words) \(String(hash, radix: 16))\n"
    }

    private static func text(of path: String, sizeMax: Int) -> String? {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: sizeMax)
        let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
