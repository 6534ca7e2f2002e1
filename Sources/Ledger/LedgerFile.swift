import GRDB
import Glibc

/// Where the ledger is, and what is done with the file as a whole.
struct LedgerFile {
    static let name = "ledger.sqlite"
    /// Damaged ones that are kept; the oldest of more are removed.
    static let damagedMax = 10
    /// No database is smaller (fileformat2.html, "The Database Header").
    private static let pageSizeMin = 512
    private static let damagedPrefix = "ledger-damaged-"
    /// What SQLite puts beside a file (tempfiles.html).
    private static let companions = ["-wal", "-shm", "-journal"]

    let directory: String

    var path: String { "\(directory)/\(Self.name)" }

    /// By what it is seen that the log was written.
    struct Log: Equatable {
        var size: Int
        var seconds: Int
        var nanoseconds: Int
    }

    var log: Log {
        var status = stat()
        guard stat(path + "-wal", &status) == 0 else { return Log(size: 0, seconds: 0, nanoseconds: 0) }
        return Log(size: Int(status.st_size), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }

    /// Looks whether the file, or one in its place, can be had at all, and makes it where there is none: SQLite alone
    /// would make it for all to read, and says less.
    func prepare() throws(LedgerFault) {
        let status = try fileStatus()
        // SQLite makes what it needs beside the file.
        for path in [path, directory] where access(path, W_OK) != 0 && errno != ENOENT {
            throw LedgerFault(path: self.path, action: "written", code: errno)
        }
        // The file is on disk before anything is in the log beside it, so the log cannot be without it.
        if status.st_size == 0, size(of: path + "-wal") > 0 {
            throw LedgerFault.damaged(path, "it is empty, and the log of its changes is not")
        }
        // SQLite takes it for a new one, and writes over it.
        if 1..<Self.pageSizeMin ~= Int(status.st_size) {
            throw LedgerFault.damaged(path, "it was cut off after \(status.st_size) bytes")
        }
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file < 0 {
            guard errno == EEXIST else { throw LedgerFault(path: path, action: "made", code: errno) }
            return
        }
        close(file)
        try sync()
    }

    /// How the file stands; zeros where there is none. Refuses what is no file, also beside it: a link could lead to any
    /// file of the system, and a pipe is waited for.
    private func fileStatus() throws(LedgerFault) -> stat {
        var status = stat()
        // The file itself last.
        for companion in Self.companions + [""] {
            status = stat()
            guard lstat(path + companion, &status) == 0 else {
                guard errno == ENOENT else { throw LedgerFault(path: path, action: "opened", code: errno) }
                continue
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                let place = companion.isEmpty ? "its place" : "the place of \(path)\(companion)"
                throw LedgerFault("The ledger \(path) cannot be opened: something else is in \(place). Move it away.")
            }
        }
        return status
    }

    /// Moves what is damaged out of the way, never over anything.
    ///
    /// - Returns: what a person should know.
    func moveAside(at wall: Int64, because reason: String) throws(LedgerFault) -> String {
        let name = freeName(Self.damagedPrefix + Self.stamp(wall))
        // The log first: a ledger without it is older, the log without a ledger is nothing.
        for companion in Self.companions + [""] where exists(Self.name + companion) {
            guard rename(path + companion, "\(directory)/\(name)\(companion)") == 0 else {
                throw LedgerFault(path: path + companion, action: "moved aside, and is damaged", code: errno)
            }
        }
        try sync()
        let removed = removeOldest(but: name)
        return """
            The ledger \(path) was damaged (\(reason)) and is kept as \(name); a new one is begun. The history, the \
            shoot that was not complete and settings to be put back are in the old one only.
            """ + (removed > 0 ? " Older damaged ones were removed: \(removed); \(Self.damagedMax) are kept." : "")
    }

    /// With a number where the second has one already: greater than any, so that later ones are known by it.
    private func freeName(_ base: String) -> String {
        let numbers = damaged.filter { $0.hasPrefix(base) }.map { name in
            Int(name.dropFirst(base.utf8.count + 1).prefix { $0 != "." }) ?? 1
        }
        return numbers.max().map { "\(base)-\($0 + 1).sqlite" } ?? "\(base).sqlite"
    }

    /// - Parameter name: what stays, though the clock was set back and others have later times.
    private func removeOldest(but name: String) -> Int {
        let old = damaged.filter { $0 != name }.dropLast(Self.damagedMax - 1)
        for name in old {
            for companion in Self.companions + [""] { unlink("\(directory)/\(name)\(companion)") }
        }
        return old.count
    }

    /// The oldest first; also those of which there is only the log.
    private var damaged: [String] {
        guard let listing = opendir(directory) else { return [] }
        defer { closedir(listing) }
        var names: Set<String> = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            let companion = Self.companions.first { name.hasSuffix($0) } ?? ""
            let file = String(name.dropLast(companion.count))
            if file.hasPrefix(Self.damagedPrefix), file.hasSuffix(".sqlite") { names.insert(file) }
        }
        // `-2.sqlite` comes after `.sqlite` of the same second.
        return names.sorted { left, right in
            let (leftStamp, rightStamp) = (left.prefix(Self.stampedLength), right.prefix(Self.stampedLength))
            return (leftStamp, left.utf8.count, left) < (rightStamp, right.utf8.count, right)
        }
    }

    private static let stampedLength = damagedPrefix.utf8.count + 15

    /// `YYYYMMDD-HHMMSS`, in UTC.
    private static func stamp(_ wall: Int64) -> String {
        var seconds = time_t(wall / 1000)
        var date = tm()
        gmtime_r(&seconds, &date)
        func digits(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(1900 + date.tm_year)\(digits(date.tm_mon + 1))\(digits(date.tm_mday))-"
            + "\(digits(date.tm_hour))\(digits(date.tm_min))\(digits(date.tm_sec))"
    }

    private func exists(_ name: String) -> Bool {
        var status = stat()
        return lstat("\(directory)/\(name)", &status) == 0
    }

    private func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Makes the names in the directory durable.
    private func sync() throws(LedgerFault) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LedgerFault(path: path, action: "written", code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw LedgerFault(path: path, action: "written", code: errno) }
    }
}
