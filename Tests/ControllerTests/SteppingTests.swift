import Bodies
import Cameras
import Controller
import Exposure
import Testing
import Worlds

/// Bodies that change their speed notch by notch.
@Suite struct SteppingTests {
    private static func bench(
        perNotch: Duration,
        speed: SpeedReading?,
        _ twists: ScriptedCamera.Deviation...
    ) -> Bench {
        var status = ScriptedCamera.ready
        status.speedSetting = .stepwise(perNotch: perNotch)
        status.speed = speed
        return Bench(ScriptedCamera(status: status, twists: twists))
    }

    private static func plan(_ input: PlanInput, _ bench: inout Bench) throws -> PlanReport {
        let id = bench.ask(.plan(input))
        guard case .reply(.plan(let report), _) = try #require(bench.answers(to: id).first) else {
            throw BenchError.noPlan
        }
        return report
    }

    private enum BenchError: Error { case noPlan }

    private static let wholeScale = PlanInput(shadow: "1/4000", highlight: "1/4000")

    @Test func `the estimate contains the notches from the present speed on`() throws {
        var bench = Self.bench(perNotch: .milliseconds(700), speed: .speed(.slowest))
        var atOnce = Bench()
        let stepping = try Self.plan(PlanInput(), &bench)
        let absolute = try Self.plan(PlanInput(), &atOnce)
        #expect(stepping.estimateMilliseconds - absolute.estimateMilliseconds == 700 * 81)
        #expect(stepping.estimateBasis.contains("57 s for 81 notches of the shutter speed"))
        #expect(!absolute.estimateBasis.contains("notch"))
    }

    @Test func `an estimate from a speed outside the scale leaves the first way out`() throws {
        var bench = Self.bench(perNotch: .seconds(1), speed: .other("BULB"))
        #expect(try Self.plan(PlanInput(), &bench).estimateBasis.contains("36 notches"))
    }

    @Test func `the longest way by slow notches does not time out`() throws {
        var bench = Self.bench(perNotch: .milliseconds(700), speed: .speed(.slowest))
        let id = bench.ask(.shoot(Self.wholeScale, streams: true))
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.outcome == .completed)
        // The way from speed to speed has 51 notches.
        #expect(bench.now > .milliseconds(35_700))
    }

    /// The time after which a shoot fails with a body that never answers.
    private static func silenceMax(_ perNotch: Duration, _ speed: SpeedReading?, _ wanted: String) throws -> Duration {
        var bench = bench(perNotch: perNotch, speed: speed, .silentOnSet(1))
        let id = bench.ask(.shoot(PlanInput(shadow: wanted, highlight: wanted), streams: true))
        let start = bench.now
        bench.pass { $0.state("shooting") == "partial" }
        let time = bench.now - start
        // The last reply arrives after the settings were restored.
        bench.pass { $0.progress(of: id).last?.outcome != nil }
        #expect(bench.progress(of: id).last?.cause == "The camera did not answer when the speed was set.")
        return time
    }

    @Test func `the time limit is three times the time of the way`() throws {
        let second = Duration.seconds(1)
        let slowest = SpeedReading.speed(.slowest)
        #expect(try Self.silenceMax(second, slowest, "30\"") == .seconds(120))
        #expect(try Self.silenceMax(second, slowest, "25\"") == .seconds(123))
        #expect(try Self.silenceMax(second, slowest, "1/4000") == .seconds(120 + 3 * 51))
    }

    @Test(arguments: [nil, SpeedReading.other("BULB")])
    func `a body with an unknown speed gets the time for the farthest way`(speed: SpeedReading?) throws {
        #expect(try Self.silenceMax(.seconds(1), speed, "1/4000") == .seconds(120 + 3 * 51))
        #expect(try Self.silenceMax(.seconds(1), speed, "25\"") == .seconds(120 + 3 * 53))
    }

    @Test func `the way begins at the previous frame, also if the body reported nothing since`() throws {
        var bench = Self.bench(perNotch: .milliseconds(10), speed: .speed(.slowest))
        bench.ask(.shoot(PlanInput(shadow: "1/60", highlight: "1/250", frames: 3, spacing: 1), streams: false))
        bench.pass { $0.scripted.fired.count == 1 }
        // The chart requested 30", and has read 1/250 since. 1/125 is near 1/250 and far from 30".
        bench.camera { camera, _ in camera.twists = [.silentOnSet(2)] }
        bench.pass { $0.state("shooting") == "settingSpeed" }
        let start = bench.now
        bench.pass { $0.state("shooting") == "partial" }
        // The limit allows at most 750 ms for each notch.
        #expect(bench.now - start == .seconds(120) + .milliseconds(750) * 36)
    }
}
