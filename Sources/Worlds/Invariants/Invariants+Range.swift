import Bodies
import Controller
import Exposure

// The check of a bracket that found its own range.

extension Invariants {
    /// The code of luma that the shadows must have in the slowest kept frame. It is 1/3 EV below the usual goal,
    /// because a camera's speeds are a third apart.
    private static let shadowCodeMin = 40

    /// Checks the last shoot against the light of its scene, which the daemon knows only from pictures. A report that
    /// names a lack is not judged.
    mutating func checkRange(of world: World, _ eye: SceneEye) {
        let core = world.daemon.core
        guard core.outcome == .completed, let shoot = core.shoot, let goal = shoot.plan.request.goal,
            let range = shoot.range, range.warnings.isEmpty
        else { return }
        let fired = Set(world.cameras.flatMap(\.body.card).map(\.label))
        for speed in range.kept where !fired.contains(speed.label) {
            note(.foundRangeIsWhole, at: world.now, "The range has a frame at \(speed), which was not fired.")
        }
        guard let fast = range.kept.first, let slow = range.kept.last, let bright = eye.light(at: fast),
            let dark = eye.light(at: slow)
        else { return note(.foundRangeIsWhole, at: world.now, "The range has no frame.") }
        let highlight = FrameEnds(brightest: bright.brightest, luma: bright.luma, options: goal.options).highlightCode
        let shadow = FrameEnds(brightest: dark.brightest, luma: dark.luma, options: goal.options).shadowCode
        if highlight >= ToneTable.clippedCode {
            note(.foundRangeIsWhole, at: world.now, "The highlights are white at \(fast): code \(highlight).")
        }
        if shadow < Self.shadowCodeMin {
            note(.foundRangeIsWhole, at: world.now, "The shadows are too dark at \(slow): code \(shadow).")
        }
    }
}
