import Bodies
import Cameras
import Controller
import Testing
import Worlds

/// The lamp's signals from the start to the end of the daemon.
@Suite struct LampTests {
    private static let long = PlanInput(shadow: "4\"", highlight: "1\"", frames: 3)

    /// The signals in order, from now until the condition holds.
    private func signs(_ bench: inout Bench, until condition: @escaping (Bench) -> Bool) -> [LampSignal] {
        var signs = [bench.daemon.lamp]
        bench.pass { bench in
            if signs.last != bench.daemon.lamp { signs.append(bench.daemon.lamp) }
            return condition(bench)
        }
        if signs.last != bench.daemon.lamp { signs.append(bench.daemon.lamp) }
        return signs
    }

    @Test func `the lamp shows a shoot without errors from the search to its end`() {
        var bench = Bench()
        #expect(signs(&bench) { $0.state("connection") == "connected" }.last == .ready)
        bench.ask(.shoot(Self.long, streams: false))
        let shoot = signs(&bench) { $0.state("shooting") == "completed" }
        #expect(shoot.last == .done)
        #expect(shoot.count { $0 == .exposing } == 3)
        #expect(Set(shoot) == [.betweenFrames, .exposing, .done])
    }

    @Test func `without a camera the lamp shows that the daemon waits`() {
        let bench = Bench(address: nil)
        #expect(bench.daemon.lamp == .waiting)
    }

    @Test func `a paused shoot shows that the user is needed`() {
        var bench = Bench()
        bench.pass { $0.state("connection") == "connected" }
        bench.ask(.shoot(Self.long, streams: false))
        bench.pass { $0.state("shooting") == "capturing" }
        bench.ask(.pause())
        #expect(bench.daemon.lamp == .exposing)
        bench.pass { $0.state("shooting") == "byCommand" }
        #expect(bench.daemon.lamp == .actionNeeded)
    }

    @Test func `a shoot that ended early shows that the user is needed, also after a restart`() {
        var bench = Bench(ScriptedCamera(twists: [.noPicture(1)]))
        bench.pass { $0.state("connection") == "connected" }
        bench.ask(.shoot(Self.long, streams: false))
        bench.pass { $0.state("shooting") == "partial" }
        #expect(bench.daemon.lamp == .actionNeeded)
    }

    @Test func `the lamp is dark when the daemon stops`() {
        var bench = Bench()
        bench.pass { $0.state("connection") == "connected" }
        bench.put(.stop)
        #expect(bench.daemon.lamp == .dark)
    }

    @Test func `without a camera the lamp never shows that a press fires, also after a shoot`() {
        var bench = Bench()
        bench.pass { $0.state("connection") == "connected" }
        bench.ask(.shoot(Self.long, streams: false))
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.daemon.lamp == .done)
        bench.ask(.disconnect)
        bench.pass(.seconds(1))
        #expect(bench.daemon.lamp == .waiting)
    }

    @Test func `a cancelled shoot does not show that the user is needed, also after a restart`() {
        var bench = Bench()
        bench.pass { $0.state("connection") == "connected" }
        bench.ask(.shoot(Self.long, streams: false))
        bench.pass { $0.state("shooting") == "capturing" }
        bench.ask(.cancel)
        bench.pass { $0.state("shooting") == "cancelled" }
        #expect(bench.daemon.lamp == .ready)
        bench.kill(writesPending: true)
        bench.restart()
        bench.pass { $0.state("connection") == "connected" && $0.state("shooting") == "interrupted" }
        #expect(bench.daemon.lamp == .ready)
    }
}
