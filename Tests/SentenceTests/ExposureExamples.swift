@testable import Exposure

extension Examples {
    /// Shutter speeds, plans, their notes and their estimated times.
    static func exposure() throws -> [String] {
        try exposureSpeedErrors() + exposurePlanErrors() + exposurePlanNotes() + exposurePlanTexts()
            + exposureEstimates()
    }

    private static func exposureSpeedErrors() throws -> [String] {
        let (fast, slow) = (try ShutterSpeed(parsing: "1/250"), try ShutterSpeed(parsing: "1/200"))
        return [
            SpeedError(text: "", reason: .empty, nearest: []).sentence,
            SpeedError(text: "fast", reason: .notATime, nearest: []).sentence,
            SpeedError(text: "0", reason: .zero, nearest: []).sentence,
            SpeedError(text: "-1/60", reason: .negative, nearest: []).sentence,
            SpeedError(text: "bulb", reason: .bulb, nearest: []).sentence,
            SpeedError(text: "1/220", reason: .offScale, nearest: [fast, slow]).sentence,
            SpeedError(text: "1/16000", reason: .tooFast, nearest: [.fastest]).sentence,
            SpeedError(text: "60\"", reason: .tooSlow, nearest: [.slowest]).sentence,
            SpeedError(text: "250", reason: .tooSlow, nearest: [fast, .slowest]).sentence,
        ]
    }

    private static func exposurePlanErrors() -> [String] {
        [
            PlanError.framesPerSet(1).sentence,
            PlanError.framesPerSet(4).sentence,
            PlanError.spacing("3").sentence,
            PlanError.biasThirds(18).sentence,
            PlanError.bias("0.5").sentence,
        ]
    }

    private static func exposurePlanNotes() throws -> [String] {
        let speeds = try ["1/8000", "1/4000", "1/2000", "1/1000", "1/500"].map { try ShutterSpeed(parsing: $0) }
        return [
            PlanNote.swapped(shadow: speeds[4], highlight: speeds[2]).sentence,
            PlanNote.zeroRange(speeds[4]).sentence,
            PlanNote.endsAtSlowest(set: 3, frames: 2, framesPerSet: 5).sentence,
            PlanNote.biasClamped(thirds: -4, end: .fastest).sentence,
            PlanNote.substituted(planned: speeds[0], used: speeds[1]).sentence,
            PlanNote.collapsed(set: 1, planned: Array(speeds[..<2]), used: speeds[1]).sentence,
            PlanNote.collapsed(set: 1, planned: Array(speeds[..<3]), used: speeds[2]).sentence,
            PlanNote.gap(set: 2, from: speeds[1], to: speeds[3], spacing: .oneAndAHalf).sentence,
            PlanNote.longestSearch.sentence,
            PlanNote.unchecked.sentence,
        ]
    }

    private static func exposurePlanTexts() throws -> [String] {
        let same = ShutterSpeed.slowest
        let oneFrame = try PlanRequest(shadow: same, highlight: same, biasThirds: 2)
        let oneSet = try PlanRequest(shadow: ShutterSpeed(parsing: "1/60"), spacing: .two, biasThirds: -1)
        let wide = try PlanRequest(spacing: .oneAndAHalf)
        return [
            PlanText.headline(Plan(oneFrame)),
            PlanText.headline(Plan(oneSet)),
            PlanText.headline(Plan(.usual)),
            PlanText.headline(Plan(PlanRequest(from: .oneSecond, spacing: .two, goal: .usual))),
            PlanText.headline(Plan(wide)),
            PlanText.sharingLine(.twice),
            PlanText.sharingLine(.once),
            PlanText.explanation(Comparison(.usual)),
        ]
    }

    private static func exposureEstimates() throws -> [String] {
        let (fast, slow) = (try ShutterSpeed(parsing: "1/250"), try ShutterSpeed(parsing: "1/200"))
        let stepping = Estimate.Stepping(perNotch: .milliseconds(700), from: fast)
        func learned(_ frames: Int) -> Estimate.LearnedTiming {
            Estimate.LearnedTiming(median: .milliseconds(900), percentile95: .milliseconds(1300), frames: frames)
        }
        return [
            Estimate(Plan(.usual)).sentence(),
            Estimate(Plan(.usual), learned: learned(1)).sentence(),
            Estimate(Plan(.usual), learned: learned(3)).sentence(),
            Estimate(Plan(.usual), learned: learned(45), stepping: stepping).sentence(),
            Estimate(speeds: [slow], stepping: stepping).sentence(),
            Estimate(speeds: [.slowest], noiseReduction: .possible).sentence(),
        ]
    }
}
