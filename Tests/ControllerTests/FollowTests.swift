import Bodies
import Cameras
import Exposure
import Testing
import Worlds

@testable import Controller

/// A client follows a shoot that another client, the button or a command began. It receives the remaining times.
@Suite struct FollowTests {
    private static let three = PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1)
    /// A plan with exposures of 1", 2" and 4".
    private static let long = PlanInput(shadow: "4\"", highlight: "1\"", frames: 3, spacing: 1)

    private func bench(
        _ twists: ScriptedCamera.Deviation...,
        change: (inout CameraStatus) -> Void = { _ in }
    ) -> Bench {
        var status = ScriptedCamera.ready
        change(&status)
        return Bench(ScriptedCamera(status: status, twists: twists))
    }

    /// All replies to a client that follows a shoot from this state to the shoot's end.
    private func joined(at state: String, on bench: inout Bench) -> [Progress] {
        bench.pass { $0.state("shooting") == state }
        let id = bench.ask(.follow(streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        return bench.progress(of: id)
    }

    @Test func `a client that follows a shoot gets the present step at once, and the other steps to the end`() {
        var bench = bench()
        bench.ask(.shoot(Self.three, streams: false))
        let steps = joined(at: "capturing", on: &bench)
        #expect(steps.first?.phase == "capturing" && steps.first?.frame == 1)
        // The last two replies: the settings were restored, and the shoot has ended.
        #expect(steps.map(\.phase).suffix(3) == ["waitingForIdle", "completed", "completed"])
        #expect(steps.last?.outcome == .completed)
    }

    @Test func `a client that follows a paused shoot receives its resumption`() {
        var bench = bench()
        bench.ask(.shoot(Self.three, streams: false))
        bench.pass { $0.state("shooting") == "capturing" }
        bench.ask(.pause())
        bench.pass { $0.state("shooting") == "byCommand" }
        let id = bench.ask(.follow(streams: true))
        #expect(bench.progress(of: id).map(\.phase) == ["byCommand"])
        bench.ask(.resume)
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.captured == 3)
    }

    @Test func `to follow a shoot that is over gives one answer with its outcome`() {
        var bench = bench()
        let shoot = bench.ask(.shoot(Self.three, streams: true))
        bench.pass { $0.progress(of: shoot).last?.outcome != nil }
        let id = bench.ask(.follow(streams: true))
        #expect(bench.answers(to: id).count == 1)
        guard case .reply(.progress(let end), continues: false)? = bench.answers(to: id).last else {
            Issue.record("no outcome: \(bench.answers(to: id))")
            return
        }
        #expect(end.outcome == .completed && end.remaining == nil)
    }

    @Test func `to follow is refused if there was no shoot`() {
        var bench = bench()
        let id = bench.ask(.follow(streams: true))
        guard case .error(.notNow(command: "Follow", _, let sentence))? = bench.answers(to: id).last else {
            Issue.record("not refused: \(bench.answers(to: id))")
            return
        }
        #expect(sentence == "No shoot is running.")
    }

    @Test func `to follow without steps gives one answer`() {
        var bench = bench()
        bench.ask(.shoot(Self.three, streams: false))
        bench.pass { $0.state("shooting") == "capturing" }
        let id = bench.ask(.follow(streams: false))
        bench.pass(.seconds(60))
        #expect(bench.progress(of: id).map(\.phase) == ["capturing"])
    }

    // MARK: Times

    @Test func `the time left is the plan's estimate at first, and decreases with each frame`() {
        var bench = bench()
        let plan = bench.ask(.plan(Self.long))
        guard case .reply(.plan(let report), _)? = bench.answers(to: plan).last else {
            Issue.record("no plan")
            return
        }
        let id = bench.ask(.shoot(Self.long, streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        let steps = bench.progress(of: id)
        #expect(steps.first?.remaining == .milliseconds(report.estimateMilliseconds))
        let settings = steps.filter { $0.phase == "settingSpeed" }.compactMap(\.remaining)
        // Exposures take 1, 2 and 4 s. The estimate adds 1.5 s for each frame.
        #expect(settings == [.milliseconds(11_500), .seconds(9), .milliseconds(5500)])
        #expect(steps.filter { $0.phase == "waitingForIdle" }.last?.remaining == .zero)
    }

    @Test func `dark frames count as time left if the camera reports that it takes them`() {
        var bench = bench { $0.noiseReduction = .on }
        let id = bench.ask(.shoot(Self.long, streams: true))
        #expect(bench.progress(of: id).first?.remaining == .milliseconds(11_500 + 7000))
    }

    @Test func `an exposure of two seconds or more is reported when the shutter opens`() {
        var bench = bench()
        let id = bench.ask(.shoot(Self.long, streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        let open = bench.progress(of: id).filter { $0.exposureLeft != nil }
        #expect(open.map(\.phase) == ["capturing", "capturing"])
        #expect(open.map(\.exposureLeft) == [.seconds(2), .seconds(4)])
    }

    @Test func `a client that joins during an exposure receives how much longer it takes`() {
        var bench = bench()
        bench.ask(.shoot(PlanInput(shadow: "30\"", highlight: "30\""), streams: false))
        bench.pass { $0.state("shooting") == "capturing" }
        bench.pass(.seconds(10))
        let id = bench.ask(.follow(streams: false))
        let step = bench.progress(of: id).last
        // The label 30" means 32 s.
        #expect(step?.exposureLeft == .seconds(22))
        #expect(step?.remaining == .milliseconds(22_000 + 1500))
    }
}
