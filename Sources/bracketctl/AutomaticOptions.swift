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
            let given = [
                ("--max-frames", maxFrames != nil), ("--clip", clip != nil), ("--floor", floor != nil),
                ("--check-light", checkLight),
            ]
            for (option, isGiven) in given where isGiven { throw Failure.usage(UsageSentences.needsAuto(option)) }
            return nil
        }
        do throws(BracketGoalError) {
            return try BracketGoal(framesMax: maxFrames, clipPercent: clip, floorCode: floor, checksLight: checkLight)
        } catch {
            let (least, most) = (error.range.lowerBound, error.range.upperBound)
            throw Failure.usage(UsageSentences.outOfRange(Self.option(error.number), least, most))
        }
    }

    private static func option(_ number: BracketGoalError.Number) -> String {
        switch number {
        case .framesMax: "--max-frames"
        case .clipPercent: "--clip"
        case .floorCode: "--floor"
        }
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
}
