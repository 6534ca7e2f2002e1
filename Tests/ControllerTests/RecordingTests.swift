import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// The order of writes to the disk, and the behaviour of a shoot while the disk does not write.
@Suite struct RecordingTests {
    private static let plan = ShootingTests.threeFrames
    private static let labels = ["1/250", "1/125", "1/60"]

    private func connected(
        _ mode: LedgerMode = .required,
        _ change: (inout VirtualLedger) -> Void = { _ in }
    ) -> Bench {
        var bench = Bench(ScriptedCamera(), ledger: mode)
        bench.ledger(change)
        return bench
    }

    private func outcome(_ bench: Bench) -> ShootOutcome? { bench.status.shoot?.outcome }

    private func settings(_ bench: Bench) -> Int {
        bench.scripted.commands.count { if case .setSpeed = $0 { true } else { false } }
    }

    /// The number of different frames that durable commits recorded as about to be fired.
    private func announced(_ bench: Bench) -> Int {
        let rows = bench.daemon.ledger.commits.filter(\.isDurable).flatMap(\.rows.frames.values)
        return Set(rows.filter { $0.outcome == .attempting }.map(\.index)).count
    }

    // MARK: A healthy disk

    @Test func `the daemon changes no setting on the camera before the shoot is on disk`() {
        var bench = connected { $0.delay = .milliseconds(300) }
        bench.ask(.shoot(Self.plan, streams: false))
        #expect(bench.state("shooting") == "recordingShoot")
        bench.pass(.milliseconds(299))
        #expect(settings(bench) == 0)
        bench.pass(.milliseconds(1))
        #expect(settings(bench) == 1)
        #expect(bench.daemon.ledger.tables.frames(of: 1).count == 3)
    }

    @Test(arguments: [false, true])
    func `a shoot is acknowledged once it is on disk, and not before`(streams: Bool) throws {
        var bench = connected { $0.delay = .milliseconds(300) }
        let id = bench.ask(.shoot(Self.plan, streams: streams))
        bench.pass(.milliseconds(299))
        #expect(bench.answers(to: id).isEmpty)
        // If the daemon is killed now, no trace remains, and no client has received a shoot.
        #expect(bench.daemon.ledger.tables.shoots[1] == nil)
        bench.pass(.milliseconds(1))
        #expect(bench.progress(of: id).first?.shoot == 1)
        #expect(bench.daemon.ledger.tables.shoots[1] != nil)
        bench.pass(.seconds(120))
        #expect(bench.progress(of: id).last?.outcome == (streams ? .completed : nil))
    }

    @Test(arguments: [false, true])
    func `a shoot that the disk does not take is answered with what it waits for`(streams: Bool) throws {
        var bench = connected { $0.delay = .seconds(20) }
        let id = bench.ask(.shoot(Self.plan, streams: streams))
        bench.pass(.milliseconds(999))
        #expect(bench.answers(to: id).isEmpty)
        bench.pass(.milliseconds(1))
        let first = try #require(bench.progress(of: id).first)
        #expect(first.sentence.contains("ledger"), "\(first.sentence)")
    }

    @Test
    func `a client that waits for its shoot receives the stop, and one that disconnected receives nothing`() throws {
        for isGone in [false, true] {
            var bench = connected { $0.delay = .milliseconds(300) }
            let id = bench.ask(.shoot(Self.plan, streams: false))
            if isGone { bench.put(.requestCancelled(id)) } else { bench.put(.stop) }
            bench.pass(.seconds(60))
            #expect(bench.answers(to: id).count == (isGone ? 0 : 1))
        }
    }

    @Test(arguments: [0, 1, 40, 700]) func `no shutter is released before the disk has the record of it`(delay: Int) {
        var bench = connected { $0.delay = .milliseconds(delay) }
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { bench in
            #expect(bench.scripted.fired.count <= announced(bench))
            return outcome(bench) != nil
        }
        #expect(outcome(bench) == .completed)
        #expect(announced(bench) == 3)
    }

