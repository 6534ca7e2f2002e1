import Controller
import Glibc
import Testing

@testable import Ledger

/// Tests a log that ends early.
struct LossTests {
    /// The files of a daemon that was killed in shoot 2. Shoot 1 is complete, and the last commit was not synced.
    private static func killed() throws -> [(name: String, bytes: [UInt8])] {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.captured, .captured]) { $0.outcome = .completed }
        try fixture.record(2, [.planned, .planned, .planned])
        for index in 0..<2 {
            try fixture.commit { $0.add(LedgerFixture.frame(2, index, .attempting)) }
            try fixture.commit(isDurable: false) { $0.add(LedgerFixture.frame(2, index, .captured)) }
        }
        return ["", "-wal", "-count"].map { ($0, fixture.bytes("ledger.sqlite\($0)")) }
    }

    private static func fixture(
        _ files: [(name: String, bytes: [UInt8])],
        change: (String, inout [UInt8]?) -> Void = { _, _ in }
    ) throws -> LedgerFixture {
        let fixture = try LedgerFixture()
        for (name, bytes) in files {
            var changed = Optional(bytes)
            change(name, &changed)
            if let changed { try fixture.put(changed, at: "ledger.sqlite\(name)") }
        }
        return fixture
    }

    /// Opens a ledger with a damaged log. Expects that the loss is reported and stays recorded.
    private func expectLoss(_ fixture: LedgerFixture, _ what: String) throws {
        let contents = try fixture.ledger.open()
        let notice = contents.notice ?? ""
        #expect(notice.hasPrefix("The ledger \(fixture.path) lost its last "), "\(what): \(notice)")
        #expect(fixture.frames(of: 1).map(\.outcome) == [.captured, .captured], "\(what)")
        // The numbers of lost shoots are not used again.
        #expect(contents.lastShoot == 2, "\(what)")
        #expect(contents.unfinished?.isRecordIncomplete ?? true, "\(what)")
        let again = try fixture.ledger.open()
        #expect(again.notice == nil && again.lastShoot == 2, "\(what)")
        #expect(again.unfinished?.isRecordIncomplete ?? true, "\(what)")
    }

    @Test func `a finished shoot does not stay in the log`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        for (id, outcome) in ShootOutcome.allCases.enumerated() {
            try fixture.record(id + 1, [.captured])
            #expect(fixture.bytes("ledger.sqlite-wal").count > 0)
            try fixture.record(id + 1, [.captured]) { $0.outcome = outcome }
            #expect(fixture.bytes("ledger.sqlite-wal").count == 0)
        }
    }

    @Test func `a killed daemon's log is read completely, without a report of a loss`() throws {
        let fixture = try Self.fixture(Self.killed())
        let contents = try fixture.ledger.open()
        #expect(contents.notice == nil)
        #expect(contents.unfinished?.frames.map(\.outcome) == [.captured, .captured, .planned])
        #expect(contents.unfinished?.isRecordIncomplete == false)
        fixture.ledger.close()
        // Without a log, no commit can be lost.
        #expect(fixture.names == ["ledger.sqlite"])
    }

    @Test func `one flipped bit in the log is detected, at any position`() throws {
        let files = try Self.killed()
        let length = files[1].bytes.count
        #expect(length > 20_000)
        for offset in Array(0..<56) + stride(from: 56, to: length, by: 211) + [length - 1] {
            let fixture = try Self.fixture(files) { name, bytes in
                if name == "-wal" { bytes?[offset] ^= 1 << UInt8(offset % 8) }
            }
            try expectLoss(fixture, "bit at \(offset) of \(length)")
            #expect(fixture.names.contains { $0.hasPrefix("ledger-damaged-") && $0.hasSuffix("-wal") })
        }
    }

    @Test func `a truncated or removed log is detected`() throws {
        let files = try Self.killed()
        let length = files[1].bytes.count
        for cut in Array(stride(from: 0, to: length, by: 977)) + [length - 1] {
            let fixture = try Self.fixture(files) { name, bytes in
                if name == "-wal" { bytes = Array((bytes ?? [])[..<cut]) }
            }
            try expectLoss(fixture, "cut after \(cut) of \(length)")
        }
        try expectLoss(try Self.fixture(files) { name, bytes in if name == "-wal" { bytes = nil } }, "removed")
    }

    @Test func `the sentence has the extent of the loss and its shoot`() throws {
        let files = try Self.killed()
        func notice(_ cut: Int) throws -> (String, LedgerFixture) {
            let fixture = try Self.fixture(files) { name, bytes in
                if name == "-wal" { bytes = Array((bytes ?? [])[..<cut]) }
            }
            return (try fixture.ledger.open().notice ?? "", fixture)
        }
        let copy = "ledger-damaged-20261122-103000.sqlite-wal"
        let (last, fixture) = try notice(files[1].bytes.count - 1)
        #expect(
            last == """
                The ledger \(fixture.path) lost its last change: the log of its changes is damaged; a copy of the log \
                is kept as \(copy). Missing in the history: the last part of shoot 2. Captured frames may be missing \
                there too. No shoot continues automatically: check the camera's card, then bracketctl resume or \
                bracketctl dismiss.
                """
        )
        #expect(fixture.bytes(copy).count == files[1].bytes.count - 1)
        let (all, _) = try notice(100)
        #expect(all.contains(" lost its last 5 changes: "))
        #expect(all.contains("Missing in the history: everything after shoot 1, including shoot 2."))
    }

    @Test func `resuming, beginning or dismissing a shoot clears the report of the loss`() throws {
        for change in [{ $0.outcome = nil }, { $0.dismissal = .request }] as [(inout ShootRow) -> Void] {
            let fixture = try Self.fixture(Self.killed()) { name, bytes in
                if name == "-wal" { bytes?.removeLast() }
            }
            #expect(try fixture.ledger.open().unfinished?.isRecordIncomplete == true)
            // Commits without a user's action do not clear the loss.
            try fixture.commit { $0.add(LedgerFixture.frame(2, 0, .verified)) }
            #expect(try fixture.ledger.open().unfinished?.isRecordIncomplete == true)
            try fixture.commit { rows in
                rows.add(
                    try? LedgerFixture.shoot(2) {
                        $0.outcome = .interrupted
                        change(&$0)
                    }
                )
            }
            #expect(try fixture.ledger.open().unfinished?.isRecordIncomplete ?? false == false)
        }
    }

    @Test func `after a power cut only synced commits count as lost`() throws {
        let files = try Self.killed()
        let length = files[1].bytes.count
        // A power cut may lose the last commit, which was not synced. This is no reported loss.
        for (cut, isLoss) in [(length - 1, false), (100, true)] {
            let fixture = try Self.fixture(files) { name, bytes in
                if name == "-wal" { bytes = Array((bytes ?? [])[..<cut]) }
            }
            var record = try #require(LedgerCount.read("\(fixture.path)-count"))
            record.boot = "another"
            LedgerCount(path: "\(fixture.path)-count", record: record)?.end()
            #expect((try fixture.ledger.open().notice != nil) == isLoss)
        }
    }

    @Test func `a damaged, missing or foreign count is not a loss`() throws {
        let files = try Self.killed()
        for offset in files[2].bytes.indices {
            let fixture = try Self.fixture(files) { name, bytes in if name == "-count" { bytes?[offset] ^= 0x10 } }
            #expect(try fixture.ledger.open().notice == nil, "byte \(offset)")
        }
        let missing = try Self.fixture(files) { name, bytes in if name == "-count" { bytes = nil } }
        #expect(try missing.ledger.open().notice == nil)
        let other = try Self.fixture(files)
        var record = try #require(LedgerCount.read("\(other.path)-count"))
        record.ledger = "0123456789abcdef"
        record.durable += 100
        LedgerCount(path: "\(other.path)-count", record: record)?.end()
        #expect(try other.ledger.open().notice == nil)
    }

    @Test(arguments: [S_IFIFO, S_IFDIR, S_IFLNK])
    func `another kind of file at the count's path is refused without blocking or following it`(kind: mode_t) throws {
        let fixture = try LedgerFixture()
        let path = fixture.path + "-count"
        switch kind {
        case S_IFIFO: mkfifo(path, 0o600)
        case S_IFDIR: mkdir(path, 0o700)
        default: symlink("\(fixture.directory)/target", path)
        }
        #expect(throws: LedgerFault.self) { try fixture.ledger.open() }
        #expect(fixture.names == ["ledger.sqlite-count"])
    }

    // MARK: Restoring

    private func restore(_ name: String, in fixture: LedgerFixture) throws -> String {
        try Ledger.restore(name, in: fixture.directory, clock: LedgerFixture.clock)
    }

    @Test func `one command restores a ledger that was moved aside, and keeps the other one`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        for id in 1...5 { try fixture.record(id, [.captured]) }
        fixture.ledger.close()
        let name = "ledger-damaged-20261122-103000.sqlite"
        rename(fixture.path, "\(fixture.directory)/\(name)")
        _ = try fixture.ledger.open()
        try fixture.record(1, [.planned])
        fixture.ledger.close()
        let replaced = "ledger-replaced-20261122-103000.sqlite"
        #expect(
            try restore(name, in: fixture)
                == "\(fixture.directory)/\(name) is restored as the ledger. The replaced ledger is kept as \(replaced)."
        )
        #expect(fixture.names == [replaced, "ledger.sqlite"])
        #expect(try fixture.ledger.open().lastShoot == 5)
        fixture.ledger.close()
        // The first ledger is restored again.
        _ = try restore(replaced, in: fixture)
        #expect(try fixture.ledger.open().lastShoot == 1)
    }

    @Test func `a damaged or foreign file, or another name, is not restored, and nothing changes`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.planned])
        fixture.ledger.close()
        try fixture.put([1, 2, 3], at: "ledger-damaged-1.sqlite")
        try fixture.put(fixture.bytes(), at: "other.sqlite")
        let before = fixture.names
        for (name, reason) in [
            ("ledger-damaged-1.sqlite", ": it is damaged (it was truncated after 3 bytes). Nothing was changed."),
            ("ledger-damaged-2.sqlite", ": The file does not exist. Nothing was changed."),
            ("other.sqlite", ". Only a ledger-damaged-….sqlite or ledger-replaced-….sqlite can."),
            ("ledger.sqlite", ". Only a ledger-damaged-….sqlite or ledger-replaced-….sqlite can."),
        ] {
            let error = #expect(throws: LedgerFault.self) { try restore(name, in: fixture) }
            #expect(error?.sentence == "\(fixture.directory)/\(name) cannot be restored\(reason)")
        }
        #expect(fixture.names == before)
        #expect(try fixture.ledger.open().lastShoot == 1)
    }

    /// The files of a killed daemon. The ledger itself is damaged, and its log is intact.
    private static func damaged() throws -> [(name: String, bytes: [UInt8])] {
        var files = try killed().filter { $0.name != "-count" }
        // The type byte of each page except the first is damaged. The log has newer copies of some pages.
        for page in stride(from: 4096, to: files[0].bytes.count, by: 4096) { files[0].bytes[page] ^= 0xFF }
        return files
    }

    @Test func `a damaged ledger that is not restored keeps its log unchanged`() throws {
        let name = "ledger-damaged-20261122-103000.sqlite"
        let fixture = try LedgerFixture()
        let files = try Self.damaged()
        for file in files { try fixture.put(file.bytes, at: name + file.name) }
        let error = #expect(throws: LedgerFault.self) { try restore(name, in: fixture) }
        #expect(error?.sentence.hasSuffix(" Nothing was changed.") == true)
        for file in files { #expect(fixture.bytes(name + file.name).elementsEqual(file.bytes), "\(file.name)") }
    }

    @Test func `a damaged ledger is moved aside with its log unchanged`() throws {
        let files = try Self.damaged()
        let fixture = try Self.fixture(files)
        #expect(try fixture.ledger.open().notice?.contains(" was damaged (") == true)
        let aside = "ledger-damaged-20261122-103000.sqlite"
        for file in files { #expect(fixture.bytes(aside + file.name).elementsEqual(file.bytes), "\(file.name)") }
    }

    @Test func `a loss without an interrupted shoot gives no advice that would be refused`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.captured]) { $0.outcome = .completed }
        let camera = CameraRow(id: "1", maker: "Sony", model: "ILCE-7M4", firmware: "1", address: "10.0.0.9:15740")
        try fixture.commit { $0.cameras[camera.id] = camera }
        var log = fixture.bytes("ledger.sqlite-wal")
        log.removeLast()
        let copy = try Self.fixture([
            ("", fixture.bytes()), ("-wal", log), ("-count", fixture.bytes("ledger.sqlite-count")),
        ])
        let notice = try copy.ledger.open().notice ?? ""
        #expect(notice.contains(" lost its last change: "))
        #expect(notice.hasSuffix(" No shoot continues automatically: check the camera's card."))
    }
}
