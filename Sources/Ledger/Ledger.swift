import CSQLite
import Controller
import GRDB

/// What outlives the daemon, in one SQLite file: shoots and their frames, settings to be put back, cameras, timings.
///
/// Used from one thread at a time. Every call may wait for the disk.
package final class Ledger {
    /// Shoots that are kept; with a new one the oldest goes. A busy year, and some 50 MB at most.
    static let shootsMax = 10_000
    static let camerasMax = 100
    /// Of all cameras, links and steps together.
    static let timingsMax = 4000
    /// Shoots in one answer.
    static let listMax = 200
    /// How long to wait for another process that has the file, in seconds: one that only looks in is done by then.
    private static let busyMax = 1.0

    private let file: LedgerFile
    private let clock: LedgerClock
    private let migrations: [String]
    private var queue: DatabaseQueue?
    /// What `PRAGMA synchronous` was set to.
    private var isSyncing = true
    /// The count of commits beside the file; nil: there is none, and a log that ends early is not noticed.
    private var count: LedgerCount?
    /// Whether the disk has failed to write: then what is only in its log may be lost, whatever it says afterwards.
    private var isDoubtful = false

    package convenience init(directory: String, clock: LedgerClock) {
        self.init(directory: directory, clock: clock, migrations: LedgerSchema.migrations)
    }

    /// - Parameter migrations: other than ours in tests.
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

    /// Opens the file, makes it where there is none, and says what an earlier run left. What that left open was
    /// interrupted. One that is damaged is moved aside first.
    package func open() throws(LedgerFault) -> LedgerContents {
        close()
        do throws(LedgerFault) {
            return try openFile()
        } catch {
            close()
            guard error.damage != nil else { throw error }
        }
        // One failed read of a sound file can look like damage: the file is read once more, from the disk.
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

    /// Lets go of the file. What is in its log goes into it.
    package func close() {
        guard let queue else { return }
        // What cannot be written now stays in the log.
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
        return try use("opened") { database in
            try check(database)
            // Before anything is written: the file is then never shorter than its log supposes.
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            // In pages: half a megabyte. A commit has two, its row's and the count's, and a shoot fits in.
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

    // MARK: Bringing one back

    /// Puts a ledger that was moved aside into its place again, and moves the present one aside. What is damaged, or no
    /// ledger, is refused, and then nothing is changed. No daemon may have the directory.
    ///
    /// - Returns: what was done.
    package static func restore(_ name: String, in directory: String, clock: LedgerClock) throws(LedgerFault) -> String
    {
        let old = LedgerFile(directory: directory, name: name)
        guard old.isMovedAside else {
            throw LedgerFault(
                "\(old.path) cannot be brought back: only a ledger-damaged-….sqlite or ledger-replaced-….sqlite can be."
            )
        }
        let ledger = Ledger(old, clock: clock, migrations: LedgerSchema.migrations)
        do throws(LedgerFault) {
            try ledger.examine()
        } catch {
            let reason = error.damage.map { "it is damaged (\($0))." } ?? error.sentence
            throw LedgerFault("\(old.path) cannot be brought back: \(reason) Nothing was changed.")
        }
        let present = LedgerFile(directory: directory)
        let replaced = try present.replace(with: old, at: clock.now().wall)
        return "\(old.path) is the ledger again."
            + (replaced.map { " The one that it replaces is kept as \($0)." } ?? "")
    }

    private func examine() throws(LedgerFault) {
        guard file.exists else { throw LedgerFault("There is no such file.") }
        try file.prepare()
        queue = try connect()
        defer { close() }
        try use("opened") { try check($0) }
    }

    /// A ledger that turns out to be damaged is closed as it was found. Else SQLite would bring the readable part of
    /// its log into the file, and delete the log.
    private static func keepLogAtClose(_ keeps: Bool, _ database: Database) throws {
        let code = csqlite_keep_log_at_close(database.sqliteConnection, keeps ? 1 : 0)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    private func connect() throws(LedgerFault) -> DatabaseQueue {
        do {
            return try DatabaseQueue(path: path, configuration: Self.configuration)
        } catch {
            throw LedgerFault(error, path: path, action: "opened")
        }
    }

    private static var configuration: GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(busyMax)
        configuration.label = "ledger"
        configuration.prepareDatabase { database in
            try keepLogAtClose(true, database)
            // One process has the file: a second daemon would take the first one's shoot for an interrupted one. It
            // also needs no memory that is shared with others (wal.html, "Use of WAL Without Shared-Memory").
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA cache_size = -512")
            try database.execute(sql: "PRAGMA mmap_size = 0")
        }
        return configuration
    }

    /// Throws what is wrong with the file.
    ///
    /// All of `integrity_check`, not `quick_check`: what that leaves out is comparing tables with their indexes, and
    /// there is one small index.
    private func check(_ database: Database) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        if version == 0, try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0 { return }
        guard application == LedgerSchema.applicationID, 1...LedgerSchema.versionMax ~= version else {
            throw LedgerFault.damaged(path, "it is a database, and no ledger")
        }
        guard version <= migrations.count else {
            throw LedgerFault(
                """
                The ledger \(path) was written by a newer bracketd (version \(version), this one knows \
                \(migrations.count)). Install that one again, or move the file away.
                """
            )
        }
        let word = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? ""
        guard word == "ok" else { throw LedgerFault.found(word, path: path) }
        if try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") != nil {
            throw LedgerFault.damaged(path, "rows of it belong to nothing")
        }
    }

    // MARK: Writing and reading

    /// Writes all of the rows or none.
    package func commit(_ commit: LedgerCommit) throws(LedgerFault) {
        do throws(LedgerFault) {
            try write(commit)
        } catch {
            isDoubtful = true
            throw error
        }
    }

    private func write(_ commit: LedgerCommit) throws(LedgerFault) {
        try use("written") { database in
            try makeCertain(database)
            try setSyncing(commit.isDurable, database)
            var number = 0
            // SQLite syncs only what it writes: the count is always written, and so a durable commit is always synced.
            try database.inTransaction(.immediate) {
                let writer = LedgerWriter(database)
                try writer.write(commit.rows, wall: clock.reader())
                number = try writer.count(commit.rows)
                return .commit
            }
            count?.note(commit: number, isDurable: commit.isDurable, shoot: commit.rows.shoots.keys.max() ?? 0)
            // A finished shoot does not live in the log, of which one wrong bit undoes the rest.
            if commit.isDurable, commit.rows.shoots.values.contains(where: { $0.outcome != nil }) {
                try emptyLog(database)
            }
        }
    }

    /// Answers a question; says so in the answer when that cannot be done.
    package func read(_ query: LedgerQuery) -> LedgerAnswer {
        do {
            return try use("read") { database in try LedgerReader(database).answer(query) }
        } catch {
            return .failed(error.sentence)
        }
    }

    /// What SQLite itself says of how it syncs (pragma.html, "synchronous"): 1 NORMAL, 2 FULL. For tests.
    func synchronous() throws(LedgerFault) -> Int? {
        try use("read") { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }

    private func setSyncing(_ isOn: Bool, _ database: Database) throws {
        guard isSyncing != isOn else { return }
        try database.execute(sql: "PRAGMA synchronous = \(isOn ? "FULL" : "NORMAL")")
        isSyncing = isOn
    }

    /// After a failed sync the system takes pages for written that are not (fsync(2), "Errors"). So what was committed
    /// before goes into the file itself, by a sync of its own, before anything is built on it.
    private func makeCertain(_ database: Database) throws {
        guard isDoubtful else { return }
        try setSyncing(true, database)
        try Self.checkpoint(database)
        isDoubtful = false
    }

    /// Brings what is in the log into the file itself. All of it is committed: where that fails it stays in the log.
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

    /// Finds out whether the log ended early, and if so keeps a copy of the log and records the loss.
    ///
    /// - Returns: what is gone.
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

    /// After the loss was recorded: the count is lower from here on.
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
        _ action: String,
        _ body: (Database) throws -> Value
    ) throws(LedgerFault) -> Value {
        guard let queue else { throw LedgerFault("The ledger \(path) cannot be \(action): it is not open.") }
        do {
            return try queue.inDatabase(body)
        } catch {
            throw LedgerFault(error, path: path, action: action)
        }
    }
}

extension Ledger {
    /// Does what the core wants, and says what came of it.
    package func perform(_ effect: LedgerEffect) -> LedgerNews {
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