    // A frame may wait for two commits, each of which takes this delay.
    @Test(arguments: [1, 499, 1500])
    func `the ledger's disk is named only when the shoot has waited for it for longer than a second`(delay: Int) {
        var bench = connected { $0.delay = .milliseconds(delay) }
        let id = bench.ask(.shoot(Self.plan, streams: true))
        #expect(bench.status.sentence.hasSuffix(": preparing. 0 of 3 exposures captured."))
        bench.pass { outcome($0) != nil }
        let phases = bench.progress(of: id).filter { $0.sentence.contains("waiting for the ledger's disk") }.map(
            \.phase
        )
        #expect(Set(phases) == (delay > 1000 ? ["shootDelayed", "frameDelayed"] : []))
        #expect(outcome(bench) == .completed)
    }

    @Test func `a shoot takes two commits for each frame, one before it and two after it, and none at rest`() {
        var bench = connected()
        bench.pass(.seconds(3600))
        let atRest = bench.daemon.ledger.commits.count
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { outcome($0) != nil }
        bench.pass(.seconds(3600))
        let ofShoot: Int = 1 + 2 * 3 + 1
        // The last commit records that the speed was restored.
        #expect(bench.daemon.ledger.commits.count - atRest == ofShoot + 1)
    }

    @Test func `a pause takes one commit, however long it is`() {
        var bench = connected()
        bench.ask(.shoot(ShootingTests.fifteenFrames, streams: false))
        bench.pass { $0.scripted.fired.count == 3 }
        bench.ask(.pause())
        bench.pass { $0.state("shooting") == "byCommand" }
        let before = bench.daemon.ledger.commits.count
        bench.pass(.seconds(3600))
        #expect(bench.daemon.ledger.commits.count - before <= 1)
    }

    @Test func `a disk that is faster than the camera's wheel delays no frame`() {
        func time(_ delay: Duration) -> Duration {
            var status = ScriptedCamera.ready
            status.speedSetting = .stepwise(perNotch: .milliseconds(100))
            var bench = Bench(ScriptedCamera(status: status))
            bench.ledger { $0.delay = delay }
            bench.ask(.shoot(Self.plan, streams: false))
            bench.pass { outcome($0) != nil }
            return bench.now
        }
        // The begin of the shoot is written first, and then the first frame. Only after the body accepts a speed does
        // it show whether its buffer is empty.
        #expect(time(.milliseconds(100)) - time(.zero) == .milliseconds(200))
    }

    // MARK: A slow disk

