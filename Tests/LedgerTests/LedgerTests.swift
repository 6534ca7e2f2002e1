import Cameras
import Controller
import Exposure
import Glibc
import Testing

@testable import Ledger

/// Reading, writing, bounds and commits of the ledger.
struct LedgerTests {
    @Test func `a new ledger is empty, private, and one file with its log and its count`() throws {
        let fixture = try LedgerFixture()
        #expect(try fixture.ledger.open() == LedgerContents())
        var status = stat()
        for name in fixture.names {
            stat("\(fixture.directory)/\(name)", &status)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
        #expect(fixture.names == ["ledger.sqlite", "ledger.sqlite-count", "ledger.sqlite-wal"])
        fixture.ledger.close()
        #expect(fixture.names == ["ledger.sqlite"])
    }

    @Test func `every value of a shoot is read as it was written`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        var id = 0
        func expectKept(_ change: (inout ShootRow) -> Void) throws {
            id += 1
            let row = try LedgerFixture.shoot(id, change)
            try fixture.commit { $0.add(row) }
            #expect(fixture.ledger.read(.shoot(id)) == .shoot(row, []))
        }
        for speed in ShutterSpeed.all {
            try expectKept { $0.request = (try? PlanRequest(shadow: speed, highlight: speed)) ?? $0.request }
        }
        for spacing in Spacing.allCases {
            for sharing in Sharing.allCases {
                for frames in PlanRequest.framesPerSetChoices {
                    try expectKept { row in
                        let request = try? PlanRequest(framesPerSet: frames, spacing: spacing, sharing: sharing)
                        row.request = request ?? row.request
                    }
                }
            }
        }
        for bias in -PlanRequest.biasThirdsMax...PlanRequest.biasThirdsMax {
            try expectKept { $0.request = (try? PlanRequest(biasThirds: bias)) ?? $0.request }
        }
        for number in [1, 12, 55] {
            for checksLight in [false, true] {
                let goal = BracketGoal(
                    framesMax: number,
                    clipHundredths: number,
                    floorCode: 12 + number,
                    checksLight: checksLight
                )
                let request = PlanRequest(from: .oneSecond, spacing: .two, goal: try #require(goal))
                try expectKept { $0.request = request }
            }
        }
        for outcome in ShootOutcome.allCases {
            try expectKept {
                $0.outcome = outcome
                $0.ended = .wall(milliseconds: -1)
                $0.cause = "Weil der \"Akku'\" leer war; 電池\n\u{1F50B}"
                $0.dismissal = .request
            }
        }
        let reasons = Incident.Reason.allCases.map { Incident(.paused, $0, frame: 3, ended: .wall(milliseconds: 9)) }
        let outcomes = Incident.Outcome.allCases.map { Incident(.inDoubt, .linkLost, frame: nil, outcome: $0) }
        let kinds = Incident.Kind.allCases.map { Incident($0, .command, frame: 0, began: .wall(milliseconds: 8)) }
        try expectKept { $0.incidents = reasons + outcomes + kinds }
        for dismissal in [Dismissal.shoot(7, by: .client), .shoot(.max, by: .button), .unrecorded] {
            try expectKept { $0.dismissal = dismissal }
        }
        try expectKept {
            $0.headline = ""
            $0.cameraID = String(repeating: "x", count: 70_000)
            $0.began = .wall(milliseconds: .max)
        }
    }

    @Test func `every value of a frame is read as it was written`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        var rows = FrameState.allCases.enumerated().map { LedgerFixture.frame(7, $0.offset, $0.element) }
        for (index, word) in FrameState.allCases.enumerated() { rows[index].again = word }
        rows += (rows.count..<ShutterSpeed.all.count).map { LedgerFixture.frame(7, $0) }
        rows[3].doubt = "It is 2 EV \"darker\"."
        rows[3].attempted = .wall(milliseconds: 5)
        rows[3].captured = .wall(milliseconds: 6)
        rows[3].shotsLeft = -1
        rows[3].files = ["b/2.JPG", "a/1.ARW", "a\nb", "ü"]
        rows[4].shotsLeft = .max
        try fixture.commit { change in
            change.add(try? LedgerFixture.shoot(7))
            for row in rows { change.add(row) }
        }
        #expect(fixture.frames(of: 7) == rows)
        rows[3].files = ["c"]
        rows[3].again = nil
        try fixture.commit { $0.add(rows[3]) }
        #expect(fixture.frames(of: 7) == rows)
    }

