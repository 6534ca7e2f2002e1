import CSQLite
import Controller

/// The data that survives the daemon, in one SQLite file: shoots and their frames, settings to restore, cameras,
/// timings.
///
/// Only one thread at a time can use it. Every call can block on the disk.
package final class Ledger {
    /// The maximum number of shoots; a new shoot replaces the oldest. 10,000 shoots cover a busy year with at most
    /// about 50 MB.
    static let shootsMax = 10_000
    static let camerasMax = 100
    /// The maximum number of timings of all cameras, links and steps together.
    static let timingsMax = 4000
    static let listMax = 200
    /// The maximum time, in seconds, to wait for another process that has the file open. A process that only reads has
    /// finished by then.
    private static let busyMax: CInt = 1000
    /// The length of the log, in bytes, from which the next commit that nothing waits for empties it. A commit of a
    /// frame has two pages (its row and the count), so a shoot of 30 frames fits.
    static let logByteCountMax = 1 << 19
    /// The length of the log, in pages of 4 KiB, at which SQLite copies it within a commit. The copy takes several
    /// syncs. It happens only if no commit emptied the log before.
    private static let logPagesMax = 448

    private let file: LedgerFile
    private let clock: LedgerClock
    private let migrations: [String]
    private var database: Database?
    /// The last value set with `PRAGMA synchronous`.
    private var isSyncing = true
    /// The count of commits in a file beside the ledger. Nil: there is no such file, so a log that ends early is not
    /// detected.
    private var count: LedgerCount?
    /// Whether a write to the disk failed. Data that is only in the log may then be lost, even if later writes succeed.
    private var isDoubtful = false

    package convenience init(directory: String, clock: LedgerClock) {
        self.init(directory: directory, clock: clock, migrations: LedgerSchema.migrations)
    }

    /// - Parameter migrations: only tests use others than the standard ones.
    convenience init(directory: String, clock: LedgerClock, migrations: [String]) {
        self.init(LedgerFile(directory: directory), clock: clock, migrations: migrations)
    }

    private init(_ file: LedgerFile, clock: LedgerClock, migrations: [String]) {
        self.file = file
        self.clock = clock
        self.migrations = migrations
    }

    package var path: String { file.path }

    // MARK: Opening

    /// Opens or creates the file, and returns the state that the previous run left. It marks unfinished shoots as
    /// interrupted. If the file is damaged, it first moves the file aside.
    package func open() throws(LedgerFault) -> LedgerContents {
        close()
        do throws(LedgerFault) {
            return try openFile()
        } catch {
            close()
            guard error.damage != nil else { throw error }
        }
        // A read error can make an intact file seem damaged. So the file is read once more, from the disk.
        file.forgetCached()
        do throws(LedgerFault) {
            return try openFile()
        } catch {
            close()
            guard let damage = error.damage else { throw error }
            return try replaceFile(because: damage)
        }
    }

    private func replaceFile(because damage: String) throws(LedgerFault) -> LedgerContents {
        let notice = try file.moveAside(at: clock.now().wall, because: damage)
        do throws(LedgerFault) {
            var contents = try openFile()
            contents.notice = notice
            return contents
        } catch {
            close()
            throw LedgerFault("\(notice) \(error.sentence)")
        }
    }

    /// Copies the log into the file and closes the file.
    package func close() {
        guard database != nil else { return }
        // If the log cannot be copied now, its data stays in the log.
        database = nil
        count?.end()
        file.removeEmptyLog(andCount: count != nil)
        count = nil
    }

    private func openFile() throws(LedgerFault) -> LedgerContents {
        try file.prepare()
        (isSyncing, isDoubtful) = (true, false)
        database = try connect()
        return try use(.opened) { database in
            try check(database)
            // This is set before the first write, so that the file is never shorter than its log expects.
            try database.execute("PRAGMA journal_mode = WAL")
            try database.execute("PRAGMA wal_autocheckpoint = \(Self.logPagesMax)")
            try database.execute("PRAGMA journal_size_limit = 1048576")
            let version: Int = try database.value("PRAGMA user_version") ?? 0
            try LedgerSchema.migrate(database, from: version, by: migrations)
            let loss = try recordLoss(database)
            try database.inTransaction {
                try LedgerWriter(database).interruptOpenShoots()
            }
            try emptyLog(database)
            try beginCounting(database)
            try database.keepLogAtClose(false)
            defer { database.releaseMemory() }
            var contents = try LedgerReader(database).contents()
            if let loss {
                let sentence = loss.sentence(path: path, isInterrupted: contents.unfinished != nil)
                contents.notice = [sentence, contents.notice].compactMap(\.self).joined(separator: " ")
            }
            return contents
        }
    }

    // MARK: Restoring

    /// Restores a ledger that was moved aside, and moves the current one aside. If the file is damaged or not a ledger,
    /// this throws and changes nothing. No daemon may use the directory.
    ///
    /// - Returns: a sentence about the result.
    package static func restore(_ name: String, in directory: String, clock: LedgerClock) throws(LedgerFault) -> String
    {
        let old = LedgerFile(directory: directory, name: name)
        guard old.isMovedAside else { throw LedgerFault(DamageSentences.notMovedAside(old.path)) }
        let ledger = Ledger(old, clock: clock, migrations: LedgerSchema.migrations)
        do throws(LedgerFault) {
            try ledger.examine()
        } catch {
            throw LedgerFault(DamageSentences.notRestored(old.path, because: error))
        }
        let present = LedgerFile(directory: directory)
        let replaced = try present.replace(with: old, at: clock.now().wall)
        return DamageSentences.restored(old.path, replaced: replaced)
    }

    private func examine() throws(LedgerFault) {
        guard file.exists else { throw LedgerFault(DamageSentences.fileIsMissing) }
        try file.prepare()
        database = try connect()
        defer { close() }
        try use(.opened) { try check($0) }
    }

    private func connect() throws(LedgerFault) -> Database {
        do throws(DatabaseError) {
            let database = try Database(path: path, busyMax: Self.busyMax)
            // A damaged ledger closes without emptying its log. Otherwise SQLite would copy the readable part of the
            // log into the file and delete the log.
            try database.keepLogAtClose(true)
            // Only one process can open the file. A second daemon would mark the running shoot of the first one as
            // interrupted. This mode also needs no shared memory (wal.html, "Use of WAL Without Shared-Memory").
            try database.execute("PRAGMA locking_mode = EXCLUSIVE")
            try database.execute("PRAGMA synchronous = FULL")
            try database.execute("PRAGMA cache_size = -512")
            try database.execute("PRAGMA mmap_size = 0")
            return database
        } catch {
            throw LedgerFault(error, path: path, action: .opened)
        }
    }

    /// Throws if the file is damaged.
    ///
    /// It uses `integrity_check`, because `quick_check` does not compare tables with their indexes. The only index is
    /// small.
    private func check(_ database: Database) throws {
        let version: Int = try database.value("PRAGMA user_version") ?? 0
        let application: Int = try database.value("PRAGMA application_id") ?? 0
        if version == 0, try database.value("SELECT count(*) FROM sqlite_schema") == 0 { return }
        guard application == LedgerSchema.applicationID, 1...LedgerSchema.versionMax ~= version else {
            throw LedgerFault.damaged(path, DamageSentences.notALedger)
        }
        guard version <= migrations.count else {
            throw LedgerFault(LedgerSentences.newerVersion(path, version, supported: migrations.count))
        }
        let word: String = try database.value("PRAGMA integrity_check(1)") ?? ""
        guard word == "ok" else { throw LedgerFault.found(word, path: path) }
        if try !database.rows("SELECT 1 FROM pragma_foreign_key_check LIMIT 1").isEmpty {
            throw LedgerFault.damaged(path, DamageSentences.rowsAreMissing)
        }
    }

    // MARK: Writing and reading

    /// Writes all rows of the commit, or none if an error occurs.
    package func commit(_ commit: LedgerCommit) throws(LedgerFault) {
        do throws(LedgerFault) {
            try write(commit)
        } catch {
            isDoubtful = true
            throw error
        }
    }

    private func write(_ commit: LedgerCommit) throws(LedgerFault) {
        try use(.written) { database in
            try resync(database)
            try setSyncing(commit.isDurable, database)
            var number = 0
            // SQLite syncs only if it writes. The count is written with every commit, so a durable commit is always
            // synced.
            try database.inTransaction {
                let writer = LedgerWriter(database)
                try writer.write(commit.rows, wall: clock.reader())
                number = try writer.count(commit.rows)
            }
            count?.note(commit: number, isDurable: commit.isDurable, shoot: commit.rows.shoots.keys.max() ?? 0)
            if mayEmptyLog(after: commit) { try emptyLog(database) }
        }
    }

    /// Whether the log is emptied after a commit. This takes several syncs, and later commits wait for them. So it
    /// happens at the end of a shoot, or after a commit for which no frame and no press waits.
    private func mayEmptyLog(after commit: LedgerCommit) -> Bool {
        let shoots = commit.rows.shoots.values
        // A finished shoot must not stay in the log: one wrong bit in the log invalidates everything after it.
        if commit.isDurable { return shoots.contains { $0.outcome != nil } }
        return shoots.isEmpty && file.logByteCount > Self.logByteCountMax
    }

    /// Answers a query. A failure is an answer too.
    package func read(_ query: LedgerQuery) -> LedgerAnswer {
        do {
            return try use(.read) { database in try LedgerReader(database).answer(query) }
        } catch {
            return .failed(error.sentence)
        }
    }

    /// The sync level that SQLite reports (pragma.html, "synchronous"): 1 NORMAL, 2 FULL. Only tests use it.
    func synchronous() throws(LedgerFault) -> Int? {
        try use(.read) { try $0.value("PRAGMA synchronous") }
    }

    private func setSyncing(_ isOn: Bool, _ database: Database) throws {
        guard isSyncing != isOn else { return }
        try database.execute("PRAGMA synchronous = \(isOn ? "FULL" : "NORMAL")")
        isSyncing = isOn
    }

    /// After a failed sync the kernel may treat unwritten pages as written (fsync(2), "Errors"). So earlier commits are
    /// synced into the file itself before the next commit that depends on them.
    private func resync(_ database: Database) throws {
        guard isDoubtful else { return }
        try setSyncing(true, database)
        try Self.checkpoint(database)
        isDoubtful = false
    }

    /// Copies the log into the file. The log contains only commits. If the copy fails, they stay in the log.
    private func emptyLog(_ database: Database) throws {
        do {
            try Self.checkpoint(database)
        } catch is DatabaseError {
            isDoubtful = true
        }
    }

    private static func checkpoint(_ database: Database) throws {
        let isBusy: Int = try database.value("PRAGMA wal_checkpoint(TRUNCATE)") ?? 1
        guard isBusy == 0 else { throw DatabaseError(code: SQLITE_BUSY) }
    }

    // MARK: The count of commits

    /// Checks whether the log ended early. If so, keeps a copy of the log and records the loss.
    ///
    /// - Returns: the loss; nil: none.
    private func recordLoss(_ database: Database) throws -> LedgerLoss? {
        guard let record = LedgerCount.read(file.countPath) else { return nil }
        let (ledger, number, _) = try LedgerReader(database).commits()
        let expected = record.expected(boot: LedgerCount.bootID)
        guard record.ledger == ledger, expected > number else { return nil }
        let kept = file.keepLog(at: clock.now().wall)
        try database.inTransaction {
            try LedgerWriter(database).noteLoss(of: expected - number, shoot: record.shoot)
        }
        let last: Int = try database.value("SELECT max(id) FROM shoots") ?? 0
        return LedgerLoss(commits: expected - number, kept: last, begun: max(last, record.shoot), log: kept)
    }

    /// Begins to count. Call it after the loss was recorded, because the count is lower from here on.
    private func beginCounting(_ database: Database) throws {
        let (ledger, number, _) = try LedgerReader(database).commits()
        let last: Int = try database.value("SELECT max(id) FROM shoots") ?? 0
        let record = LedgerCount.Record(
            ledger: ledger,
            durable: number,
            committed: number,
            boot: LedgerCount.bootID,
            shoot: last
        )
        count = LedgerCount(path: file.countPath, record: record)
    }

    private func use<Value>(
        _ action: LedgerAction,
        _ body: (Database) throws -> Value
    ) throws(LedgerFault) -> Value {
        guard let database else { throw LedgerFault(LedgerSentences.notOpen(path, action)) }
        do {
            return try body(database)
        } catch {
            throw LedgerFault(error, path: path, action: action)
        }
    }
}

extension Ledger {
    package func perform(_ effect: LedgerEffect) -> LedgerEvent {
        do throws(LedgerFault) {
            switch effect {
            case .open: return .opened(try open())
            case .commit(let rows):
                try commit(rows)
                return .committed
            case .read(let id, let query): return .read(id, read(query))
            }
        } catch {
            if case .open = effect { return .unavailable(error.sentence) }
            return .failed(error.sentence)
        }
    }
}
