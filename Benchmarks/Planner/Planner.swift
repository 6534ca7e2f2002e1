import Exposure

/// Plans every input without options: 55 shadows, 55 highlights, 4 sizes of sets, 3 spacings. It prints the number of
/// inputs, the number of planned frames (which shows that no frame is omitted), and the seconds of each round.
@main
enum Planner {
    private static let rounds = 5

    static func main() throws {
        let clock = ContinuousClock()
        var inputs = 0
        var frames = 0
        var seconds: [String] = []
        for _ in 0..<rounds {
            (inputs, frames) = (0, 0)
            let time = try clock.measure {
                for shadow in ShutterSpeed.all {
                    for highlight in ShutterSpeed.all {
                        let planned = try planAll(shadow, highlight)
                        inputs += planned.inputs
                        frames += planned.frames
                    }
                }
            }
            seconds.append("\(time / .seconds(1))")
        }
        print("{\"inputs\":\(inputs),\"frames\":\(frames),\"seconds\":[\(seconds.joined(separator: ","))]}")
    }

    private static func planAll(
        _ shadow: ShutterSpeed,
        _ highlight: ShutterSpeed
    ) throws -> (inputs: Int, frames: Int) {
        var inputs = 0
        var frames = 0
        for framesPerSet in PlanRequest.framesPerSetChoices {
            for spacing in Spacing.allCases {
                let request = try PlanRequest(
                    shadow: shadow,
                    highlight: highlight,
                    framesPerSet: framesPerSet,
                    spacing: spacing
                )
                inputs += 1
                frames += Plan(request).totalExposures
            }
        }
        return (inputs, frames)
    }
}
