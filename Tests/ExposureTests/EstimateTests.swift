import Exposure
import Testing

@Suite struct `An estimate` {
    private func plan() throws -> Plan {
        Plan(try PlanRequest(shadow: speed("4\""), highlight: speed("1\""), framesPerSet: 3))
    }

    @Test func `is the exposures and the overhead of every frame`() throws {
        let estimate = Estimate(try plan(), learned: learned(.milliseconds(800)))
        #expect(estimate.exposures == .seconds(7))
        #expect(estimate.shortest == .milliseconds(9400))
        #expect(estimate.longest == estimate.shortest)
        #expect(
            estimate.sentence() == "About 9.4 s: 3 exposures (7 s in total), 0.8 s of overhead per frame "
                + "(95 % within 1.3 s), measured on 45 frames of this camera."
        )
    }

    @Test func `doubles exposures of a second and more if dark frames may follow`() throws {
        let estimate = Estimate(try plan(), learned: learned(.seconds(1)), noiseReduction: .possible)
        #expect(estimate.darkFrames == .seconds(7))
        #expect(estimate.longest == .seconds(17))
        #expect(estimate.sentence().hasSuffix("; up to 17 s with long-exposure noise reduction."))
    }

    @Test func `has no dark frames below a second`() throws {
        let short = Plan(try PlanRequest(shadow: speed("0.8"), highlight: speed("0.8")))
        #expect(Estimate(short, noiseReduction: .possible).darkFrames == .zero)
        let long = Plan(try PlanRequest(shadow: speed("1\""), highlight: speed("1\"")))
        #expect(Estimate(long, noiseReduction: .possible).darkFrames == .seconds(1))
    }

    @Test func `says when the overhead is assumed`() throws {
        let estimate = Estimate(try plan())
        #expect(estimate.overheadPerFrame == Estimate.overheadPerFrameDefault)
        #expect(estimate.sentence() == "About 12 s: 3 exposures (7 s in total), 1.5 s of overhead per frame, assumed.")
    }

    @Test(arguments: [(1, "1 frame"), (4, "4 frames")])
    func `stays an assumption, and says why, while few frames were measured`(frames: Int, text: String) throws {
        let few = Estimate.LearnedTiming(median: .seconds(9), percentile95: .seconds(9), frames: frames)
        let estimate = Estimate(try plan(), learned: few)
        #expect(estimate.overheadPerFrame == Estimate.overheadPerFrameDefault)
        #expect(estimate.basis.hasSuffix("per frame, assumed (only \(text) measured on this camera)"))
    }

    @Test func `uses measurements from five frames on`() throws {
        let enough = Estimate.LearnedTiming(median: .milliseconds(900), percentile95: .milliseconds(1300), frames: 5)
        let estimate = Estimate(Plan(try PlanRequest()), learned: enough)
        #expect(estimate.overheadPerFrame == .milliseconds(900))
        #expect(
            estimate.basis.hasSuffix(
                ", 0.9 s of overhead per frame (95 % within 1.3 s), measured on 5 frames of this camera"
            )
        )
    }

    @Test func `counts every speed step in both directions, from the current speed`() throws {
        // The sets are 1/1000 to 1/60, 1/60 to 1/4 and 1/4 to 4". Each has 12 thirds of a stop. Between sets there are
        // none.
        let plan = Plan(try PlanRequest())
        let stepping = Estimate.Stepping(perNotch: .milliseconds(700), from: try speed("30\""))
        let estimate = Estimate(plan, stepping: stepping)
        #expect(estimate.notches == 45 + 36)
        #expect(estimate.stepping == .milliseconds(56_700))
        #expect(estimate.shortest == Estimate(plan).shortest + .milliseconds(56_700))
        #expect(estimate.basis.hasSuffix(", assumed, 57 s for 81 notches of the shutter speed"))
    }

    @Test func `omits an unknown way, and does not mention zero steps`() throws {
        let stepping = Estimate.Stepping(perNotch: .seconds(1), from: nil)
        #expect(Estimate(try plan(), learned: learned(.seconds(1)), stepping: stepping).notches == 6)
        let single = Plan(try PlanRequest(shadow: speed("1/8"), highlight: speed("1/8")))
        let still = Estimate(single, learned: learned(.zero), stepping: stepping)
        #expect(still.notches == 0)
        #expect(!still.basis.contains("notch"))
        let near = Estimate.Stepping(perNotch: .seconds(1), from: try speed("1/6"))
        #expect(Estimate(single, stepping: near).basis.hasSuffix(", 1 s for 1 notch of the shutter speed"))
    }

    @Test func `includes speed steps and dark frames`() throws {
        let stepping = Estimate.Stepping(perNotch: .seconds(1), from: nil)
        let estimate = Estimate(try plan(), learned: learned(.zero), noiseReduction: .possible, stepping: stepping)
        #expect(estimate.longest == .seconds(7 + 6 + 7))
    }

    @Test(arguments: [
        (Duration.zero, "0 s"), (.milliseconds(40), "less than 0.1 s"), (.milliseconds(50), "0.1 s"),
        (.milliseconds(9940), "9.9 s"),
        (.milliseconds(9960), "10 s"), (.milliseconds(24_400), "24 s"), (.seconds(59), "59 s"), (.seconds(60), "1 min"),
        (.seconds(200), "3 min 20 s"), (.seconds(3600), "1 h"), (.seconds(3900), "1 h 5 min"),
        (.milliseconds(3_599_800), "1 h"),
    ])
    func `prints times in common units`(time: Duration, text: String) {
        #expect(TimeText.text(time) == text)
    }
}

/// Measured frames, each of which took this time in addition to its exposure.
func learned(_ time: Duration) -> Estimate.LearnedTiming {
    Estimate.LearnedTiming(median: time, percentile95: max(time, .milliseconds(1300)), frames: 45)
}

@Suite struct `A comparison` {
    @Test func `lists all sizes and spacings for the same range`() throws {
        let comparison = Comparison(try PlanRequest(), learned: learned(.seconds(1)))
        #expect(comparison.rows.count == 12)
        #expect(comparison.rows.map(\.framesPerSet) == [3, 3, 3, 5, 5, 5, 7, 7, 7, 9, 9, 9])
        let asked = try #require(comparison.rows.first { $0.framesPerSet == 5 && $0.spacing == .one })
        #expect(asked.sets == 3)
        #expect(asked.exposures == 15)
        #expect(asked.time == Estimate(Plan(try PlanRequest()), learned: learned(.seconds(1))).shortest)
    }

    @Test func `keeps sharing and bias`() throws {
        let comparison = Comparison(try PlanRequest(sharing: .once, biasThirds: 1))
        #expect(comparison.rows.first { $0.framesPerSet == 5 && $0.spacing == .one }?.exposures == 13)
    }
}
