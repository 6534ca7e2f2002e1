import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// The daemon fires a plan exactly as it was shown to the user, or refuses to fire.
@Suite struct PlanIdentityTests {
    private static let identity = CameraIdentity(maker: "Sony", model: "Script", firmware: "1", serial: "7", id: "7")

    private static func hash(_ plan: Plan, id: String = "7", speeds: [ShutterSpeed] = ShutterSpeed.all) -> String {
        var camera = identity
        camera.id = id
        return PlanIdentity(plan, on: camera, offering: speeds).hash
    }

    private static func plan(_ bench: inout Bench, _ input: PlanInput = PlanInput()) throws -> PlanReport {
        let id = bench.ask(.plan(input))
        guard case .reply(.plan(let report), _) = bench.answers(to: id).first else {
            throw try #require(error(id, bench))
        }
        return report
    }

    private static func error(_ id: RequestID, _ bench: Bench) -> RequestError? {
        guard case .error(let error) = bench.answers(to: id).last else { return nil }
        return error
    }

    private static func change(_ id: RequestID, _ bench: Bench) -> (now: String?, sentence: String)? {
        guard case .planChanged(_, let now, let sentence) = error(id, bench) else { return nil }
        return (now, sentence)
    }

    @Test func `the hash of a plan on a body never changes`() throws {
        let hash = Self.hash(Plan(try PlanRequest()))
        #expect(hash == "edh1dprfe7")
    }

    @Test func `another frame, another body and another list of speeds give another hash`() throws {
        let plan = Plan(try PlanRequest())
        let others = [
            Self.hash(plan), Self.hash(Plan(try PlanRequest(framesPerSet: 7))),
            Self.hash(Plan(try PlanRequest(sharing: .once))), Self.hash(plan, id: "8"),
            Self.hash(plan, speeds: ShutterSpeed.all.dropLast()),
        ]
        #expect(Set(others).count == others.count)
        #expect(others.allSatisfy { $0.count == 10 && $0.allSatisfy { $0.isLowercase || $0.isNumber } })
        // Different options that give the same frames are the same plan.
        #expect(Self.hash(plan) == Self.hash(Plan(try PlanRequest(shadow: .init(parsing: "1/4")))))
    }

    @Test func `without a camera a plan has no hash`() throws {
        var bench = Bench(address: nil)
        let report = try Self.plan(&bench)
        #expect(report.hash == nil)
        #expect(report.substitutes == nil)
    }

    @Test func `a plan lists the substitutes for speeds that the camera lacks`() throws {
        var bench = Bench()
        let report = try Self.plan(&bench)
        #expect(report.exposures.map(\.speed.label) == report.sets.flatMap { $0 })
        #expect(report.substitutes == [])
        let plan = Plan(try PlanRequest())
        let lacking = ShutterSpeed.all.filter { $0 > plan.frames[0].speed }
        let substitute = try #require(plan.validated(against: lacking).substitutes.first)
        #expect((substitute.planned.label, substitute.used.label) == ("1/1000", "1/800"))
        #expect(substitute.errorEV == 1.0 / 3)
    }

    @Test func `the estimate of another choice uses the same rules as the plan's`() throws {
        var bench = Bench()
        let report = try Self.plan(&bench)
        let comparison = try #require(report.comparison)
        let asked = try #require(comparison.rows.first(where: comparison.isAsked))
        #expect(comparison.rows.count == 12)
        #expect(asked.time.components.seconds == Int64(report.estimateMilliseconds / 1000))
        #expect(asked.exposures == report.totalExposures)
        #expect((asked.fastest.label, asked.slowest.label) == ("1/1000", "4\""))
    }