    @Test func `the shoot waits for a disk that takes two seconds, without a report`() {
        var bench = connected { $0.delay = .seconds(2) }
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("shooting") == "frameDelayed" }
        #expect(bench.status.sentence.contains("waiting for the ledger's disk"))
        bench.pass { outcome($0) != nil }
        #expect(outcome(bench) == .completed)
        #expect(bench.scripted.fired.map(\.label) == Self.labels)
        #expect(!bench.journal.contains { $0.level == .warning || $0.level == .error })
    }

    @Test func `a disk that does not answer for five seconds pauses the shoot until it answers`() {
        var bench = connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 }
        bench.ledger { $0.isSilent = true }
        bench.pass(.seconds(4))
        #expect(bench.state("shooting") == "frameDelayed")
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "unrecorded")
        #expect(bench.status.sentence.contains("did not answer for 5 s. No frame is fired until"))
        #expect(bench.scripted.fired.count == 1)
        bench.ledger { $0.isSilent = false }
        bench.pass { outcome($0) != nil }
        #expect(bench.scripted.fired.map(\.label) == Self.labels)
        bench.pass(.seconds(1))
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == .completed)
    }

    // MARK: A disk that takes nothing

    @Test(arguments: [false, true]) func `a full disk pauses the shoot, which resumes by itself, or at once by command`(
        resumes: Bool
    ) throws {
        var bench = connected()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 }
        bench.ledger { $0.writeFailure = "The ledger's disk is full." }
        bench.pass(.seconds(60))
        #expect(bench.state("shooting") == "unrecorded")
        #expect(bench.journal.contains { $0.fields.contains(.init("REASON", "not-recorded")) })
        let sentence = "The ledger's disk is full. No frame is fired until the ledger can be written."
        #expect(bench.status.sentence.contains(sentence))
        bench.ledger { $0.writeFailure = nil }
        let start = bench.now
        if resumes { bench.ask(.resume) }
        bench.pass { $0.state("shooting") != "unrecorded" }
        #expect(bench.now - start <= (resumes ? .zero : .seconds(10)))
        bench.pass { outcome($0) != nil }
        #expect(bench.scripted.fired.map(\.label) == Self.labels)
        #expect(bench.daemon.ledger.tables.frames(of: 1).map(\.outcome) == [.captured, .captured, .captured])
    }

    @Test func `best-effort continues, reports that nothing is recorded, and records all of it later`() {
        var bench = connected(.bestEffort)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.scripted.fired.count == 1 }
        bench.ledger { $0.writeFailure = "The ledger's disk is read-only." }
        bench.pass { outcome($0) != nil }
        #expect(outcome(bench) == .completed)
        #expect(bench.status.sentence.contains("The ledger's disk is read-only. Shoots continue without a record"))
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == nil)
        bench.ledger { $0.writeFailure = nil }
        bench.pass(.seconds(20))
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == .completed)
        #expect(!bench.status.sentence.contains("read-only"))
    }

    // MARK: Events during the wait

    @Test func `an error of an earlier shoot does not end one that waits for the disk`() throws {
        var bench = Bench(ScriptedCamera(twists: [.failIdle(1, after: .seconds(5))]), ledger: .required)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("shooting") == "partial" }
        try #require(bench.state("shooting") == "partial")
        bench.camera { camera, _ in camera.twists = [] }
        bench.pass(.seconds(4))
        bench.ledger { $0.delay = .seconds(2) }
        let id = bench.ask(.shoot(Self.plan, streams: true, drops: true))
        #expect(bench.state("shooting") == "recordingShoot")
        bench.pass(.milliseconds(1500))
        #expect(bench.state("shooting") == "shootDelayed", "\(bench.status)")
        bench.pass(.seconds(120))
        #expect(bench.progress(of: id).last?.outcome == .completed)
    }

    enum Meanwhile: CaseIterable { case pause, cancel, loss, network }

    @Test(
        arguments: ["recordingShoot", "shootDelayed", "recordingFrame", "frameDelayed", "unrecorded"],
        Meanwhile.allCases
    )
    func `commands, the link and the network count while the shoot waits for the disk`(
        state: String,
        event: Meanwhile
    ) throws {
        var bench = connected { $0.delay = .seconds(2) }
        bench.put(.network(.joined(ssid: "A")))
        bench.ask(.shoot(Self.plan, streams: false))
        if state == "unrecorded" { bench.ledger { $0.writeFailure = "Full." } }
        bench.pass { $0.state("shooting") == state }
        try #require(bench.state("shooting") == state)
        switch event {
        case .pause:
            bench.ask(.pause())
            #expect(bench.state("shooting") == "byCommand")
        case .cancel:
            bench.ask(.cancel)
            #expect(bench.state("shooting") == "cancelled")
        case .loss:
            bench.camera { camera, now in camera.tell(.lost(.closedByCamera), at: now) }
            #expect(bench.state("shooting") == "linkLost")
        case .network:
            bench.put(.network(.joined(ssid: "B")))
            #expect(["wifiSwitched", "linkLost"].contains(bench.state("shooting")))
        }
        bench.pass(.milliseconds(100))
        bench.put(.network(.joined(ssid: "A")))
        bench.ledger { $0.writeFailure = nil }
        bench.pass(.seconds(60))
        if event == .pause { bench.ask(.resume) }
        bench.pass(.seconds(120))
        #expect(outcome(bench) == (event == .cancel ? .cancelled : .completed), "\(bench.status)")
        #expect(bench.scripted.fired.map(\.label) == (event == .cancel ? [] : Self.labels))
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == outcome(bench))
    }

    // MARK: Opening

    /// A bench whose daemon is about to start, with a shoot in its ledger.
    private func killed(_ mode: LedgerMode) -> Bench {
        var bench = connected(mode)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { outcome($0) != nil }
        bench.pass(.seconds(1))
        bench.kill()
        return bench
    }

    @Test func `no shoot begins if the ledger is required and cannot be opened`() throws {
        var bench = killed(.required)
        bench.ledger { $0.openFailure = "The ledger's folder is not there: make it." }
        bench.restart()
        let id = bench.ask(.shoot(Self.plan, streams: false))
        let answer = String(describing: try #require(bench.answers(to: id).first))
        #expect(answer.contains("folder is not there: make it. No frame is fired until"))
        bench.ledger { $0.openFailure = nil }
        bench.ask(.shoot(Self.plan, streams: false))
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { outcome($0) != nil }
        #expect(bench.status.shoot?.shoot == 2)
        #expect(bench.scripted.fired.count == 6)
    }

    @Test func `the journal reports that the ledger is open after it reported that it is not`() {
        func levels(openTrouble: String?) -> [JournalEntry.Level] {
            var bench = killed(.required)
            bench.ledger { $0.openFailure = openTrouble }
            bench.restart()
            bench.pass(.seconds(1))
            bench.ledger { $0.openFailure = nil }
            let before = bench.journal.count
            bench.pass(.seconds(40))
            return (openTrouble == nil ? bench.journal[...] : bench.journal[before...])
                .filter { $0.message == "The ledger is open." }.map(\.level)
        }
        #expect(levels(openTrouble: "The disk reports an error.") == [.notice])
        #expect(!levels(openTrouble: nil).contains(.notice))
    }

    @Test(arguments: [LedgerMode.required, .bestEffort])
    func `the checks before a shoot wait for a ledger that is being opened`(mode: LedgerMode) throws {
        var bench = killed(mode)
        bench.ledger { $0.openDelay = .seconds(8) }
        bench.restart()
        bench.pass(.seconds(1))
        let id = bench.ask(.preflight(Self.plan))
        bench.pass(.seconds(6))
        #expect(bench.answers(to: id).isEmpty)
        bench.pass(.seconds(2))
        guard case .reply(.preflight(let report), _) = try #require(bench.answers(to: id).first) else {
            Issue.record("no report")
            return
        }
        #expect(report.failureSentence == nil)
        #expect(report.checks.first { $0.name == "ledger" }?.result == .pass)
    }

    @Test(arguments: [LedgerMode.required, .bestEffort])
    func `a shoot waits for a ledger that is being opened, and then begins`(mode: LedgerMode) throws {
        var bench = killed(mode)
        bench.ledger { $0.openDelay = .seconds(8) }
        bench.restart()
        bench.pass(.seconds(1))
        let id = bench.ask(.shoot(Self.plan, streams: false))
        bench.pass(.seconds(6))
        #expect(bench.answers(to: id).isEmpty)
        bench.pass { outcome($0) != nil }
        #expect(bench.progress(of: id).first?.shoot == 2)
        #expect(bench.daemon.ledger.tables.shoots.keys.sorted() == [1, 2])
        #expect(bench.scripted.fired.count == 6)
    }

    @Test func `a shoot waits ten seconds for the ledger, and is refused with the reason`() throws {
        var bench = killed(.required)
        bench.ledger { $0.openDelay = .seconds(12) }
        bench.restart()
        bench.pass(.seconds(1))
        let id = bench.ask(.shoot(Self.plan, streams: false))
        bench.pass(.seconds(8))
        #expect(bench.answers(to: id).isEmpty)
        bench.pass(.seconds(1))
        #expect(String(describing: bench.answers(to: id)).contains("The ledger is still being checked."))
        bench.pass(.seconds(30))
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `a shoot that waits for a ledger that cannot be opened is refused with the reason`() throws {
        var bench = killed(.required)
        bench.ledger {
            $0.openDelay = .seconds(3)
            $0.openFailure = "The ledger's folder is not there: make it."
        }
        bench.restart()
        let id = bench.ask(.shoot(Self.plan, streams: false))
        #expect(bench.answers(to: id).isEmpty)
        bench.pass(.seconds(3))
        #expect(String(describing: bench.answers(to: id)).contains("folder is not there: make it. No frame is fired"))
    }

    @Test func `a client that disconnects while its shoot waits for the ledger causes no shoot`() throws {
        var bench = killed(.required)
        bench.ledger { $0.openDelay = .seconds(5) }
        bench.restart()
        bench.pass(.seconds(1))
        let id = bench.ask(.shoot(Self.plan, streams: false))
        bench.put(.requestCancelled(id))
        bench.pass(.seconds(30))
        #expect(bench.answers(to: id).isEmpty)
        #expect(bench.scripted.fired.count == 3)
        #expect(bench.state("shooting") == "idle")
    }

    @Test func `a stop of the daemon answers a shoot that waits for the ledger`() throws {
        var bench = killed(.required)
        bench.ledger { $0.openDelay = .seconds(5) }
        bench.restart()
        let id = bench.ask(.shoot(Self.plan, streams: false))
        bench.put(.stop)
        #expect(bench.answers(to: id) == [.error(.stopping)])
    }

    @Test func `a shoot fired before a best-effort ledger was open does not replace another one there`() {
        var bench = killed(.bestEffort)
        let history = bench.daemon.ledger.tables.shoots
        bench.ledger { $0.openFailure = "The card is gone." }
        bench.restart()
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { outcome($0) != nil }
        #expect(bench.status.sentence.contains("The card is gone. Shoots continue without a record"))
        bench.ledger { $0.openFailure = nil }
        bench.pass(.seconds(40))
        #expect(bench.daemon.ledger.tables.shoots == history)
        let sentence = "The shoot that began before the ledger was open will not be recorded."
        #expect(bench.journal.contains { $0.message == sentence })
        bench.ask(.dismiss)
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { outcome($0) != nil }
        #expect(bench.daemon.ledger.tables.shoots.keys.sorted() == [1, 2])
        #expect(bench.daemon.ledger.tables.shoots[1] == history[1])
    }

    @Test func `the daemon reports that it moved a damaged ledger aside`() {
        var bench = killed(.required)
        bench.ledger { $0.notice = "The ledger was damaged and is now ledger.damaged." }
        bench.restart()
        #expect(bench.journal.contains { $0.level == .error && $0.message.hasPrefix("The ledger was damaged") })
    }

    // MARK: Never more than happened

    @Test(arguments: 0..<60) func `in any walk the ledger never has a frame as captured that was not`(seed: UInt64) {
        var bench = connected(seed % 2 == 0 ? .required : .bestEffort)
        // Knuth's MMIX generator: the same seed gives the same walk.
        var state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15
        for _ in 0..<60 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let choice = state >> 33
            switch choice % 12 {
            case 0: bench.ask(.shoot(Self.plan, streams: false))
            case 1: bench.ask(.resume)
            case 2: bench.ask(.pause(withRedo: choice % 24 == 2))
            case 3: bench.ledger { $0.writeFailure = choice % 24 == 3 ? nil : "Full." }
            case 4: bench.ledger { $0.isSilent.toggle() }
            case 5: bench.ledger { $0.delay = .milliseconds(Int(choice / 12 % 3000)) }
            case 6: bench.camera { camera, now in camera.tell(.lost(.closedByCamera), at: now) }
            case 7:
                bench.kill(writesPending: choice % 24 == 7, isPowerCut: choice % 36 == 7)
                bench.ledger {
                    $0.isSilent = false
                    $0.writeFailure = nil
                }
                bench.restart()
            case 8: bench.ask(.retry(streams: false))
            default: bench.pass(.milliseconds(Int(choice / 12 % 4000)))
            }
            let captured = bench.daemon.ledger.tables.frames.values.filter { $0.outcome.isCaptured }
            for label in Self.labels {
                let count = captured.count { $0.planned.speed.label == label }
                #expect(count <= bench.scripted.fired.count { $0.label == label })
            }
        }
    }
}
