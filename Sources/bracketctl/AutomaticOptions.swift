import ArgumentParser
import Exposure
import Interface

/// The options of a bracket that finds its own range.
struct AutomaticOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Find the range: fire frames until the highlights are not white and the shadows are not too dark. The "
                + "first frame is at the camera's present speed."
        )
    )
    var auto = false

    @Option(help: ArgumentHelp("The largest number of frames, 1 to 55. (default: 12)", valueName: "count"))
    var maxFrames: Int?

    @Option(
        help: ArgumentHelp(
            "The share of the picture that may be white, 0 to 50 percent. (default: 0.05)",
            valueName: "percent"
        )
    )
    var clip: Double?

    @Option(
        help: ArgumentHelp(
            "The JPEG code that the shadows must reach, 12 to 118. (default: 47)",
            valueName: "code"
        )
    )
    var floor: Int?

    @Flag(help: "Fire the first frame once more at the end, to show whether the light changed.")
    var checkLight = false

    var isAnyGiven: Bool { auto || maxFrames != nil || clip != nil || floor != nil || checkLight }

    /// The goal; nil: the range is given.
    func goal() throws(Failure) -> BracketGoal? {
        guard auto else {
            for (option, isGiven) in [("--max-frames", maxFrames != nil), ("--clip", clip != nil)] where isGiven {
                throw Failure.usage(UsageSentences.needsAuto(option))
            }
            if floor != nil { throw Failure.usage(UsageSentences.needsAuto("--floor")) }
            if checkLight { throw Failure.usage(UsageSentences.needsAuto("--check-light")) }
            return nil
        }
        let usual = BracketGoal.usual
        let framesMax = maxFrames ?? usual.framesMax
        try Self.check("--max-frames", BracketGoal.framesRange ~= framesMax, BracketGoal.framesRange)
        let percent = clip ?? Double(usual.clipHundredths) / 100
        let percents = 0...BracketGoal.clipRange.upperBound / 100
        try Self.check("--clip", percent >= 0 && percent <= Double(percents.upperBound), percents)
        let floorCode = floor ?? usual.floorCode
        try Self.check("--floor", BracketGoal.floorRange ~= floorCode, BracketGoal.floorRange)
        let hundredths = Int((percent * 100).rounded())
        let goal = BracketGoal(
            framesMax: framesMax,
            clipHundredths: hundredths,
            floorCode: floorCode,
            checksLight: checkLight
        )
        return goal ?? usual
    }

    /// The goal for the daemon. An option that the user did not give is left out.
    var input: Bracketd.BracketGoal {
        Bracketd.BracketGoal(
            framesMax: maxFrames,
            clipPercent: clip,
            floorCode: floor,
            checkLight: checkLight ? true : nil
        )
    }

    private static func check(_ option: String, _ isValid: Bool, _ range: ClosedRange<Int>) throws(Failure) {
        guard !isValid else { return }
        throw Failure.usage(UsageSentences.outOfRange(option, range.lowerBound, range.upperBound))
    }
}
