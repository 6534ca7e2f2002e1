import Cameras
import Controller
import Exposure
import Foundation
import Glibc
import Testing

@testable import Ledger

/// Tests files whose content the ledger did not write.
struct DamageTests {
    /// A closed ledger with some history.
    private func filled() throws -> LedgerFixture {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        for id in 1...60 { try fixture.record(id, [.captured, .planned, .verified, .planned, .planned]) }
        fixture.ledger.close()
        return fixture
    }

    private static let damagedName = "ledger-damaged-20261122-103000.sqlite"

    /// Opens the ledger. Expects that the whole ledger is moved aside and that the daemon continues.
    private func expectMovedAside(_ fixture: LedgerFixture, because reason: String? = nil) throws {
        let before = fixture.bytes()
        let contents = try fixture.ledger.open()
        let notice = try #require(contents.notice)
        #expect(notice.hasPrefix("The ledger \(fixture.path) was damaged (\(reason ?? ""))"), "\(notice)")
        #expect(notice.contains(" and is kept as \(Self.damagedName). A new ledger is used."))
        #expect(fixture.bytes(Self.damagedName) == before)
        #expect(contents.lastShoot == 0)
        try fixture.record(1, [.planned])
        #expect(try fixture.ledger.open().notice == nil)
    }

    @Test(arguments: [
        ([UInt8](String(repeating: "This is no database. ", count: 99).utf8), "file is not a database"),
        ([UInt8](repeating: 0, count: 8192), "file is not a database"),
        ([0x53], "it was truncated after 1 bytes"),
    ])
    func `a file with random bytes is moved aside and a new ledger starts`(bytes: [UInt8], reason: String) throws {
        let fixture = try LedgerFixture()
        try fixture.put(bytes)
        try expectMovedAside(fixture, because: reason)
    }

    @Test func `a truncated ledger is moved aside, for any length`() throws {
        let whole = try filled().bytes()
        let pages = whole.count / 4096
        #expect(pages > 8)
        // SQLite opens a ledger whose last page lacks its last bytes, and reads other values from it.
        let inLastPage = [1, 2, 3, 100, 512, 2048, 4095].map { whole.count - $0 }
        for length in (1..<pages).map({ $0 * 4096 }) + [100, 5000] + inLastPage {
            let fixture = try LedgerFixture()
            try fixture.put(Array(whole[..<length]))
            let contents = try fixture.ledger.open()
            #expect(contents.notice != nil, "cut off after \(length) bytes of \(whole.count)")
            #expect(fixture.bytes(Self.damagedName).count == length)
        }
    }

    @Test func `changed bytes in any page are found or harmless, and never end the daemon`() throws {
        let whole = try filled().bytes()
        var moved = 0
        var generator = LinearGenerator(state: 7)
        for page in 0..<whole.count / 4096 {
            for _ in 0..<3 {
                var bytes = whole
                let first = page * 4096 + Int(generator.next() % 4064)
                for index in first..<first + 32 { bytes[index] ^= 0xFF }
                let fixture = try LedgerFixture()
                try fixture.put(bytes)
                do {
                    let contents = try fixture.ledger.open()
                    if contents.notice != nil, fixture.names.contains(Self.damagedName) {
                        moved += 1
                        #expect(fixture.bytes(Self.damagedName) == bytes)
                    }
                } catch {
                    // Damage to the version number can make the file seem to be of a newer version. The version is on
                    // page 0.
                    #expect(page == 0, "\(error)")
                }
                // The ledger answers each query, even if rows are damaged.
                for id in [1, 30, 60] { _ = fixture.ledger.read(.shoot(id)) }
                _ = fixture.ledger.read(.shoots(limit: 100, before: nil))
            }
        }
        #expect(moved > whole.count / 4096 / 2)
    }

    @Test func `an empty file becomes a new ledger`() throws {
        let fixture = try LedgerFixture()
        try fixture.put([])
        #expect(try fixture.ledger.open() == LedgerContents())
    }

