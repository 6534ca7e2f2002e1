import Controller
import Statecharts
import Testing

/// Tests a machine's snapshot with a chart that has regions, a history and timers.
@Suite struct SnapshotOfChartTests {
    private func machine() -> Machine<ShootingSketch> {
        var machine = Machine(ShootingSketch(Oracle(), []))
        var (effects, recorder) = ([ShootingSketch.Effect](), NoRecorder())
        machine.start(at: .zero, effects: &effects, recorder: &recorder)
        return machine
    }

    private func tell(_ machine: inout Machine<ShootingSketch>, _ news: ShootingSketch.News...) {
        var (effects, recorder) = ([ShootingSketch.Effect](), NoRecorder())
        for news in news {
            machine.handle(ShootingSketch.input(news), at: machine.now, effects: &effects, recorder: &recorder)
        }
    }

    @Test func `machines with the same events have equal snapshots, whenever the events came`() {
        var (one, other) = (machine(), machine())
        tell(&one, .cameraReady, .start, .pause)
        var (effects, recorder) = ([ShootingSketch.Effect](), NoRecorder())
        other.advance(to: .seconds(7), effects: &effects, recorder: &recorder)
        tell(&other, .cameraReady, .start, .pause)
        #expect(one.snapshot == other.snapshot)
        #expect(one.snapshot.hashValue == other.snapshot.hashValue)
    }

    @Test func `a snapshot contains the active states, the armed timers and the history`() {
        var shooting = machine()
        tell(&shooting, .cameraReady, .start)
        #expect(shooting.snapshot.active.contains(Int(Shooting.State.settingSpeed.rawValue)))
        #expect(shooting.snapshot.timers.map { Shooting.names.events[$0.event] } == ["timeout.speed"])
        #expect(shooting.snapshot.records.isEmpty)
        tell(&shooting, .pause)
        #expect(shooting.snapshot.timers.isEmpty)
        #expect(shooting.snapshot.records.values.flatMap { $0 } == [Int(Shooting.State.preparing.rawValue)])
    }

    @Test func `a machine is in a legal configuration before its start and after it`() {
        #expect(Machine(ShootingSketch(Oracle(), [])).isConfigurationLegal)
        #expect(machine().isConfigurationLegal)
    }
}
