import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// After a stop request the daemon waits for the current frame and for nothing else.
@Suite struct ServiceTests {
    /// A plan with exposures of 1", 2" and 4".
    private static let long = PlanInput(shadow: "4\"", highlight: "1\"", frames: 3)

    private func bench(_ camera: ScriptedCamera = ScriptedCamera(), resumesByItself: Bool = false) -> Bench {
        var bench = Bench(camera) { $0.resumesByItself = resumesByItself }
        bench.pass { $0.state("connection") == "connected" }
        return bench
    }

    /// A bench during the exposure of a shoot's first frame.
    private func exposingBench(_ camera: ScriptedCamera = ScriptedCamera(), resumesByItself: Bool = false) -> Bench {
        var bench = bench(camera, resumesByItself: resumesByItself)
        bench.ask(.shoot(Self.long, streams: true))
        bench.pass { $0.state("shooting") == "capturing" }
        return bench
    }

    private func restart(_ bench: inout Bench) {
        bench.kill(writesPending: true)
        bench.restart()
    }

    @Test func `without a shoot the daemon ends at once`() {
        var bench = bench()
        let before = bench.now
        bench.put(.stop)
        bench.pass { $0.isFinished }
        #expect(bench.isFinished && bench.now - before < .seconds(1))
        #expect(bench.state("service") == "stopping")
    }

    @Test func `during an exposure the daemon waits for the end of the frame, and the rest can be fired later`() {
        var bench = exposingBench()
        bench.put(.stop)
        #expect(bench.state("service") == "finishingFrame")
        #expect(bench.daemon.status.hasPrefix("Stopping after this frame."))
        bench.pass { $0.state("shooting") != "capturing" }
        #expect(bench.status.shoot?.captured == 1)
        bench.pass { $0.isFinished }
        #expect(bench.scripted.fired.map(\.label) == ["1\""])
        restart(&bench)
        bench.pass { $0.state("shooting") == "interrupted" && $0.state("connection") == "connected" }
        #expect(bench.status.shoot?.captured == 1)
        bench.ask(.resume)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.scripted.fired.map(\.label) == ["1\"", "2\"", "4\""])
    }

    @Test func `a second stop request ends the wait, and the frame is in doubt`() {
        var bench = exposingBench()
        bench.put(.stop)
        #expect(!bench.isFinished)
        let before = bench.now
        bench.put(.stop)
        bench.pass { $0.isFinished }
        #expect(bench.now - before < .seconds(1))
        #expect(bench.journal.contains { $0.message.hasPrefix("A second stop request:") })
        restart(&bench)
        bench.pass { $0.state("shooting") == "interrupted" }
        #expect(bench.status.shoot?.captured == 0)
    }

    @Test func `the wait for a frame that does not end lasts as long as the frame may take, and no longer`() {
        var bench = exposingBench(ScriptedCamera(twists: [.noPicture(1)]))
        bench.put(.stop)
        let before = bench.now
        bench.pass { $0.isFinished }
        let waited = bench.now - before
        // The limit is the exposure and 15 s, as for each frame of a shoot.
        #expect(waited >= .seconds(15) && waited <= .seconds(17))
    }

    @Test func `a driver that needs more time for a capture gets it`() {
        var status = ScriptedCamera.ready
        status.captureTimeMax = .seconds(45)
        var bench = exposingBench(ScriptedCamera(status: status, twists: [.noPicture(1)]))
        bench.put(.stop)
        let before = bench.now
        bench.pass { $0.isFinished }
        let waited = bench.now - before
        #expect(waited >= .seconds(45) && waited <= .seconds(47))
    }

    @Test func `a stop while the speed is being set does not wait, and no more frames are fired`() {
        var bench = bench(ScriptedCamera(twists: [.silentOnSet(1)]))
        bench.ask(.shoot(Self.long, streams: false))
        bench.pass { $0.state("shooting") == "settingSpeed" }
        bench.put(.stop)
        #expect(bench.state("service") == "stopping")
        bench.pass { $0.isFinished }
        #expect(bench.scripted.fired.isEmpty)
    }

    @Test func `a stop waits for the last frame, and the shoot is complete`() {
        var bench = exposingBench()
        bench.pass { $0.status.shoot?.captured == 2 && $0.state("shooting") == "capturing" }
        bench.put(.stop)
        bench.pass { $0.isFinished }
        restart(&bench)
        bench.pass(.seconds(5))
        #expect(bench.state("shooting") == "idle")
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `a link that breaks during the wait for the frame ends the wait`() {
        var bench = exposingBench()
        bench.put(.stop)
        bench.camera { camera, now in camera.lose(now) }
        bench.pass { $0.isFinished }
        restart(&bench)
        bench.pass { $0.state("shooting") == "interrupted" }
        #expect(bench.status.shoot?.captured == 0)
    }

    @Test func `with automatic resumption a shoot that a stop interrupted resumes`() {
        var bench = exposingBench(resumesByItself: true)
        bench.put(.stop)
        bench.pass { $0.isFinished }
        restart(&bench)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.scripted.fired.map(\.label) == ["1\"", "2\"", "4\""])
    }

    @Test func `a pause request from before the stop is kept, also with automatic resumption`() {
        var bench = exposingBench(resumesByItself: true)
        bench.ask(.pause())
        bench.put(.stop)
        bench.pass { $0.isFinished }
        restart(&bench)
        bench.pass(.seconds(600))
        #expect(bench.state("shooting") == "interrupted")
        #expect(bench.scripted.fired.count == 1)
    }

    @Test func `a shoot that the user had paused stays paused after a stop, also with automatic resumption`() {
        var bench = exposingBench(resumesByItself: true)
        bench.ask(.pause())
        bench.pass { $0.state("shooting") == "byCommand" }
        bench.put(.stop)
        bench.pass { $0.isFinished }
        restart(&bench)
        bench.pass(.seconds(600))
        #expect(bench.state("shooting") == "interrupted")
        #expect(bench.scripted.fired.count == 1)
    }

    @Test func `the pause that a stop causes is reported as such`() {
        var bench = exposingBench()
        bench.put(.stop)
        bench.pass { $0.isFinished }
        let pause = bench.journal.first { $0.kind == .shootPaused }
        #expect(pause?.message == "Paused because the daemon is stopping.")
        #expect(pause?.fields.contains { $0.name == "REASON" && $0.value == "stopping" } == true)
    }

    @Test func `a daemon that is killed during the wait has kept no pause that was not requested`() {
        var bench = exposingBench(resumesByItself: true)
        bench.put(.stop)
        bench.pass { $0.state("shooting") == "waitingForIdle" }
        restart(&bench)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `during the wait for a frame no shoot begins, and the status can be read`() throws {
        var bench = exposingBench()
        bench.put(.stop)
        for request in [.resume, .cancel, .shoot(Self.long, streams: false), .watch] as [Request] {
            let order = bench.ask(request)
            #expect(bench.answers(to: order) == [.error(.stopping)])
        }
        let question = bench.ask(.getStatus)
        guard case .reply(.status, _) = try #require(bench.answers(to: question).first) else {
            Issue.record("no status")
            return
        }
        bench.pass { $0.isFinished }
        #expect(bench.scripted.fired.count == 1)
    }
}
