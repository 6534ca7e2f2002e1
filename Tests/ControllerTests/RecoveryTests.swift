import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// The state that an earlier run of the daemon left, and the way in which the shoot continues.
@Suite struct RecoveryTests {
    private static let plan = ShootingTests.threeFrames
    private static let labels = ["1/250", "1/125", "1/60"]

    private func outcome(_ bench: Bench) -> ShootOutcome? { bench.status.shoot?.outcome }

    private func frames(_ bench: Bench) -> [FrameState] { bench.daemon.ledger.tables.frames(of: 1).map(\.outcome) }

    private func answer(_ bench: inout Bench, _ request: Request) -> String {
        let id = bench.ask(request)
        return String(describing: bench.answers(to: id))
    }

    /// A bench whose shoot reached a state after a number of released frames.
    private func bench(
        in state: String,
        fired: Int = 1,
        _ twists: ScriptedCamera.Deviation...,
        plan: PlanInput = plan,
        change: (inout CoreConfiguration) -> Void = { _ in }
    ) throws -> Bench {
        var bench = Bench(ScriptedCamera(twists: twists), change: change)
        bench.ledger { $0.delay = .milliseconds(20) }
        bench.ask(.shoot(plan, streams: false))
        bench.pass { $0.scripted.fired.count >= fired && $0.state("shooting") == state }
        try #require(bench.state("shooting") == state)
        return bench
    }

    private func finish(_ bench: inout Bench) {
        bench.pass { outcome($0) != nil && $0.daemon.ledger.nextTime == nil }
    }

    // MARK: Killed