    @Test func `a log without its ledger is kept`() throws {
        let fixture = try LedgerFixture()
        for bytes in [[UInt8]?.none, []] {
            unlink(fixture.path)
            if let bytes { try fixture.put(bytes) }
            try fixture.put([1, 2, 3], at: "ledger.sqlite-wal")
            let notice = try #require(try fixture.ledger.open().notice)
            #expect(notice.contains("(it is empty, but the log of its changes is not)"), "\(notice)")
            fixture.ledger.close()
        }
        #expect(fixture.bytes("\(Self.damagedName)-wal") == [1, 2, 3])
        // A second file in the same second gets another name.
        #expect(fixture.bytes("ledger-damaged-20261122-103000-2.sqlite-wal") == [1, 2, 3])
    }

    @Test func `a truncated log keeps its complete commits`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.planned])
        var before = fixture.bytes("ledger.sqlite-wal").count
        try fixture.record(2, [.planned])
        let (file, log) = (fixture.bytes(), fixture.bytes("ledger.sqlite-wal"))
        // When the whole log is in the file, SQLite starts the log from the beginning.
        if before >= log.count { before = 0 }
        for cut in Array(stride(from: before, to: log.count, by: 397)) + [log.count] {
            for filler in [nil, UInt8(0xA5)] {
                let copy = try LedgerFixture()
                try copy.put(file)
                var bytes = Array(log[..<cut])
                if let filler { bytes += [UInt8](repeating: filler, count: log.count - cut) }
                try copy.put(bytes, at: "ledger.sqlite-wal")
                let contents = try copy.ledger.open()
                #expect(contents.notice == nil)
                #expect(contents.lastShoot == (cut == log.count ? 2 : 1), "cut after \(cut) of \(log.count)")
            }
        }
    }

    @Test func `another kind of file at its path is left unchanged and named`() throws {
        let fixture = try LedgerFixture()
        mkdir(fixture.path, 0o700)
        let expected = LedgerFault(
            "The ledger \(fixture.path) cannot be opened: it is not a regular file. Move it away."
        )
        #expect(throws: expected) { try fixture.ledger.open() }
        rmdir(fixture.path)
        mkfifo(fixture.path, 0o600)
        #expect(throws: expected) { try fixture.ledger.open() }
    }

    @Test(arguments: ["", "-wal", "-shm", "-journal"])
    func `a symbolic link at the name of one of its files is refused, and not followed`(companion: String) throws {
        for isDangling in [true, false] {
            let fixture = try LedgerFixture()
            let elsewhere = try LedgerFixture()
            if !companion.isEmpty {
                _ = try fixture.ledger.open()
                fixture.ledger.close()
            }
            if !isDangling { try elsewhere.put([1, 2, 3], at: "target") }
            symlink("\(elsewhere.directory)/target", fixture.path + companion)
            let file = companion.isEmpty ? "it" : fixture.path + companion
            let expected = LedgerFault(
                "The ledger \(fixture.path) cannot be opened: \(file) is not a regular file. Move it away."
            )
            #expect(throws: expected) { try fixture.ledger.open() }
            #expect(elsewhere.names == (isDangling ? [] : ["target"]))
            #expect(elsewhere.bytes("target") == (isDangling ? [] : [1, 2, 3]))
        }
    }

    @Test(arguments: ["-wal", "-shm", "-journal"], [S_IFIFO, S_IFDIR])
    func `a pipe or a directory beside the file is refused without blocking`(companion: String, kind: mode_t) throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        fixture.ledger.close()
        let path = fixture.path + companion
        #expect((kind == S_IFIFO ? mkfifo(path, 0o600) : mkdir(path, 0o700)) == 0)
        let expected = LedgerFault(
            "The ledger \(fixture.path) cannot be opened: \(path) is not a regular file. Move it away."
        )
        #expect(throws: expected) { try fixture.ledger.open() }
        #expect(fixture.names.contains("ledger.sqlite\(companion)"))
    }

    @Test func `a database of another program is moved aside`() throws {
        let fixture = try LedgerFixture()
        try fixture.withDatabase { try $0.execute("CREATE TABLE notes (text); PRAGMA user_version = 1") }
        try expectMovedAside(fixture, because: "it is a database, but not a ledger")
    }

    @Test func `a row that violates the schema is damage`() throws {
        let fixture = try filled()
        try fixture.withDatabase { database in
            try database.execute("PRAGMA ignore_check_constraints = ON")
            try database.execute("UPDATE frames SET outcome = 'fired' WHERE shoot = 3 AND number = 2")
        }
        try expectMovedAside(fixture, because: "CHECK constraint failed in frames")
        let orphan = try filled()
        try orphan.withDatabase { database in
            try database.execute("PRAGMA foreign_keys = OFF; DELETE FROM shoots WHERE id = 3")
        }
        try expectMovedAside(orphan, because: "some rows refer to rows that do not exist")
    }

    @Test func `the last ten damaged ledgers are kept`() throws {
        let fixture = try LedgerFixture()
        for number in 1...LedgerFile.damagedMax + 2 {
            fixture.ledger.close()
            try fixture.put([UInt8(number)])
            let notice = try #require(try fixture.ledger.open().notice)
            let isTold = notice.contains("Older damaged ledgers were removed: 1.")
            #expect(isTold == (number > LedgerFile.damagedMax), "\(notice)")
        }
        let kept = fixture.names.filter { $0.hasPrefix("ledger-damaged-") }
        #expect(kept.count == LedgerFile.damagedMax)
        #expect(Set(kept.map { fixture.bytes($0) }) == Set((3...12).map { [UInt8($0)] }))
    }

    @Test func `the newest damaged ledger is kept, even if the clock was set back`() throws {
        let fixture = try LedgerFixture()
        let later = (0..<LedgerFile.damagedMax).map { "ledger-damaged-20270101-00000\($0).sqlite" }
        for name in later { try fixture.put([2], at: name) }
        try fixture.put([1])
        #expect(try fixture.ledger.open().notice?.contains("Older damaged ledgers were removed: 1.") == true)
        #expect(fixture.bytes(Self.damagedName) == [1])
        #expect(fixture.names.filter { $0.contains("-2027") } == Array(later.dropFirst()))
    }

    @Test(arguments: [
        ("Tree 3 page 3: unable to get the page. error code=10", false),
        ("*** in database main ***\nTree 3 page 3 cell 1: unable to get the page. error code=266", false),
        ("Tree 3 page 3: unable to get the page. error code=7", false),
        ("Freelist: failed to get page 12", false),
        ("Tree 3 page 3: unable to get the page. error code=11", true),
        ("Tree 3 page 3: unable to get the page. error code=267", true),
        ("row 3 missing from index timingsOfStep", true),
    ])
    func `a page that cannot be read is not damage, because a later read may succeed`(words: String, isDamage: Bool) {
        let fault = LedgerFault.found(words, path: "/l")
        #expect((fault.damage != nil) == isDamage)
        let sentence =
            "The ledger /l cannot be opened: the disk reports an error (\(words)). The disk may be failing: check it."
        #expect((fault.sentence == sentence) == !isDamage)
    }

    // MARK: Versions

    @Test func `released migrations do not change`() {
        // The hash is FNV-1a. A value that is added to an enumeration would change the text of this migration.
        let hash = LedgerSchema.migrations[0].utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        let sentence = "Ledgers were made by the migration as it was: leave it (write out the words), make a new one."
        #expect(hash == 8_630_143_629_273_356_654, "\(sentence)")
    }

    /// A ledger of bracketd 0.1, which was killed in the second frame of shoot 4. Shoot 2 was cancelled, and shoot 3
    /// dropped its frames. Shoot 3 was cancelled, and the user dismissed its frames.
    @Test func `a ledger of version 1 is read, with the reason for the missing frames of each shoot`() throws {
        let fixture = try LedgerFixture()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/ledger-1.sqlite")
        try fixture.put(Array(Data(contentsOf: file)))
        let contents = try fixture.ledger.open()
        #expect(contents.notice == nil && contents.lastShoot == 4)
        #expect(contents.unfinished?.shoot.id == 4 && contents.unfinished?.shoot.outcome == .interrupted)
        #expect(contents.unfinished?.frames.map(\.outcome) == [.captured, .unknown, .planned])
        #expect(contents.unfinished?.frames.map(\.shotsLeft) == [33, 32, nil])
        guard case .shoots(let shoots) = fixture.ledger.read(.shoots(limit: 9, before: nil)) else {
            Issue.record("no shoots")
            return
        }
        #expect(shoots.map(\.shoot.dismissal) == [nil, .unrecorded, .shoot(3, by: .client), nil])
        #expect(shoots.map(\.captured) == [1, 2, 2, 3])
    }

    /// A ledger of version 6. The daemon was killed while shoot 2 was paused, and again when shoot 3 had to end after
    /// its second frame.
    @Test func `a ledger of version 6 is read, with the user's request for each shoot`() throws {
        let fixture = try LedgerFixture()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/ledger-6.sqlite")
        try fixture.put(Array(Data(contentsOf: file)))
        let contents = try fixture.ledger.open()
        #expect(contents.notice == nil && contents.lastShoot == 3)
        #expect(contents.unfinished?.shoot.requestedStop == .cancel)
        #expect(contents.unfinished?.frames.map(\.outcome).prefix(3) == [.captured, .unknown, .planned])
        guard case .shoots(let shoots) = fixture.ledger.read(.shoots(limit: 9, before: nil)) else {
            Issue.record("no shoots")
            return
        }
        #expect(shoots.map(\.shoot.requestedStop) == [.cancel, .pause, nil])
        #expect(shoots.map(\.shoot.outcome) == [.interrupted, .interrupted, .completed])
    }

    /// A ledger of version 7. The daemon was killed in shoot 3.
    @Test func `a ledger of version 7 is read, and all data of a camera gets the same new id`() throws {
        let fixture = try LedgerFixture()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/ledger-7.sqlite")
        try fixture.put(Array(Data(contentsOf: file)))
        let id = "sony:00000000000000003282933003783803"
        let contents = try fixture.ledger.open()
        #expect(contents.notice == nil && contents.lastShoot == 3)
        #expect(contents.unfinished?.shoot.cameraID == id && contents.unfinished?.shoot.outcome == .interrupted)
        #expect(contents.unfinished?.frames.count { $0.outcome == .captured } == 4)
        #expect(contents.cameras.map(\.id) == [id])
        #expect(contents.settings.map(\.cameraID) == [id] && contents.settings.map(\.original) == ["1/60"])
        #expect(contents.timings.count > 50 && contents.timings.allSatisfy { $0.cameraID == id })
        guard case .shoots(let shoots) = fixture.ledger.read(.shoots(limit: 9, before: nil)) else {
            Issue.record("no shoots")
            return
        }
        #expect(shoots.map(\.shoot.cameraID) == [id, id, id] && shoots.map(\.captured) == [4, 12, 9])
        // The migration runs only once. A second opening changes nothing.
        fixture.ledger.close()
        #expect(try fixture.ledger.open().cameras.map(\.id) == [id])
    }

    /// A ledger of version 8, with two cameras.
    @Test func `the cameras of a ledger of version 8 were called by PTP-IP`() throws {
        let fixture = try LedgerFixture()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/ledger-8.sqlite")
        try fixture.put(Array(Data(contentsOf: file)))
        let contents = try fixture.ledger.open()
        #expect(contents.notice == nil && contents.lastShoot == 3)
        #expect(contents.cameras.map(\.id) == ["sony:00000000000000003282933003783803", "sony:4711"])
        #expect(contents.cameras.allSatisfy { $0.protocol == .ptpip && $0.path == nil })
        #expect(contents.cameras.last?.address == "127.0.0.1:25740")
    }

    @Test func `a ledger of version 4 keeps its frames and files, and accepts states of pictures kept here`()
        throws
    {
        let fixture = try LedgerFixture()
        try fixture.put([])
        try fixture.withDatabase { database in
            try LedgerSchema.migrate(database, from: 0, by: Array(LedgerSchema.migrations.prefix(4)))
        }
        var first = LedgerFixture.frame(1, 0, .verified)
        first.files = ["20261123-190000-shoot-1/set-1/A.JPG", "20261123-190000-shoot-1/set-1/A.ARW"]
        first.shotsLeft = 9
        // The rows are written as version 4 wrote them, because the current writer has columns of later versions.
        let shoot = """
            INSERT INTO shoots VALUES (1, '1/4', '1/1000', 5, '1', 'twice', 0, 'A plan', '7', 'Camera', 0, NULL, NULL,
                NULL, 0, NULL, NULL)
            """
        let insert = "INSERT INTO frames (shoot, number, inSet, inFrame, speed, outcome, shotsLeft) VALUES "
        let speeds = (0...1).map { LedgerFixture.frame(1, $0).planned.speed.label }
        try fixture.withDatabase { database in
            try database.execute(shoot)
            try database.rows(insert + "(1, 0, 1, 1, ?, 'verified', 9)", [speeds[0]])
            try database.rows(insert + "(1, 1, 1, 2, ?, 'attempting', NULL)", [speeds[1]])
            for (number, path) in first.files.enumerated() {
                try database.rows("INSERT INTO files VALUES (1, 0, ?, ?)", [number, path])
            }
            #expect(throws: DatabaseError.self) {
                try database.execute("UPDATE frames SET outcome = 'exposed' WHERE number = 1")
            }
        }
        let ledger = Ledger(directory: fixture.directory, clock: LedgerFixture.clock)
        defer { ledger.close() }
        let kept = try ledger.open().unfinished?.frames
        #expect(kept?[0] == first && kept?[1].outcome == .unknown)
        var rows = LedgerRows()
        for (index, word) in FrameState.allCases.enumerated() { rows.add(LedgerFixture.frame(1, index, word)) }
        try ledger.commit(LedgerCommit(rows: rows, isDurable: true))
        guard case .shoot(_, let frames) = ledger.read(.shoot(1)) else {
            Issue.record("no shoot")
            return
        }
        #expect(frames.map(\.outcome) == FrameState.allCases)
    }

    @Test func `a ledger of a newer version is not touched`() throws {
        let fixture = try LedgerFixture(migrations: LedgerSchema.migrations + ["CREATE TABLE later (x)"])
        _ = try fixture.ledger.open()
        try fixture.record(1, [.planned])
        fixture.ledger.close()
        let before = fixture.bytes()
        let older = Ledger(directory: fixture.directory, clock: LedgerFixture.clock)
        let expected = LedgerFault(
            """
            A newer bracketd wrote the ledger \(fixture.path) \
            (version \(LedgerSchema.migrations.count + 1); this bracketd \
            supports \(LedgerSchema.migrations.count)). \
            Install the newer bracketd again, or move the file away.
            """
        )
        #expect(throws: expected) { try older.open() }
        #expect(fixture.bytes() == before)
        #expect(fixture.names == ["ledger.sqlite"])
    }

    @Test func `a ledger of an older version is migrated and keeps its data`() throws {
        let fixture = try filled()
        let first = try fixture.withDatabase { try $0.value("PRAGMA user_version") as Int? }
        #expect(first == LedgerSchema.migrations.count)
        let later = ["ALTER TABLE shoots ADD COLUMN note TEXT", "CREATE TABLE later (x); INSERT INTO later VALUES (3)"]
        let newer = Ledger(
            directory: fixture.directory,
            clock: LedgerFixture.clock,
            migrations: LedgerSchema.migrations + later
        )
        #expect(try newer.open().lastShoot == 60)
        newer.close()
        let (version, row) = try fixture.withDatabase {
            (try $0.value("PRAGMA user_version") as Int?, try $0.value("SELECT x FROM later") as Int?)
        }
        #expect(version == LedgerSchema.migrations.count + 2)
        #expect(row == 3)
    }

    @Test func `a migration that fails leaves the ledger as it was`() throws {
        let fixture = try filled()
        let before = fixture.bytes()
        let broken = Ledger(
            directory: fixture.directory,
            clock: LedgerFixture.clock,
            migrations: LedgerSchema.migrations + ["CREATE TABLE later (x)", "CREATE TABLE shoots (x)"]
        )
        #expect(throws: LedgerFault.self) { try broken.open() }
        #expect(fixture.bytes() == before)
        #expect(try fixture.ledger.open().lastShoot == 60)
    }

    // MARK: Other processes

    @Test func `a second daemon at the same ledger gets an error and changes nothing`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.attempting])
        let second = Ledger(directory: fixture.directory, clock: LedgerFixture.clock)
        let error = #expect(throws: LedgerFault.self) { try second.open() }
        #expect(
            error?.sentence == """
                The ledger \(fixture.path) cannot be opened: another process uses it. Stop that process. Two daemons \
                need different directories ([storage] directory).
                """
        )
        #expect(fixture.frames(of: 1).map(\.outcome) == [.attempting])
        try fixture.record(2, [.planned])
        fixture.ledger.close()
        #expect(try second.open().lastShoot == 2)
        second.close()
    }
}

/// A deterministic generator.
struct LinearGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 16
    }
}
