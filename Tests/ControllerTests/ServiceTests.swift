import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Told to stop, the daemon waits for the frame and for nothing else.
@Suite struct ServiceTests {
    /// 1", 2", 4".
    private static let long = PlanInput(shadow: "4\"", highlight: "1\"", frames: 3)

    private func bench(_ camera: ScriptedCamera = ScriptedCamera(), resumesByItself: Bool = false) -> Bench {
        var bench = Bench(camera) { $0.resumesByItself = resumesByItself }
        bench.pass { $0.state("connection") == "connected" }
        return bench
    }

    /// A bench in the exposure of a shoot's first frame.
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

    @Test func `without a shoot it ends at once`() {
        var bench = bench()
        let before = bench.now
        bench.put(.stop)
        bench.pass { $0.isFinished }
        #expect(bench.isFinished && bench.now - before < .seconds(1))
        #expect(bench.state("service") == "leaving")
    }

    @Test func `in an exposure it waits until the frame is over, and the rest can be fired later`() {
        var bench = exposingBench()
        bench.put(.stop)
        #expect(bench.state("service") == "finishingFrame")
        #expect(bench.daemon.status.hasPrefix("Stopping when this frame is over."))
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

    @Test func `told twice it does not wait, and the frame is in doubt`() {
        var bench = exposingBench()
        bench.put(.stop)
        #expect(!bench.isFinished)
        let before = bench.now
        bench.put(.stop)
        bench.pass { $0.isFinished }
        #expect(bench.now - before < .seconds(1))
        #expect(bench.journal.contains { $0.message.hasPrefix("Told to stop once more:") })
        restart(&bench)
        bench.pass { $0.state("shooting") == "interrupted" }
        #expect(bench.status.shoot?.captured == 0)
    }

    @Test func `a frame that does not end is waited for as long as it may take, and no longer`() {
        var bench = exposingBench(ScriptedCamera(twists: [.noPicture(1)]))
        bench.put(.stop)
        let before = bench.now
        bench.pass { $0.isFinished }
        let waited = bench.now - before
        // The exposure and 15 s, which is what the camera gets in a shoot too.
        #expect(waited >= .seconds(15) && waited <= .seconds(17))
    }

    @Test func `while the speed is being set nothing is waited for, and nothing is fired any more`() {
        var bench = bench(ScriptedCamera(twists: [.silentOnSet(1)]))
        bench.ask(.shoot(Self.long, streams: false))
        bench.pass { $0.state("shooting") == "settingSpeed" }
        bench.put(.stop)
        #expect(bench.state("service") == "leaving")
        bench.pass { $0.isFinished }
        #expect(bench.scripted.fired.isEmpty)
    }

    @Test func `the last frame is waited for, and the shoot is complete`() {
        var bench = exposingBench()
        bench.pass { $0.status.shoot?.captured == 2 && $0.state("shooting") == "capturing" }
        bench.put(.stop)
        bench.pass { $0.isFinished }
        restart(&bench)
        bench.pass(.seconds(5))
        #expect(bench.state("shooting") == "idle")
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `a link that breaks while the frame is waited for ends the waiting`() {
        var bench = exposingBench()
        bench.put(.stop)
        bench.camera { camera, now in camera.lose(now) }
        bench.pass { $0.isFinished }
        restart(&bench)
        bench.pass { $0.state("shooting") == "interrupted" }
        #expect(bench.status.shoot?.captured == 0)
    }

    @Test func `where shoots go on by themselves, one that a stop interrupted does`() {
        var bench = exposingBench(resumesByItself: true)
        bench.put(.stop)
        bench.pass { $0.isFinished }
        restart(&bench)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.scripted.fired.map(\.label) == ["1\"", "2\"", "4\""])
    }

    @Test func `a pause that a person wanted before the stop is kept, also where shoots go on by themselves`() {
        var bench = exposingBench(resumesByItself: true)
        bench.ask(.pause())
        bench.put(.stop)
        bench.pass { $0.isFinished }
        restart(&bench)
        bench.pass(.seconds(600))
        #expect(bench.state("shooting") == "interrupted")
        #expect(bench.scripted.fired.count == 1)
    }

    @Test func `a shoot that a person had paused stays so after a stop, also where shoots go on by themselves`() {
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

    @Test func `the pause that belongs to a stop is told as that`() {
        var bench = exposingBench()
        bench.put(.stop)
        bench.pass { $0.isFinished }
        let pause = bench.journal.first { $0.kind == .shootPaused }
        #expect(pause?.message == "Paused, since the daemon is to stop.")
        #expect(pause?.fields.contains { $0.name == "REASON" && $0.value == "stopping" } == true)
    }

    @Test func `a daemon killed while it waits has kept no pause that nobody wanted`() {
        var bench = exposingBench(resumesByItself: true)
        bench.put(.stop)
        bench.pass { $0.state("shooting") == "waitingForIdle" }
        restart(&bench)
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.scripted.fired.count == 3)
    }

    @Test func `while a frame is waited for nothing new begins, and the status can be asked for`() throws {
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