    @Test(
        arguments: [
            ("recordingShoot", 0), ("recordingFrame", 0), ("capturing", 1),
            ("waitingForIdle", 2), ("recordingFrame", 2), ("waitingForIdle", 3),
        ],
        [false, true]
    )
    func `a shoot killed in any phase is interrupted, and a command completes it under its own number`(
        place: (state: String, fired: Int),
        keepsWrites: Bool
    ) throws {
        var bench = try bench(in: place.state, fired: place.fired)
        bench.kill(writesPending: keepsWrites)
        bench.restart()
        bench.pass(.seconds(3600))
        #expect(bench.scripted.fired.count == place.fired)
        if place.fired == 3, keepsWrites {
            #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == .completed)
            return
        }
        let isKept = place.state != "recordingShoot" || keepsWrites
        guard isKept else {
            #expect(bench.state("shooting") == "idle")
            return
        }
        #expect(bench.state("shooting") == "interrupted")
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == .interrupted)
        #expect(bench.daemon.ledger.tables.shoots[1]?.cause == "The daemon ended before the shoot ended.")
        #expect(bench.status.sentence.contains("Interrupted. Stopped"))
        bench.ask(.resume)
        finish(&bench)
        #expect(outcome(bench) == .completed)
        #expect(Set(bench.scripted.fired.map(\.label)) == Set(Self.labels))
        #expect(bench.scripted.fired.count <= 4)
        #expect(frames(bench) == [.captured, .captured, .captured])
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == .completed)
        #expect(bench.daemon.ledger.tables.shoots[1]?.cause == nil)
        bench.ask(.shoot(Self.plan, streams: false))
        finish(&bench)
        #expect(bench.daemon.ledger.tables.shoots.keys.sorted() == [1, 2])
    }

    @Test func `a frame under way is unknown everywhere, and the question about it contains the known facts`() throws {
        var bench = try bench(in: "capturing", .resolve(.fired))
        bench.kill()
        bench.restart()
        bench.pass(.seconds(1))
        #expect(frames(bench) == [.unknown, .planned, .planned])
        let sentence = "The frame at 1/250 may have been fired."
        #expect(bench.status.sentence.contains(sentence))
        #expect(bench.journal.contains { $0.kind == .shootInterrupted && $0.message.contains(sentence) })
        bench.ask(.resume)
        finish(&bench)
        #expect(bench.scripted.commands.contains(.resolveCapture(shotsLeftBefore: 500)))
        #expect(bench.scripted.fired.map(\.label) == Self.labels)
        #expect(outcome(bench) == .completed)
    }

    @Test func `a count of an incomplete record proves nothing about a frame under way`() throws {
        var bench = try bench(in: "waitingForIdle", .resolve(.fired))
        bench.pass(.milliseconds(100))
        bench.kill()
        // The lost commit recorded that the frame was captured.
        bench.ledger { $0.loseLast(1) }
        bench.restart()
        bench.pass(.seconds(1))
        #expect(frames(bench) == [.unknown, .planned, .planned])
        bench.ask(.resume)
        finish(&bench)
        #expect(bench.scripted.commands.contains(.resolveCapture(shotsLeftBefore: nil)))
        #expect(!bench.scripted.commands.contains(.resolveCapture(shotsLeftBefore: 500)))
    }

    @Test func `a frame that the camera cannot resolve is fired again`() throws {
        var bench = try bench(in: "capturing", fired: 2)
        bench.kill()
        bench.restart()
        bench.ask(.resume)
        bench.pass(.seconds(1))
        bench.ask(.resume)
        finish(&bench)
        // The body has not reported its shot counter since. The count from before the first frame proves nothing.
        #expect(bench.scripted.commands.contains(.resolveCapture(shotsLeftBefore: nil)))
        #expect(bench.scripted.fired.map(\.label) == ["1/250", "1/125", "1/125", "1/60"])
    }

    @Test func `a late shot counter is recorded too, and the shutter does not wait for it`() throws {
        var bench = try bench(in: "waitingForIdle")
        bench.ledger { $0.delay = .milliseconds(200) }
        bench.pass { $0.state("shooting") == "recordingFrame" }
        bench.camera { camera, now in camera.tell(.status(camera.status), at: now) }
        let asked = bench.now
        bench.pass { $0.state("shooting") == "capturing" }
        #expect(bench.now - asked <= .milliseconds(200))
        bench.ledger { $0.delay = .zero }
        bench.pass(.milliseconds(300))
        #expect(bench.daemon.ledger.tables.frames(of: 1).map(\.shotsLeft) == [500, 499, nil])
        let commits = bench.daemon.ledger.commits.filter { $0.rows.frames.values.contains { $0.shotsLeft == 499 } }
        #expect(commits.last?.isDurable == false)
    }

    @Test func `a shoot that had every frame when the daemon ended is completed without a request`() throws {
        var bench = try bench(in: "waitingForIdle", fired: 3)
        bench.pass(.milliseconds(499))
        bench.ledger { $0.delay = .seconds(1) }
        bench.pass { outcome($0) != nil }
        bench.kill()
        bench.ledger { $0.delay = .zero }
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == nil)
        bench.restart()
        bench.pass(.seconds(1))
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == .completed)
        #expect(bench.daemon.ledger.tables.shoots[1]?.cause == nil)
        #expect(bench.state("shooting") == "idle")
    }

    @Test func `an interrupted shoot resumes by itself if the configuration says so, and no other shoot does`() throws {
        var bench = try bench(in: "waitingForIdle", change: { $0.resumesByItself = true })
        bench.pass(.milliseconds(100))
        bench.kill()
        bench.restart()
        finish(&bench)
        #expect(outcome(bench) == .completed)
        #expect(bench.scripted.fired.map(\.label) == Self.labels)

        bench = try self.bench(in: "waitingForIdle", change: { $0.resumesByItself = true })
        bench.ask(.cancel)
        bench.pass(.seconds(5))
        bench.kill()
        bench.restart()
        bench.pass(.seconds(3600))
        #expect(bench.scripted.fired.count == 1)
    }

    @Test(arguments: [nil] + RequestedStop.allCases)
    func `the user's order decides whether a shoot resumes by itself, not the sentence about it`(
        stop: RequestedStop?
    ) throws {
        var bench = try bench(in: "waitingForIdle", change: { $0.resumesByItself = true })
        bench.pass(.milliseconds(100))
        bench.kill()
        bench.ledger {
            $0.change { tables in
                tables.shoots[1]?.requestedStop = stop
                tables.shoots[1]?.cause = stop == nil ? RequestedStop.pause.sentence : "Another sentence."
            }
        }
        bench.restart()
        bench.pass(.seconds(3600))
        #expect(outcome(bench) == (stop == nil ? .completed : .interrupted))
        #expect(bench.scripted.fired.count == (stop == nil ? Self.labels.count : 1))
    }

    @Test func `with an incomplete record no shoot resumes by itself, at no later start either`()
        throws
    {
        var bench = try bench(in: "waitingForIdle", fired: 2, change: { $0.resumesByItself = true })
        bench.kill()
        bench.ledger { $0.loseLast(1) }
        // The camera reports no counter, so nothing can be compared with the ledger.
        bench.camera { camera, _ in camera.status.shotsLeft = nil }
        for _ in 0..<2 {
            bench.restart()
            bench.pass(.seconds(3600))
            #expect(bench.scripted.fired.count == 2)
            #expect(bench.state("shooting") == "interrupted")
            let said = bench.journal.map(\.message).filter { $0.contains("is not resumed") }
            #expect(said.last?.contains("The ledger lost its last changes") == true)
            bench.kill()
        }
        // The user has checked the card, and resumes.
        bench.restart()
        bench.pass(.seconds(1))
        _ = answer(&bench, .resume)
        finish(&bench)
        #expect(outcome(bench) == .completed)
    }

    @Test(arguments: [Request.resume, .retry(streams: false)])
    func `a command fires no frame that the camera's counter contradicts`(request: Request) throws {
        var bench = try bench(in: "waitingForIdle", fired: 2)
        bench.kill()
        // The lost commit recorded that frame 2 was about to be fired.
        bench.ledger { $0.loseLast(1) }
        bench.restart()
        bench.pass(.seconds(1))
        let said = answer(&bench, request)
        #expect(said.contains("counter shows 1 more exposure than the ledger."), "\(said)")
        #expect(said.contains("Then start the plan again with bracketctl shoot"))
        bench.pass(.seconds(3600))
        #expect(bench.scripted.fired.count == 2)
        bench.ask(.shoot(Self.plan, streams: false, drops: true))
        finish(&bench)
        #expect(outcome(bench) == .completed)
        #expect(bench.scripted.fired.count == 5)
        #expect(bench.daemon.ledger.tables.shoots.keys.sorted() == [1, 2])
    }

    @Test func `a counter that fits, or another card's, does not prevent a shoot from continuing`() throws {
        for count in [499, 100, 2000] {
            var bench = try bench(in: "waitingForIdle", fired: 2)
            bench.kill()
            bench.ledger { $0.loseLast(1) }
            bench.camera { camera, _ in camera.status.shotsLeft = count }
            bench.restart()
            bench.pass(.seconds(1))
            _ = answer(&bench, .resume)
            finish(&bench)
            #expect(outcome(bench) == .completed, "\(count)")
        }
    }

    @Test(arguments: [Request.resume, .retry(streams: false)])
    func `a command that continues a shoot waits for a ledger that is being opened`(request: Request) throws {
        var bench = try bench(in: "waitingForIdle", .resolve(.fired))
        bench.kill()
        bench.ledger { $0.openDelay = .seconds(5) }
        bench.restart()
        bench.pass(.seconds(1))
        let id = bench.ask(request)
        bench.pass(.seconds(3))
        #expect(bench.answers(to: id).isEmpty)
        finish(&bench)
        #expect(outcome(bench) == .completed)
        #expect(bench.scripted.fired.map(\.label) == Self.labels)
    }

    @Test func `another body does not continue the shoot`() throws {
        var bench = try bench(in: "waitingForIdle")
        bench.kill()
        bench.camera { camera, _ in camera.identity.id = "8" }
        bench.restart()
        bench.pass(.seconds(1))
        #expect(
            answer(&bench, .resume).contains("The shoot began on Sony Script (7), but Sony Script (8) is connected.")
        )
        bench.pass(.seconds(60))
        #expect(bench.scripted.fired.count == 1)
    }

    // MARK: Ended before

    @Test func `a dismissed shoot stays dismissed`() throws {
        var bench = try bench(in: "waitingForIdle")
        bench.ask(.cancel)
        bench.pass(.seconds(5))
        bench.ask(.dismiss)
        bench.pass(.seconds(1))
        bench.kill(isPowerCut: true)
        bench.restart()
        bench.pass(.seconds(1))
        #expect(bench.state("shooting") == "idle")
        #expect(answer(&bench, .retry(streams: false)).contains("The last shoot has no missing frames."))
    }

    @Test func `a cancelled shoot stays cancelled, and its missing frames can be fired after a restart`() throws {
        var bench = try bench(in: "waitingForIdle")
        bench.ask(.cancel)
        bench.pass(.seconds(5))
        bench.kill()
        bench.restart()
        bench.pass(.seconds(1))
        #expect(outcome(bench) == .cancelled)
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == .cancelled)
        #expect(answer(&bench, .resume).contains("notNow"))
        bench.ask(.retry(streams: false))
        finish(&bench)
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == .completed)
        #expect(bench.scripted.fired.map(\.label) == Self.labels)
    }

    @Test func `a partial shoot keeps its cause after a restart`() throws {
        var bench = try bench(in: "partial", .failAfterPicture(1, .storageFull))
        bench.pass(.seconds(1))
        let row = try #require(bench.daemon.ledger.tables.shoots[1])
        #expect(row.outcome == .partial && row.cause != nil)
        bench.kill()
        bench.restart()
        bench.pass(.seconds(1))
        #expect(bench.daemon.ledger.tables.shoots[1] == row)
        #expect(bench.status.shoot?.cause == row.cause)
        bench.camera { camera, _ in camera.twists = [] }
        bench.ask(.retry(streams: false))
        finish(&bench)
        #expect(bench.daemon.ledger.tables.shoots[1]?.outcome == .completed)
    }

    @Test func `a stop of the daemon interrupts its shoot, and the report says how to continue it`() throws {
        var bench = try bench(in: "capturing")
        bench.put(.stop)
        bench.pass(.seconds(10))
        #expect(bench.isFinished)
        let row = try #require(bench.daemon.ledger.tables.shoots[1])
        #expect(row.outcome == .interrupted)
        #expect(row.cause?.contains("The daemon stopped.") == true)
        #expect(frames(bench) == [.captured, .planned, .planned])
        #expect(!bench.journal.contains { $0.message.contains("frames are dropped") })
        bench.kill()
        bench.restart()
        bench.pass(.seconds(1))
        #expect(bench.daemon.ledger.tables.shoots[1] == row)
        bench.ask(.resume)
        finish(&bench)
        #expect(outcome(bench) == .completed)
    }

    // MARK: Redo

    @Test func `redo fires the last frame once more, in every state`() throws {
        for (state, fired) in [("capturing", 2), ("waitingForIdle", 2), ("recordingFrame", 2)] {
            var bench = try bench(in: state, fired: fired)
            #expect(answer(&bench, .redo).contains("done"))
            #expect(answer(&bench, .redo).contains("the frame is already planned"))
            finish(&bench)
            #expect(bench.scripted.fired.map(\.label).sorted() == (Self.labels + ["1/125"]).sorted(), "\(state)")
            #expect(outcome(bench) == .completed)
        }
        var bench = try bench(in: "completed", fired: 3)
        #expect(answer(&bench, .redo).contains("Reply.done"))
        finish(&bench)
        #expect(bench.scripted.fired.map(\.label) == Self.labels + ["1/60"])
        bench = Bench()
        #expect(answer(&bench, .redo).contains("There is no frame to fire again."))
    }

    @Test(arguments: [true, false])
    func `redo of a shoot that is not kept is refused after a restart and after dismiss`(restarts: Bool) throws {
        // A complete shoot cannot be dismissed.
        var bench = try restarts ? bench(in: "completed", fired: 3) : bench(in: "waitingForIdle")
        if !restarts { bench.ask(.cancel) }
        bench.pass(.seconds(60))
        let fired = bench.scripted.fired.count
        if restarts {
            bench.kill(writesPending: true)
            bench.restart()
            bench.pass(.seconds(60))
        } else {
            #expect(answer(&bench, .dismiss).contains("done"))
        }
        let refusal =
            "There is no frame of shoot 1 to fire again: the shoot was dismissed, or ended before the daemon started."
        #expect(answer(&bench, .redo).contains(refusal))
        #expect(bench.scripted.fired.count == fired)
    }

    @Test func `a body that is busy when the frame is fired again only delays it`() throws {
        var bench = try bench(in: "completed", fired: 3, .busyOnShutter(4))
        bench.ask(.redo)
        finish(&bench)
        #expect(bench.scripted.fired.map(\.label) == Self.labels + ["1/60"])
    }

    @Test func `pause with redo pauses after the frame and fires it again on resume, also after a crash`() throws {
        for crashes in [false, true] {
            var bench = try bench(in: "capturing", fired: 2)
            #expect(answer(&bench, .pause(withRedo: true)).contains("done"))
            bench.pass(.seconds(60))
            #expect(bench.state("shooting") == "byCommand")
            #expect(bench.scripted.fired.count == 2)
            // The shoot is already paused, and the frame is already marked to be fired again.
            #expect(answer(&bench, .pause(withRedo: true)).contains("notNow"))
            if crashes {
                bench.kill(isPowerCut: true)
                bench.restart()
                bench.pass(.seconds(1))
            }
            bench.ask(.resume)
            finish(&bench)
            #expect(bench.scripted.fired.map(\.label) == ["1/250", "1/125", "1/125", "1/60"])
        }
    }

    @Test func `a frame whose second firing was cut off is fired again`() throws {
        var bench = try bench(in: "completed", fired: 3)
        bench.ask(.redo)
        bench.pass { $0.state("shooting") == "capturing" }
        bench.kill()
        #expect(bench.daemon.ledger.tables.frames(of: 1).last?.again == .attempting)
        bench.restart()
        bench.pass(.seconds(1))
        #expect(bench.state("shooting") == "interrupted")
        #expect(frames(bench) == [.captured, .captured, .captured])
        bench.ask(.resume)
        finish(&bench)
        #expect(bench.scripted.fired.map(\.label) == Self.labels + ["1/60", "1/60"])
        #expect(bench.daemon.ledger.tables.frames(of: 1).last?.again == .captured)
        #expect(outcome(bench) == .completed)
    }

    // MARK: History

    @Test
    func `the history has rows that are not written yet, and a disk that does not answer does not delay it`() throws {
        var bench = Bench(
            ScriptedCamera(twists: [.fileTime(.milliseconds(700))]),
            transfer: TransferConfiguration(policy: .jpeg)
        )
        bench.pass { $0.state("connection") == "connected" }
        bench.ask(.shoot(Self.plan, streams: false))
        bench.pass { $0.state("shooting") == "completed" }
        bench.ledger { $0.delay = .seconds(2) }
        bench.pass { $0.state("recording") == "writing" }
        let early = bench.ask(.readLedger(.shoot(1)))
        #expect(bench.answers(to: early).isEmpty)
        bench.pass { !$0.answers(to: early).isEmpty }
        guard case .reply(.ledger(.shoot(_, let frames)), _)? = bench.answers(to: early).first else {
            Issue.record("\(bench.answers(to: early))")
            return
        }
        #expect(frames.allSatisfy { !$0.files.isEmpty })
    }

    @Test func `the history reports shoots and frames, and an unknown shoot`() throws {
        var bench = try bench(in: "completed", fired: 3)
        bench.pass(.seconds(1))
        let listing = bench.ask(.readLedger(.shoots(limit: 10, before: nil)))
        let showing = bench.ask(.readLedger(.shoot(1)))
        let list = bench.answers(to: listing)
        guard case .reply(.ledger(.shoots(let shoots)), _)? = list.first else {
            Issue.record("\(list)")
            return
        }
        #expect(shoots.map(\.captured) == [3] && shoots.map(\.shoot.outcome) == [.completed])
        guard case .reply(.ledger(.shoot(_, let frames)), _)? = bench.answers(to: showing).first else {
            Issue.record("no frames")
            return
        }
        #expect(frames.map(\.planned.speed.label) == Self.labels)
        #expect(frames.allSatisfy { $0.attempted != nil && $0.captured != nil })
        #expect(answer(&bench, .readLedger(.shoot(9))).contains("The ledger has no shoot 9."))
        bench = Bench(ledger: .off)
        #expect(answer(&bench, .readLedger(.shoot(1))).contains("The ledger is off"))
    }
}
