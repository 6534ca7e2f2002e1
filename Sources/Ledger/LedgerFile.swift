import Glibc

/// The path of the ledger, and operations on the whole file.
struct LedgerFile {
    static let name = "ledger.sqlite"
    /// The maximum number of damaged files, and of replaced files. When there are more, the oldest ones are removed.
    static let damagedMax = 10
    /// The minimum size of a database (fileformat2.html, "The Database Header").
    private static let pageSizeMin = 512
    private static let damagedPrefix = "ledger-damaged-"
    private static let replacedPrefix = "ledger-replaced-"
    /// The suffixes of the files that SQLite creates beside a database (tempfiles.html).
    private static let companions = ["-wal", "-shm", "-journal", countSuffix]
    private static let countSuffix = "-count"

    let directory: String
    var name = Self.name

    var path: String { "\(directory)/\(name)" }

    /// Whether the file has a name that ``moveAside(at:because:)`` or ``replace(with:at:)`` gave.
    var isMovedAside: Bool {
        [Self.damagedPrefix, Self.replacedPrefix].contains { name.hasPrefix($0) } && name.hasSuffix(".sqlite")
            && !name.contains("/")
    }

    var exists: Bool { exists(name) }

    var countPath: String { path + Self.countSuffix }

    var logByteCount: Int { size(of: path + "-wal") }

    /// Checks that the file can be read and written. If it is missing, creates it, because SQLite would create it
    /// readable for all users. The errors are also more exact than SQLite's.
    func prepare() throws(LedgerFault) {
        let status = try fileStatus()
        // SQLite also creates files in the same directory.
        for path in [path, directory] where access(path, W_OK) != 0 && errno != ENOENT {
            throw LedgerFault(path: self.path, action: .written, code: errno)
        }
        // A file is synced before the first write to its log. So an empty file with a log has lost its content.
        if status.st_size == 0, size(of: path + "-wal") > 0 {
            throw LedgerFault.damaged(path, DamageSentences.emptyBesideLog)
        }
        // SQLite treats such a short file as new and overwrites it.
        if 1..<Self.pageSizeMin ~= Int(status.st_size) {
            throw LedgerFault.damaged(path, DamageSentences.truncated(to: Int(status.st_size)))
        }
        // SQLite reads the missing end of the last page as zeros, so rows would change unnoticed. A log or a journal
        // with content may have the whole page.
        let isAlone = size(of: path + "-wal") == 0 && size(of: path + "-journal") == 0
        if isAlone, let pageSize, Int(status.st_size) % pageSize != 0 {
            throw LedgerFault.damaged(path, DamageSentences.truncated(to: Int(status.st_size)))
        }
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file < 0 {
            guard errno == EEXIST else { throw LedgerFault(path: path, action: .created, code: errno) }
            return
        }
        close(file)
        try sync()
    }

    /// The size of a page in bytes; nil: the file does not begin like a database (fileformat2.html, "The Database
    /// Header").
    private var pageSize: Int? {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var header = [UInt8](repeating: 0, count: 18)
        guard header.withUnsafeMutableBytes({ read(file, $0.baseAddress, $0.count) }) == header.count,
            header.prefix(16).elementsEqual("SQLite format 3\0".utf8)
        else { return nil }
        let number = Int(header[16]) << 8 | Int(header[17])
        // The size 65536 does not fit into two bytes.
        let size = number == 1 ? 65_536 : number
        return size >= Self.pageSizeMin ? size : nil
    }

    /// The status of the file; zeros if missing. Throws unless the file and its companions are regular files: a link
    /// could lead to any file of the system, and opening a pipe blocks.
    private func fileStatus() throws(LedgerFault) -> stat {
        var status = stat()
        // The ledger itself comes last, so that `status` is its status.
        for companion in Self.companions + [""] {
            status = stat()
            guard lstat(path + companion, &status) == 0 else {
                guard errno == ENOENT else { throw LedgerFault(path: path, action: .opened, code: errno) }
                continue
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw LedgerFault(LedgerSentences.notARegularFile(path, companion: companion))
            }
        }
        return status
    }