    @Test func `a plan is fired by its hash alone, exactly`() throws {
        var bench = Bench()
        let hash = try #require(try Self.plan(&bench, ShootingTests.threeFrames).hash)
        _ = try Self.plan(&bench)
        let shown = try Self.plan(&bench, PlanInput(hash: hash.uppercased()))
        #expect(shown.hash == hash)
        #expect(
            shown.input
                == PlanInput(
                    shadow: "1/60",
                    highlight: "1/250",
                    frames: 3,
                    spacing: 1,
                    biasThirds: 0,
                    shareOnce: false,
                    strict: false
                )
        )
        let id = bench.ask(.shoot(PlanInput(hash: hash), streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.scripted.fired.map(\.label) == ["1/250", "1/125", "1/60"])
    }

    @Test func `options beside a hash must give that plan`() throws {
        var bench = Bench()
        let hash = try #require(try Self.plan(&bench, ShootingTests.threeFrames).hash)
        var wrong = PlanInput(frames: 7)
        wrong.hash = hash
        let change = try #require(Self.change(bench.ask(.shoot(wrong, streams: false)), bench))
        #expect(change.now != nil && change.now != hash)
        #expect(change.sentence.contains("it had 3 exposures, and now has"))
        #expect(bench.state("shooting") == "idle")
        var right = ShootingTests.threeFrames
        right.hash = hash
        bench.ask(.shoot(right, streams: false))
        #expect(bench.state("shooting") != "idle")
    }

    @Test func `an unknown hash is refused with advice`() throws {
        var bench = Bench()
        let change = try #require(Self.change(bench.ask(.shoot(PlanInput(hash: "0"), streams: false)), bench))
        #expect(change.now == nil)
        #expect(change.sentence.contains("Request it again with bracketctl plan"))
        #expect(bench.state("shooting") == "idle")
    }

    @Test func `a plan is refused if the camera's list of speeds changed, with the old and the new speeds`() throws {
        var bench = Bench()
        let hash = try #require(try Self.plan(&bench, ShootingTests.threeFrames).hash)
        var status = ScriptedCamera.ready
        status.speeds.removeLast()
        bench.camera { camera, now in camera.tell(.status(status), at: now) }
        var change = try #require(Self.change(bench.ask(.shoot(PlanInput(hash: hash), streams: false)), bench))
        #expect(change.sentence.contains("the camera offered 55 speeds from 1/8000 to 30\", and now offers 54 speeds"))
        status.speeds = status.speeds.filter { $0.label != "1/125" }
        bench.camera { camera, now in camera.tell(.status(status), at: now) }
        change = try #require(
            Self.change(bench.ask(.shoot(PlanInput(strict: true, hash: hash), streams: false)), bench)
        )
        #expect(change.sentence.contains("set 1, frame 2 was 1/125, and now is"))
        #expect(bench.state("shooting") == "idle")
        #expect(bench.scripted.fired.isEmpty)
    }

    @Test func `another body has another plan`() throws {
        var bench = Bench()
        let hash = try #require(try Self.plan(&bench).hash)
        bench.camera { camera, now in
            camera.identity.id = "8"
            camera.tell(.lost(.closedByCamera), at: now)
        }
        bench.pass(.seconds(5))
        let change = try #require(Self.change(bench.ask(.shoot(PlanInput(hash: hash), streams: false)), bench))
        #expect(change.sentence.contains("it was made for Sony Script (7), but Sony Script (8) is connected"))
    }

    @Test func `the last 32 plans are kept, and a plan that is shown again counts as new`() throws {
        var bench = Bench()
        let first = try #require(try Self.plan(&bench, ShootingTests.threeFrames).hash)
        let second = try #require(try Self.plan(&bench, PlanInput(biasThirds: -15)).hash)
        for thirds in -14...15 { _ = try Self.plan(&bench, PlanInput(biasThirds: thirds)) }
        #expect(try Self.plan(&bench, PlanInput(hash: first)).hash == first)
        _ = try Self.plan(&bench, PlanInput(frames: 9))
        #expect(try Self.plan(&bench, PlanInput(hash: first)).hash == first)
        #expect(Self.change(bench.ask(.plan(PlanInput(hash: second))), bench) != nil)
    }
}
