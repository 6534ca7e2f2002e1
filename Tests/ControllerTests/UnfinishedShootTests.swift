import Bodies
import Cameras
import Exposure
import Testing
import Worlds

@testable import Controller

/// The missing frames of a shoot: events that drop them, and later requests that fire them.
@Suite struct UnfinishedShootTests {
    private static let plan = ShootingTests.threeFrames
    private static let button = RequestID.button

    /// A bench whose first shoot captured one of its three frames.
    private func bench(_ twists: ScriptedCamera.Deviation...) throws -> Bench {
        var bench = Bench(ScriptedCamera(twists: twists + [.failAfterPicture(1, .storageFull)]))
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("shooting") == "partial" }
        try #require(bench.status.shoot?.captured == 1)
        bench.camera { camera, _ in camera.twists = [] }
        bench.pass(.seconds(10))
        return bench
    }

    private func finish(_ bench: inout Bench) {
        bench.pass { $0.status.shoot?.outcome != nil && $0.daemon.ledger.nextTime == nil }
    }

    private func row(_ shoot: Int, _ bench: Bench) -> ShootRow? { bench.daemon.ledger.tables.shoots[shoot] }

    private func words(_ shoot: Int, _ bench: Bench) -> [FrameState] {
        bench.daemon.ledger.tables.frames(of: shoot).map(\.outcome)
    }

    /// The error that answers a request; nil: the answer is no error.
    private func error(_ request: Request, _ bench: inout Bench) -> RequestError? {
        let id = bench.ask(request)
        bench.pass(.milliseconds(1))
        guard case .error(let error)? = bench.answers(to: id).first else { return nil }
        return error
    }

    // MARK: Dropping

    @Test func `a new shoot does not drop frames without the client's consent`() throws {
        var bench = try bench()
        let missing = UnfinishedShoot(id: 1, missing: 2, total: 3)
        guard case .framesMissing(missing, let sentence)? = error(.shoot(Self.plan, streams: true), &bench) else {
            Issue.record("not refused")
            return
        }
        #expect(
            sentence == "Nothing was fired: Shoot 1 lacks 2 of 3 exposures. To fire them: bracketctl retry. To drop "
                + "them: bracketctl shoot --drop, or bracketctl dismiss."
        )
        #expect(bench.status.shoot?.shoot == 1 && row(1, bench)?.dismissal == nil)
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        finish(&bench)
        #expect(bench.status.shoot?.shoot == 2 && bench.status.shoot?.outcome == .completed)
        #expect(row(1, bench)?.dismissal == .shoot(2, by: .client))
        #expect(row(1, bench)?.outcome == .partial)
    }

    @Test func `preflight and the plan name the shoot whose frames would be dropped`() throws {
        var bench = try bench()
        let id = bench.ask(.preflight(Self.plan))
        guard case .reply(.preflight(let report), _)? = bench.answers(to: id).first else {
            Issue.record("no report")
            return
        }
        #expect(report.drops == UnfinishedShoot(id: 1, missing: 2, total: 3))
        let check = try #require(report.checks.first { $0.name == "last-shoot" })
        #expect(check.result == .warn)
        #expect(check.sentence == "Shoot 1 lacks 2 of 3 exposures. A new shoot drops these frames.")
        let question = bench.ask(.plan(Self.plan))
        guard case .reply(.plan(let plan), _)? = bench.answers(to: question).first else {
            Issue.record("no plan")
            return
        }
        #expect(plan.warnings.contains(check.text))
        bench.ask(.retry(streams: false))
        finish(&bench)
        let again = bench.ask(.preflight(Self.plan))
        guard case .reply(.preflight(let later), _)? = bench.answers(to: again).first else {
            Issue.record("no report")
            return
        }
        #expect(later.drops == nil && later.warnings.isEmpty)
    }

    @Test func `a shoot that the button begins after a cancel drops the rest, and the ledger records that`() throws {
        var bench = try bench()
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        bench.pass { $0.state("shooting") == "capturing" }
        bench.ask(.cancel)
        finish(&bench)
        try #require(bench.status.shoot?.outcome == .cancelled)
        bench.put(.button(.line(isPressed: false)))
        bench.put(.button(.edge(isPressed: true, at: bench.now)))
        bench.pass(.milliseconds(150))
        bench.put(.button(.edge(isPressed: false, at: bench.now)))
        finish(&bench)
        #expect(bench.status.shoot?.shoot == 3)
        #expect(row(2, bench)?.dismissal == .shoot(3, by: .button))
    }

    @Test func `dismiss is recorded as what dropped the frames`() throws {
        var bench = try bench()
        #expect(error(.dismiss, &bench) == nil)
        bench.pass(.seconds(1))
        #expect(row(1, bench)?.dismissal == .request)
        #expect(bench.state("shooting") == "idle")
    }

    @Test func `dismiss after a complete shoot changes nothing and reports that`() throws {
        var bench = try bench()
        bench.ask(.retry(streams: false))
        finish(&bench)
        let before = row(1, bench)
        let sentence = "Shoot 1 is complete: no frame was dropped and nothing was changed."
        #expect(error(.dismiss, &bench) == .notNow(command: "Dismiss", state: "completed", sentence: sentence))
        bench.pass(.seconds(1))
        #expect(row(1, bench) == before)
        #expect(bench.state("shooting") == "completed")
    }

    // MARK: Firing missing frames later

    @Test(arguments: [true, false])
    func `an older shoot continues by its number, and keeps its earlier records`(isRetry: Bool) throws {
        var bench = try bench()
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        finish(&bench)
        let first = bench.daemon.ledger.tables.frames(of: 1)[0]
        let second = bench.daemon.ledger.tables.frames(of: 2)
        let fired = bench.scripted.fired.count
        let id = bench.ask(isRetry ? .retryShoot(1, streams: true) : .resumeShoot(1))
        finish(&bench)
        #expect(bench.status.shoot?.shoot == 1 && bench.status.shoot?.outcome == .completed)
        #expect(bench.scripted.fired.dropFirst(fired).map(\.label) == ["1/125", "1/60"])
        #expect(row(1, bench)?.outcome == .completed && row(1, bench)?.dismissal == nil)
        #expect(bench.daemon.ledger.tables.frames(of: 1)[0] == first)
        #expect(bench.daemon.ledger.tables.frames(of: 2) == second)
        #expect(row(2, bench)?.outcome == .completed && row(2, bench)?.dismissal == nil)
        if isRetry {
            #expect(bench.progress(of: id).last?.outcome == .completed)
        } else {
            #expect(bench.answers(to: id) == [.reply(.done, continues: false)])
        }
        // The next shoot has its own number.
        bench.ask(.shoot(Self.plan, streams: false))
        finish(&bench)
        #expect(bench.status.shoot?.shoot == 3)
    }

    @Test(arguments: [Request.resumeShoot(1), .retryShoot(1, streams: false)])
    func `the number of the last shoot means the last shoot`(request: Request) throws {
        var bench = Bench(ScriptedCamera(twists: [.noPicture(2), .resolve(.fired)]))
        bench.ask(.shoot(Self.plan, streams: false))
        finish(&bench)
        try #require(words(1, bench) == [.captured, .unknown, .planned])
        #expect(error(request, &bench) == nil)
        finish(&bench)
        #expect(row(1, bench)?.outcome == .completed)
        // The camera reports that the frame in doubt of the last shoot was fired.
        #expect(bench.scripted.fired.map(\.label) == ["1/250", "1/60"])
    }

    @Test func `after a restart the newest shoot with missing frames is kept, though a later one is complete`() throws {
        var bench = try bench()
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        finish(&bench)
        bench.ask(.retryShoot(1, streams: false))
        bench.pass { $0.scripted.fired.count == 5 && $0.state("shooting") == "waitingForIdle" }
        bench.pass(.milliseconds(100))
        bench.kill()
        bench.restart()
        bench.pass(.seconds(1))
        #expect(bench.status.shoot?.shoot == 1 && bench.status.shoot?.outcome == .interrupted)
        bench.ask(.resume)
        finish(&bench)
        #expect(words(1, bench) == [.captured, .captured, .captured])
        #expect(bench.scripted.fired.count == 6)
    }

    @Test
    func `a frame in doubt of an older shoot is fired again, because the camera knows only its last one`() throws {
        var bench = Bench(ScriptedCamera(twists: [.noPicture(2), .resolve(.fired)]))
        bench.ask(.shoot(Self.plan, streams: false))
        finish(&bench)
        try #require(words(1, bench) == [.captured, .unknown, .planned])
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        finish(&bench)
        let asked = bench.scripted.commands.count
        bench.ask(.retryShoot(1, streams: false))
        finish(&bench)
        let later = bench.scripted.commands.dropFirst(asked)
        #expect(!later.contains { if case .resolveCapture = $0 { true } else { false } })
        #expect(bench.scripted.fired.suffix(2).map(\.label) == ["1/125", "1/60"])
        #expect(words(1, bench) == [.captured, .captured, .captured])
    }

    /// A bench whose shoots 1 and 2 lack frames. The deviations occur in the first frame of shoot 2.
    private func benchOfTwo(_ twists: ScriptedCamera.Deviation...) throws -> Bench {
        var bench = try bench()
        bench.camera { camera, _ in camera.twists = twists }
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        finish(&bench)
        try #require(bench.status.shoot?.shoot == 2 && bench.status.shoot?.outcome == .partial)
        bench.camera { camera, _ in camera.twists = [.resolve(.fired)] }
        bench.pass(.seconds(10))
        return bench
    }

    @Test(arguments: [true, false])
    func `an older shoot does not drop the last one's missing frames without the client's consent`(isRetry: Bool) throws
    {
        var bench = try benchOfTwo(.failAfterPicture(2, .storageFull))
        let (tables, fired) = (bench.daemon.ledger.tables, bench.scripted.fired.count)
        let missing = UnfinishedShoot(id: 2, missing: 2, total: 3)
        let plain: Request = isRetry ? .retryShoot(1, streams: false) : .resumeShoot(1)
        guard case .framesMissing(missing, let sentence)? = error(plain, &bench) else {
            Issue.record("not refused")
            return
        }
        #expect(
            sentence == "Nothing was fired: Shoot 2 lacks 2 of 3 exposures. To fire them: bracketctl retry. To drop "
                + "them: bracketctl \(isRetry ? "retry" : "resume") 1 --drop, or bracketctl dismiss."
        )
        bench.pass(.seconds(60))
        #expect(bench.scripted.fired.count == fired && bench.status.shoot?.shoot == 2)
        #expect(bench.daemon.ledger.tables.shoots == tables.shoots)
        bench.ask(isRetry ? .retryShoot(1, streams: false, drops: true) : .resumeShoot(1, drops: true))
        finish(&bench)
        #expect(bench.status.shoot?.shoot == 1 && bench.status.shoot?.outcome == .completed)
        #expect(row(2, bench)?.dismissal == .shoot(1, by: .client))
    }

    @Test func `an older shoot that continues replaces the last one, also after a kill`() throws {
        var bench = try benchOfTwo(.failAfterPicture(2, .storageFull))
        bench.ask(.retryShoot(1, streams: false, drops: true))
        bench.pass { $0.scripted.fired.count == 3 && $0.state("shooting") == "capturing" }
        bench.kill()
        bench.restart()
        bench.pass(.seconds(1))
        #expect(bench.status.shoot?.shoot == 1 && bench.status.shoot?.outcome == .interrupted)
        #expect(row(2, bench)?.dismissal == .shoot(1, by: .client) && row(1, bench)?.dismissal == nil)
        bench.ask(.resume)
        finish(&bench)
        #expect(bench.status.shoot?.shoot == 1 && bench.status.shoot?.outcome == .completed)
        #expect(words(2, bench) == [.captured, .planned, .planned])
        // A request with the number of a shoot fires the frames of that shoot, even if they were dropped.
        bench.ask(.retryShoot(2, streams: false))
        finish(&bench)
        #expect(words(2, bench) == [.captured, .captured, .captured] && row(2, bench)?.dismissal == nil)
    }

    @Test func `a doubt of the last shoot causes no question after an older one continued`() throws {
        var bench = try benchOfTwo(.noPicture(2))
        try #require(words(2, bench).first == .unknown)
        let asked = bench.scripted.commands.count
        bench.ask(.retryShoot(1, streams: false, drops: true))
        bench.pass { $0.scripted.fired.count == 2 && $0.state("shooting") == "waitingForIdle" }
        bench.pass(.milliseconds(100))
        bench.kill()
        bench.restart()
        bench.pass(.seconds(1))
        bench.ask(.resume)
        finish(&bench)
        let later = bench.scripted.commands.dropFirst(asked)
        #expect(!later.contains { if case .resolveCapture = $0 { true } else { false } })
        #expect(bench.status.shoot?.shoot == 1 && words(1, bench) == [.captured, .captured, .captured])
        #expect(words(2, bench) == [.unknown, .planned, .planned])
    }

    @Test func `a partial shoot that has every frame is not recorded as dismissed, and hides no other one`() throws {
        var bench = try bench()
        bench.camera { camera, _ in camera.twists = [.failAfterPicture(4, .storageFull)] }
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        finish(&bench)
        try #require(row(2, bench)?.outcome == .partial && words(2, bench) == [.captured, .captured, .captured])
        bench.camera { camera, _ in camera.twists = [] }
        bench.pass(.seconds(10))
        bench.ask(.retryShoot(1, streams: false))
        bench.pass { $0.scripted.fired.count == 5 && $0.state("shooting") == "capturing" }
        bench.kill()
        bench.restart()
        bench.pass(.seconds(1))
        #expect(row(2, bench)?.dismissal == nil)
        #expect(bench.status.shoot?.shoot == 1 && bench.status.shoot?.outcome == .interrupted)
    }

    // MARK: Refusals

    @Test func `a check that is left out does not refuse a shoot`() throws {
        var bench = Bench(ScriptedCamera(twists: [.failAfterPicture(1, .storageFull)])) {
            $0.skippedChecks = ["last-shoot"]
        }
        bench.ask(.shoot(Self.plan, streams: false))
        finish(&bench)
        try #require(bench.status.shoot?.outcome == .partial)
        bench.camera { camera, _ in camera.twists = [] }
        bench.pass(.seconds(10))
        #expect(error(.shoot(Self.plan, streams: false), &bench) == nil)
        finish(&bench)
        #expect(bench.status.shoot?.shoot == 2)
    }

    @Test func `no older shoot continues while the ledger cannot be written`() throws {
        var bench = Bench(ScriptedCamera(twists: [.failAfterPicture(1, .storageFull)]), ledger: .bestEffort)
        bench.ask(.shoot(Self.plan, streams: false))
        finish(&bench)
        bench.camera { camera, _ in camera.twists = [] }
        bench.pass(.seconds(10))
        bench.ledger { $0.writeFailure = "The disk is full." }
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        finish(&bench)
        try #require(bench.status.shoot?.shoot == 2)
        let fired = bench.scripted.fired.count
        for request in [Request.retryShoot(1, streams: false), .resumeShoot(1)] {
            guard case .ledgerUnavailable(let sentence)? = error(request, &bench) else {
                Issue.record("not refused")
                continue
            }
            #expect(sentence.contains("The disk is full."))
        }
        bench.pass(.seconds(5))
        #expect(bench.scripted.fired.count == fired && bench.status.shoot?.shoot == 2)
    }

    @Test func `a shoot that cannot continue is refused with the reason, and nothing changes`() throws {
        var bench = try bench()
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        finish(&bench)
        let (before, fired) = (bench.daemon.ledger.tables, bench.scripted.fired.count)
        guard case .noSuchShoot(9, _)? = error(.retryShoot(9, streams: true), &bench) else {
            Issue.record("shoot 9 is not refused")
            return
        }
        bench.ask(.retryShoot(1, streams: false))
        finish(&bench)
        let complete = "Shoot 2 has no missing frames."
        let refused = error(.resumeShoot(2), &bench)
        #expect(refused == .notNow(command: "Resume", state: "completed", sentence: complete))
        #expect(bench.status.shoot?.shoot == 1)
        #expect(bench.scripted.fired.count == fired + 2)
        #expect(bench.daemon.ledger.tables.frames(of: 2) == before.frames(of: 2))
    }

    @Test func `an older shoot of another camera is refused, and the last shoot stays unchanged`() throws {
        var bench = try bench()
        bench.camera { camera, now in
            camera.identity.id = "8"
            camera.tell(.lost(.closedByCamera), at: now)
        }
        bench.pass(.seconds(30))
        try #require(bench.state("connection") == "connected")
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        finish(&bench)
        let before = bench.daemon.ledger.tables
        guard case .preflightFailed(let checks, _)? = error(.retryShoot(1, streams: true), &bench) else {
            Issue.record("not refused")
            return
        }
        #expect(checks.map(\.name) == ["camera"])
        bench.pass(.seconds(60))
        #expect(bench.status.shoot?.shoot == 2)
        #expect(bench.daemon.ledger.tables.shoots == before.shoots)
        #expect(bench.daemon.ledger.tables.frames == before.frames)
    }

    @Test func `during a shoot no other one can continue`() throws {
        var bench = try bench()
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        let sentence = "A shoot is running. Wait until it ends, or cancel it."
        let requests = [("Retry", Request.retryShoot(1, streams: true)), ("Resume", .resumeShoot(1))]
        for (command, request) in requests {
            guard case .notNow(command, _, sentence)? = error(request, &bench) else {
                Issue.record("\(command) is not refused")
                continue
            }
        }
        finish(&bench)
        // The ledger answers these requests only after the next shoot has begun.
        bench.ledger { $0.isSilent = true }
        let ids = requests.map { bench.ask($0.1) }
        bench.ledger { $0.isSilent = false }
        bench.ask(.shoot(Self.plan, streams: false))
        finish(&bench)
        for (id, (command, _)) in zip(ids, requests) {
            guard case .error(.notNow(command, _, sentence))? = bench.answers(to: id).first else {
                Issue.record("\(command) is not refused: \(bench.answers(to: id))")
                continue
            }
        }
        #expect(bench.status.shoot?.shoot == 3)
    }

    @Test func `a client that disconnects before the ledger answers fires nothing`() throws {
        var bench = try bench()
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        finish(&bench)
        bench.ledger { $0.isSilent = true }
        let id = bench.ask(.retryShoot(1, streams: true))
        bench.put(.requestCancelled(id))
        bench.ledger { $0.isSilent = false }
        bench.pass(.seconds(60))
        #expect(bench.status.shoot?.shoot == 2)
        #expect(bench.answers(to: id).isEmpty)
    }
}
