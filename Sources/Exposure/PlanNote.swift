/// A note about a plan that the photographer reads before firing it.
package enum PlanNote: Hashable, Sendable {
    /// The shadow speed was faster than the highlight speed; the plan swaps them.
    case swapped(shadow: ShutterSpeed, highlight: ShutterSpeed)
    /// Shadow and highlight are the same speed, so the plan has one exposure.
    case zeroRange(ShutterSpeed)
    /// The last set has fewer frames than the others, because it reaches the slowest speed.
    case endsAtSlowest(set: Int, frames: Int, framesPerSet: Int)
    /// The bias moves frames past an end of the scale. One frame stays at that end; the others are omitted.
    case biasClamped(thirds: Int, end: ShutterSpeed)
    /// The camera lacks a planned speed. The plan uses the speed that is nearest in light.
    case substituted(planned: ShutterSpeed, used: ShutterSpeed)
    /// Neighbouring frames of a set have the same speed on this camera.
    case collapsed(set: Int, planned: [ShutterSpeed], used: ShutterSpeed)
    /// Two neighbouring frames of a set are farther apart on this camera than the plan's spacing.
    case gap(set: Int, from: ShutterSpeed, to: ShutterSpeed, spacing: Spacing)
    /// The plan finds its own range, so only the longest time is known.
    case longestSearch
    /// The camera did not report its speeds.
    case unchecked
}