    /// Removes the file from the page cache, so that the next read comes from the disk.
    func forgetCached() {
        for companion in Self.companions + [""] {
            let descriptor = open(path + companion, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
            close(descriptor)
        }
    }

    /// Removes an empty write-ahead log, and on request also the file with the count of commits. An empty log has no
    /// commit, so nothing is lost.
    func removeEmptyLog(andCount: Bool) {
        guard size(of: path + "-wal") == 0 else { return }
        unlink(path + "-wal")
        if andCount { unlink(countPath) }
    }

    /// Copies the log, because SQLite will overwrite the part that it cannot read.
    ///
    /// - Returns: the name of the copy; nil: none.
    func keepLog(at wall: Int64) -> String? {
        let name = freeName(Self.damagedPrefix, at: wall) + "-wal"
        let log = open(path + "-wal", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard log >= 0 else { return nil }
        defer { close(log) }
        let copy = open("\(directory)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard copy >= 0 else { return nil }
        defer { close(copy) }
        // The log is emptied after this. So a copy that is incomplete or not synced is of no use.
        guard Self.copy(log, to: copy), fsync(copy) == 0, (try? sync()) != nil else {
            unlink("\(directory)/\(name)")
            return nil
        }
        _ = removeOldest(Self.damagedPrefix, but: String(name.dropLast("-wal".utf8.count)))
        return name
    }

    private static func copy(_ log: CInt, to copy: CInt) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(log, $0.baseAddress, $0.count) }
            guard count > 0 else { return count == 0 }
            guard buffer.withUnsafeBytes({ write(copy, $0.baseAddress, count) }) == count else { return false }
        }
    }

    /// Moves the damaged files aside, and never overwrites a file.
    ///
    /// - Returns: a sentence for the user.
    func moveAside(at wall: Int64, because reason: String) throws(LedgerFault) -> String {
        let name = freeName(Self.damagedPrefix, at: wall)
        try move(to: name, action: .movedAsideDamaged)
        let removed = removeOldest(Self.damagedPrefix, but: name)
        return DamageSentences.movedAside(self, to: name, because: reason, removed: removed)
    }

    /// Moves the file aside if it exists, and moves another one into its place.
    ///
    /// - Returns: the new name of the old file; nil: none.
    func replace(with other: LedgerFile, at wall: Int64) throws(LedgerFault) -> String? {
        var kept: String?
        if ([""] + Self.companions).contains(where: { exists(name + $0) }) {
            let name = freeName(Self.replacedPrefix, at: wall)
            try move(to: name, action: .movedAside)
            _ = removeOldest(Self.replacedPrefix, but: name)
            kept = name
        }
        try other.move(to: name, action: .restored)
        return kept
    }

    private func move(to newName: String, action: LedgerAction) throws(LedgerFault) {
        // The log is moved first: a ledger without its log is only older, but a log without its ledger is useless.
        for companion in Self.companions + [""] where exists(name + companion) {
            guard rename(path + companion, "\(directory)/\(newName)\(companion)") == 0 else {
                throw LedgerFault(path: path + companion, action: action, code: errno)
            }
        }
        try sync()
    }

    /// A free name. If a file with this second in its name exists, the name gets a number higher than all others, so
    /// that names sort by age.
    private func freeName(_ prefix: String, at wall: Int64) -> String {
        let base = prefix + Self.stamp(wall)
        let numbers = kept(prefix).filter { $0.hasPrefix(base) }.map { name in
            Int(name.dropFirst(base.utf8.count + 1).prefix { $0 != "." }) ?? 1
        }
        return numbers.max().map { "\(base)-\($0 + 1).sqlite" } ?? "\(base).sqlite"
    }

    /// - Parameter name: the file to keep. Other files can have later times, if the clock was set back.
    private func removeOldest(_ prefix: String, but name: String) -> Int {
        let old = kept(prefix).filter { $0 != name }.dropLast(Self.damagedMax - 1)
        for name in old {
            for companion in Self.companions + [""] { unlink("\(directory)/\(name)\(companion)") }
        }
        return old.count
    }

    /// The files that were moved aside, oldest first. A name is included even if only its log exists.
    private func kept(_ prefix: String) -> [String] {
        guard let listing = opendir(directory) else { return [] }
        defer { closedir(listing) }
        var names: Set<String> = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            let companion = Self.companions.first { name.hasSuffix($0) } ?? ""
            let file = String(name.dropLast(companion.count))
            if file.hasPrefix(prefix), file.hasSuffix(".sqlite") { names.insert(file) }
        }
        // `-2.sqlite` is later than `.sqlite` of the same second.
        let stampedLength = prefix.utf8.count + 15
        return names.sorted { left, right in
            let (leftStamp, rightStamp) = (left.prefix(stampedLength), right.prefix(stampedLength))
            return (leftStamp, left.utf8.count, left) < (rightStamp, right.utf8.count, right)
        }
    }

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

    /// Syncs the directory, so that the new names of files survive a power cut.
    private func sync() throws(LedgerFault) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LedgerFault(path: path, action: .written, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw LedgerFault(path: path, action: .written, code: errno) }
    }
}
