import Bodies
import Cameras
import Controller
import Testing
import Worlds

/// What the lamp says, from start to end.
@Suite struct LampTests {
    private static let long = PlanInput(shadow: "4\"", highlight: "1\"", frames: 3)

    /// The signs that were shown one after the other while time passes until the condition holds.
    private func signs(_ bench: inout Bench, until condition: @escaping (Bench) -> Bool) -> [LampSign] {
        var signs = [bench.daemon.lamp]
        bench.pass { bench in
            if signs.last != bench.daemon.lamp { signs.append(bench.daemon.lamp) }
            return condition(bench)
        }
        if signs.last != bench.daemon.lamp { signs.append(bench.daemon.lamp) }
        return signs
    }

    @Test func `a shoot without trouble is told from the search to its end`() {
        var bench = Bench()
        #expect(signs(&bench) { $0.state("connection") == "connected" }.last == .ready)
        bench.ask(.shoot(Self.long, streams: false))
        let shoot = signs(&bench) { $0.state("shooting") == "completed" }
        #expect(shoot.last == .done)
        #expect(shoot.count { $0 == .exposing } == 3)
        #expect(Set(shoot) == [.betweenFrames, .exposing, .done])
    }

    @Test func `without a camera it waits`() {
        let bench = Bench(address: nil)
        #expect(bench.daemon.lamp == .waiting)
    }

    @Test func `a paused shoot needs somebody`() {
        var bench = Bench()
        bench.pass { $0.state("connection") == "connected" }
        bench.ask(.shoot(Self.long, streams: false))
        bench.pass { $0.state("shooting") == "capturing" }
        bench.ask(.pause())
        #expect(bench.daemon.lamp == .exposing)
        bench.pass { $0.state("shooting") == "byCommand" }
        #expect(bench.daemon.lamp == .needsYou)
    }

    @Test func `a shoot that stopped half way needs somebody, also after a restart`() {
        var bench = Bench(ScriptedCamera(twists: [.noPicture(1)]))
        bench.pass { $0.state("connection") == "connected" }
        bench.ask(.shoot(Self.long, streams: false))
        bench.pass { $0.state("shooting") == "partial" }
        #expect(bench.daemon.lamp == .needsYou)
    }

    @Test func `it is dark when the daemon stops`() {
        var bench = Bench()
        bench.pass { $0.state("connection") == "connected" }
        bench.put(.stop)
        #expect(bench.daemon.lamp == .dark)
    }

    @Test func `without a camera nothing shines that says a press fires, also after a shoot`() {
        var bench = Bench()
        bench.pass { $0.state("connection") == "connected" }
        bench.ask(.shoot(Self.long, streams: false))
        bench.pass { $0.state("shooting") == "completed" }
        #expect(bench.daemon.lamp == .done)
        bench.ask(.disconnect)
        bench.pass(.seconds(1))
        #expect(bench.daemon.lamp == .waiting)
    }

    @Test func `a shoot that was cancelled needs nobody, also after a restart`() {
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