    @Test func `settings, cameras and timings are read at the start`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        let setting = SettingRow(cameraID: "a", cameraName: "A", property: "shutter-speed", original: "1/60")
        let other = SettingRow(cameraID: "a", cameraName: "A", property: "drive-mode", original: "single")
        var cameras = ["b", "a"].map {
            CameraRow(id: $0, maker: "Sony", model: "M", firmware: "1.0", address: "10.0.0.1:15740")
        }
        cameras[0].network = "Hütte"
        cameras[0].protocol = CameraProtocol(rawValue: "http")
        cameras[0].path = "/service"
        let timings = TimingRow.Step.allCases.map {
            TimingRow(cameraID: "a", link: "10.0.0.1", step: $0, milliseconds: 40, at: .wall(milliseconds: 9))
        }
        try fixture.commit { rows in
            for row in [setting, other] {
                rows.settings[SettingKey(cameraID: row.cameraID, property: row.property)] = .some(row)
            }
            for row in cameras { rows.cameras[row.id] = row }
            rows.timings = timings
        }
        try fixture.commit { $0.settings[SettingKey(cameraID: "a", property: "drive-mode")] = .some(nil) }
        cameras[0].firmware = "2.0"
        try fixture.commit { $0.cameras["b"] = cameras[0] }
        var contents = LedgerContents()
        contents.settings = [setting]
        contents.cameras = cameras.reversed()
        contents.timings = timings
        #expect(try fixture.ledger.open() == contents)
    }

    @Test func `times of the daemon's clock are stored as calendar times`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.commit { rows in
            rows.add(try? LedgerFixture.shoot(1) { $0.began = .clock(.milliseconds(98_750)) })
        }
        guard case .shoot(let row, _) = fixture.ledger.read(.shoot(1)) else {
            Issue.record("nothing there")
            return
        }
        #expect(row.began == .wall(milliseconds: LedgerFixture.wall - 1250))
    }

    // MARK: The start

    @Test func `an open shoot of an earlier run becomes interrupted, and its current frame unknown`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.captured]) { $0.outcome = .completed }
        try fixture.record(2, [.verified, .attempting, .planned])
        try fixture.commit { rows in
            var row = LedgerFixture.frame(2, 3, .suspect)
            row.again = .attempting
            rows.add(row)
        }
        for _ in 0..<2 {
            let unfinished = try #require(try fixture.ledger.open().unfinished)
            #expect(unfinished.shoot.outcome == .interrupted)
            #expect(unfinished.shoot.cause == LedgerContents.interruptedSentence)
            #expect(unfinished.frames.map(\.outcome) == [.verified, .unknown, .planned, .suspect])
            #expect(unfinished.frames.map(\.again) == [nil, nil, nil, .unknown])
        }
        #expect(try fixture.ledger.open().lastShoot == 2)
        #expect(fixture.frames(of: 1).map(\.outcome) == [.captured])
        #expect(fixture.frames(of: 2).map(\.outcome) == [.verified, .unknown, .planned, .suspect])
    }

    @Test(arguments: ShootOutcome.allCases, [false, true])
    func `a shoot is unfinished until it is complete or dismissed`(outcome: ShootOutcome, isDismissed: Bool) throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.planned]) { $0.outcome = .partial }
        try fixture.record(2, [.planned]) {
            $0.outcome = outcome
            $0.dismissal = isDismissed ? .request : nil
        }
        let contents = try fixture.ledger.open()
        #expect((contents.unfinished?.shoot.id == 2) == (outcome != .completed && !isDismissed))
        #expect(contents.unfinished != nil, "shoot 1 was not dropped")
        #expect(contents.lastShoot == 2)
    }

    @Test(arguments: [
        (FrameState.captured, FrameState?.none, false), (.verified, .captured, false), (.suspect, .captured, false),
        (.suspect, nil, true), (.captured, .failed, true), (.planned, nil, true),
    ])
    func `a partial shoot without frames to fire does not hide an older one`(
        outcome: FrameState,
        again: FrameState?,
        isUnfinished: Bool
    ) throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.planned]) { $0.outcome = .partial }
        try fixture.record(2, [.captured]) { $0.outcome = .partial }
        try fixture.commit { rows in
            var row = LedgerFixture.frame(2, 1, outcome)
            row.again = again
            rows.add(row)
            #expect(row.isWanted == isUnfinished)
        }
        #expect(try fixture.ledger.open().unfinished?.shoot.id == (isUnfinished ? 2 : 1))
    }

    // MARK: Questions

    @Test func `shoots are listed newest first, in pages, with the camera's reports`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        for id in 1...7 { try fixture.record(id, [.captured, .verified, .suspect, .unknown, .failed, .planned]) }
        #expect(fixture.shoots(limit: 3) == [7, 6, 5])
        #expect(fixture.shoots(limit: 3, before: 5) == [4, 3, 2])
        #expect(fixture.shoots(limit: 3, before: 2) == [1])
        #expect(fixture.shoots(limit: 0) == [])
        #expect(fixture.shoots(limit: -1) == [])
        #expect(fixture.shoots(limit: .max).count == 7)
        guard case .shoots(let shoots) = fixture.ledger.read(.shoots(limit: 1, before: nil)) else {
            Issue.record("no list")
            return
        }
        #expect(shoots.map(\.captured) == [3])
        #expect(shoots.map(\.total) == [6])
        #expect(fixture.ledger.read(.shoot(8)) == .noShoot(8))
        fixture.ledger.close()
        let sentence = "The ledger \(fixture.path) cannot be read: it is not open."
        #expect(fixture.ledger.read(.shoot(1)) == .failed(sentence))
    }

    // MARK: Bounds

    @Test func `a new shoot removes the oldest with all its rows`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.commit { rows in
            for id in 1...3 {
                rows.add(try? LedgerFixture.shoot(id))
                var frame = LedgerFixture.frame(id, 0)
                frame.files = ["x"]
                rows.add(frame)
            }
        }
        try fixture.record(Ledger.shootsMax + 2, [.planned])
        #expect(fixture.shoots() == [Ledger.shootsMax + 2, 3])
        try fixture.record(3, [.captured])
        #expect(fixture.shoots() == [Ledger.shootsMax + 2, 3])
        for table in ["frames", "files"] {
            let shoots = try fixture.withDatabase { database in
                try database.rows("SELECT DISTINCT shoot FROM \(table) ORDER BY shoot").compactMap {
                    Int(stored: $0.values[0])
                }
            }
            #expect(shoots.filter { $0 < 3 } == [], "\(table)")
        }
    }

    @Test func `frames of a missing shoot do not reject the other rows`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.commit { rows in
            rows.add(LedgerFixture.frame(5, 0))
            rows.add(try? LedgerFixture.shoot(6))
        }
        #expect(fixture.shoots() == [6])
    }

    @Test func `the last timings of each step and the last used cameras are kept`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        let count = LedgerContents.timingsMax + 5
        func timings(_ link: String, _ step: TimingRow.Step, _ numbers: Range<Int>) -> [TimingRow] {
            numbers.map {
                TimingRow(cameraID: "a", link: link, step: step, milliseconds: $0, at: .wall(milliseconds: 0))
            }
        }
        try fixture.commit { $0.timings = timings("x", .set, 0..<count) + timings("x", .frame, 0..<3) }
        try fixture.commit { $0.timings = timings("x", .set, -1..<1) }
        let kept = try fixture.ledger.open().timings
        let set = kept.filter { $0.step == .set }.map(\.milliseconds)
        #expect(set == Array(7..<count) + [0, 0])
        #expect(kept.count { $0.step == .frame } == 3)
        for link in 0..<30 {
            try fixture.commit { $0.timings = timings("\(link)", .set, 0..<LedgerContents.timingsMax) }
        }
        #expect(try fixture.ledger.open().timings.count == Ledger.timingsMax)
        for number in 0..<Ledger.camerasMax + 5 {
            try fixture.commit {
                $0.cameras["\(number)"] = CameraRow(id: "\(number)", maker: "", model: "", firmware: "", address: "")
                $0.cameras["0"] = CameraRow(id: "0", maker: "", model: "", firmware: "", address: "")
            }
        }
        let cameras = Set(try fixture.ledger.open().cameras.map(\.id))
        #expect(cameras.count == Ledger.camerasMax)
        #expect(cameras.isSuperset(of: ["0", "104"]))
    }

    @Test func `the size of the log is bounded`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        var greatest = 0
        for id in 1...300 {
            try fixture.record(id, Array(repeating: .planned, count: 27))
            if id.isMultiple(of: 20) { greatest = max(greatest, fixture.bytes("ledger.sqlite-wal").count) }
        }
        #expect(greatest < 2 << 20)
    }

    @Test func `a long log is emptied after a commit that nothing waits for`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        func log() -> Int { fixture.bytes("ledger.sqlite-wal").count }
        try fixture.record(1, Array(repeating: .planned, count: 9))
        var count = 0
        while log() <= Ledger.logByteCountMax {
            count += 1
            try fixture.commit { $0.add(LedgerFixture.frame(1, count % 9, .attempting)) }
        }
        // The shutter waits for the first of these commits, and a press for the second one.
        try fixture.commit { $0.add(LedgerFixture.frame(1, 0, .attempting)) }
        try fixture.commit(isDurable: false) { $0.add(try? LedgerFixture.shoot(2)) }
        #expect(log() > Ledger.logByteCountMax)
        try fixture.commit(isDurable: false) { $0.add(LedgerFixture.frame(1, 0, .captured)) }
        #expect(log() == 0)
        #expect(fixture.frames(of: 1).first?.outcome == .captured)
        #expect(fixture.shoots() == [2, 1])
    }

    // MARK: Commits

    @Test func `a commit that fails in part writes nothing`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.planned])
        #expect(throws: LedgerFault.self) {
            try fixture.commit { rows in
                rows.add(try? LedgerFixture.shoot(2))
                // Numbers of shoots start at 1, so this row is invalid.
                rows.add(try? LedgerFixture.shoot(0))
                rows.add(LedgerFixture.frame(1, 0, .captured))
            }
        }
        #expect(fixture.shoots() == [1])
        #expect(fixture.frames(of: 1).map(\.outcome) == [.planned])
        try fixture.record(2, [.planned])
        #expect(fixture.shoots() == [2, 1])
    }

    @Test func `only a durable commit is synced`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        #expect(try fixture.ledger.synchronous() == 2)
        for isDurable in [false, true, true, false, false, true] {
            try fixture.commit(isDurable: isDurable) { $0.add(try? LedgerFixture.shoot(isDurable ? 1 : 2)) }
            #expect(try fixture.ledger.synchronous() == (isDurable ? 2 : 1))
        }
        // The shoot is created again, as after a start of the daemon without earlier state.
        try fixture.commit(isDurable: false) { $0.add(try? LedgerFixture.shoot(3)) }
        _ = try fixture.ledger.open()
        #expect(try fixture.ledger.synchronous() == 2)
    }

    @Test func `a durable commit without changes makes earlier commits durable`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        let row = LedgerFixture.frame(1, 0, .captured)
        try fixture.record(1, [.planned])
        try fixture.commit(isDurable: false) { $0.add(row) }
        let log = fixture.bytes("ledger.sqlite-wal").count
        #expect(log > 0)
        // SQLite syncs only if it writes. Here the row is unchanged, but the count of commits is written.
        try fixture.commit { $0.add(row) }
        #expect(fixture.bytes("ledger.sqlite-wal").count > log)
        #expect(try fixture.ledger.synchronous() == 2)
        let file = try LedgerFixture()
        try file.put(fixture.bytes())
        try file.put(fixture.bytes("ledger.sqlite-wal"), at: "ledger.sqlite-wal")
        _ = try file.ledger.open()
        #expect(file.frames(of: 1).map(\.outcome) == [.captured])
        // All earlier commits are durable, so no sync is needed and this commit stays in the log.
        try fixture.record(2, [.planned])
        #expect(fixture.bytes("ledger.sqlite-wal").count > 0)
    }

    @Test func `after a failed commit the earlier commits are copied into the file`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.planned])
        // Numbers of shoots start at 1, so this commit fails.
        #expect(throws: LedgerFault.self) { try fixture.commit { $0.add(try? LedgerFixture.shoot(0)) } }
        func inFile() throws -> [Int] {
            let file = try LedgerFixture()
            try file.put(fixture.bytes())
            _ = try file.ledger.open()
            return file.shoots()
        }
        #expect(try inFile() == [])
        try fixture.commit(isDurable: false) { $0.add(try? LedgerFixture.shoot(2)) }
        #expect(try inFile() == [1])
        try fixture.record(3, [.planned])
        #expect(try inFile() == [1])
        #expect(fixture.shoots() == [3, 2, 1])
    }

    @Test func `an unused ledger is not written`() throws {
        let fixture = try LedgerFixture()
        _ = try fixture.ledger.open()
        try fixture.record(1, [.planned]) { $0.outcome = .partial }
        func state() -> [String] {
            fixture.names.map { name in
                var status = stat()
                stat("\(fixture.directory)/\(name)", &status)
                return "\(name) \(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
            }
        }
        let before = state()
        _ = fixture.ledger.read(.shoots(limit: 10, before: nil))
        _ = fixture.ledger.read(.shoot(1))
        #expect(state() == before)
        // Opening the ledger does not write either. The rest of the log is copied into the file once.
        fixture.ledger.close()
        let closed = fixture.bytes()
        _ = try fixture.ledger.open()
        fixture.ledger.close()
        #expect(fixture.bytes() == closed)
    }
}
