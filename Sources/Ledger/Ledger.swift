import CSQLite
import Controller
import GRDB

/// The data that survives the daemon, in one SQLite file: shoots and their frames, settings to restore, cameras,
/// timings.
///
/// Used from one thread at a time. Every call may block on the disk.
package final class Ledger {
    /// The number of shoots to keep; a new one replaces the oldest. This covers a busy year with at most about 50 MB.
    static let shootsMax = 10_000
    static let camerasMax = 100
    /// The maximum number of timings of all cameras, links and steps together.
    static let timingsMax = 4000
    static let listMax = 200
    /// The maximum wait for another process that has the file open, in seconds. A process that only reads has finished
    /// by then.
    private static let busyMax = 1.0

    private let file: LedgerFile
    private let clock: LedgerClock
    private let migrations: [String]
    private var queue: DatabaseQueue?
    /// The last value set with `PRAGMA synchronous`.
    private var isSyncing = true
    /// The count of commits beside the file; nil: none, and a log that ends early is not detected.
    private var count: LedgerCount?
    /// Whether a write to the disk failed. Then data that is only in the log may be lost, even if later writes succeed.
    private var isDoubtful = false

    package convenience init(directory: String, clock: LedgerClock) {
        self.init(directory: directory, clock: clock, migrations: LedgerSchema.migrations)
    }

    /// - Parameter migrations: replaced in tests only.
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

    /// Opens or creates the file, and returns the state that the previous run left. Marks shoots that were left open as
    /// interrupted. Moves a damaged file aside first.
    package func open() throws(LedgerFault) -> LedgerContents {
        close()
        do throws(LedgerFault) {
            return try openFile()
        } catch {
            close()
            guard error.damage != nil else { throw error }
        }
        // One failed read of a sound file can resemble damage. The file is read once more, from the disk.
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

    /// Closes the file after its log was copied into it.
    package func close() {
        guard let queue else { return }
        // Data that cannot be written now stays in the log.
        try? queue.close()
        self.queue = nil
        count?.end()
        file.removeEmptyLog(andCount: count != nil)
        count = nil
    }

    private func openFile() throws(LedgerFault) -> LedgerContents {
        try file.prepare()
        (isSyncing, isDoubtful) = (true, false)
        let queue = try connect()
        self.queue = queue
        return try use(.opened) { database in
            try check(database)
            // Set before the first write, so that the file is never shorter than its log expects.
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            // In pages: half a megabyte. A commit has two pages (its row and the count), and a whole shoot fits.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 128")
            try database.execute(sql: "PRAGMA journal_size_limit = 1048576")
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            try LedgerSchema.migrate(database, from: version, by: migrations)
            let loss = try recordLoss(database)
            try database.inTransaction(.immediate) {
                try LedgerWriter(database).interruptOpenShoots()
                return .commit
            }
            try emptyLog(database)
            try beginCounting(database)
            try Self.keepLogAtClose(false, database)
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

    /// Restores a ledger that was moved aside, and moves the current one aside. Refuses a damaged file or one that is
    /// not a ledger, and then changes nothing. The directory must not be in use by a daemon.
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
        queue = try connect()
        defer { close() }
        try use(.opened) { try check($0) }
    }

    /// Sets whether SQLite leaves the log as it is at close. A damaged ledger is closed this way, else SQLite would
    /// copy the readable part of its log into the file and delete the log.
    private static func keepLogAtClose(_ keeps: Bool, _ database: Database) throws {
        let code = csqlite_keep_log_at_close(database.sqliteConnection, keeps ? 1 : 0)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    private func connect() throws(LedgerFault) -> DatabaseQueue {
        do {
            return try DatabaseQueue(path: path, configuration: Self.configuration)
        } catch {
            throw LedgerFault(error, path: path, action: .opened)
        }
    }

    private static var configuration: GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(busyMax)
        configuration.label = "ledger"
        configuration.prepareDatabase { database in
            try keepLogAtClose(true, database)
            // Only one process opens the file: a second daemon would take the first one's shoot for an interrupted one.
            // This mode also needs no shared memory (wal.html, "Use of WAL Without Shared-Memory").
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA cache_size = -512")
            try database.execute(sql: "PRAGMA mmap_size = 0")
        }
        return configuration
    }

    /// Throws if the file is damaged.
    ///
    /// Uses `integrity_check` rather than `quick_check`, which does not compare tables with their indexes. The only
    /// index is small.
    private func check(_ database: Database) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        if version == 0, try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0 { return }
        guard application == LedgerSchema.applicationID, 1...LedgerSchema.versionMax ~= version else {
            throw LedgerFault.damaged(path, DamageSentences.notALedger)
        }
        guard version <= migrations.count else {
            throw LedgerFault(LedgerSentences.newerVersion(path, version, supported: migrations.count))
        }
        let word = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? ""
        guard word == "ok" else { throw LedgerFault.found(word, path: path) }
        if try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") != nil {
            throw LedgerFault.damaged(path, DamageSentences.rowsAreMissing)
        }
    }

    // MARK: Writing and reading

    /// Writes all rows or none.
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
            // SQLite syncs only if it writes. The count is always written, so a durable commit is always synced.
            try database.inTransaction(.immediate) {
                let writer = LedgerWriter(database)
                try writer.write(commit.rows, wall: clock.reader())
                number = try writer.count(commit.rows)
                return .commit
            }
            count?.note(commit: number, isDurable: commit.isDurable, shoot: commit.rows.shoots.keys.max() ?? 0)
            // A finished shoot must not stay in the log, where one wrong bit invalidates everything after it.
            if commit.isDurable, commit.rows.shoots.values.contains(where: { $0.outcome != nil }) {
                try emptyLog(database)
            }
        }
    }

    /// Answers a query. The answer reports a failure.
    package func read(_ query: LedgerQuery) -> LedgerAnswer {
        do {
            return try use(.read) { database in try LedgerReader(database).answer(query) }
        } catch {
            return .failed(error.sentence)
        }
    }

    /// The level that SQLite reports for its syncs (pragma.html, "synchronous"): 1 NORMAL, 2 FULL. For tests.
    func synchronous() throws(LedgerFault) -> Int? {
        try use(.read) { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }

    private func setSyncing(_ isOn: Bool, _ database: Database) throws {
        guard isSyncing != isOn else { return }
        try database.execute(sql: "PRAGMA synchronous = \(isOn ? "FULL" : "NORMAL")")
        isSyncing = isOn
    }

    /// After a failed sync the kernel may treat unwritten pages as written (fsync(2), "Errors"). So earlier commits are
    /// synced into the file itself before any commit that depends on them.
    private func resync(_ database: Database) throws {
        guard isDoubtful else { return }
        try setSyncing(true, database)
        try Self.checkpoint(database)
        isDoubtful = false
    }

    /// Copies the log into the file. The log has only commits; if the copy fails, they stay in the log.
    private func emptyLog(_ database: Database) throws {
        do {
            try Self.checkpoint(database)
        } catch is DatabaseError {
            isDoubtful = true
        }
    }

    private static func checkpoint(_ database: Database) throws {
        let isBusy = try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? 1
        guard isBusy == 0 else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
    }

    // MARK: The count of commits

    /// Detects a log that ended early. Then keeps a copy of the log and records the loss.
    ///
    /// - Returns: the loss; nil: none.
    private func recordLoss(_ database: Database) throws -> LedgerLoss? {
        guard let record = LedgerCount.read(file.countPath) else { return nil }
        let (ledger, number, _) = try LedgerReader(database).commits()
        let expected = record.expected(boot: LedgerCount.bootID)
        guard record.ledger == ledger, expected > number else { return nil }
        let kept = file.keepLog(at: clock.now().wall)
        try database.inTransaction(.immediate) {
            try LedgerWriter(database).noteLoss(of: expected - number, shoot: record.shoot)
            return .commit
        }
        let last = try Int.fetchOne(database, sql: "SELECT max(id) FROM shoots") ?? 0
        return LedgerLoss(commits: expected - number, kept: last, begun: max(last, record.shoot), log: kept)
    }

    /// Called after the loss was recorded, because the count is lower from here on.
    private func beginCounting(_ database: Database) throws {
        let (ledger, number, _) = try LedgerReader(database).commits()
        let last = try Int.fetchOne(database, sql: "SELECT max(id) FROM shoots") ?? 0
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
        guard let queue else { throw LedgerFault(LedgerSentences.notOpen(path, action)) }
        do {
            return try queue.inDatabase(body)
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
