/// A note about a plan that the photographer reads before firing it.
package enum PlanNote: Hashable, Sendable {
    /// The shadow speed was the faster of the two; the plan swaps them.
    case swapped(shadow: ShutterSpeed, highlight: ShutterSpeed)
    /// Both ends are the same speed: one exposure.
    case zeroRange(ShutterSpeed)
    /// The last set has fewer frames, because it reaches the slowest speed.
    case endsAtSlowest(set: Int, frames: Int, framesPerSet: Int)
    /// The bias moves frames past an end of the scale. One frame stays at that end; the others are omitted.
    case biasClamped(thirds: Int, end: ShutterSpeed)
    /// The camera lacks a planned speed; the plan uses the nearest one in light.
    case substituted(planned: ShutterSpeed, used: ShutterSpeed)
    /// Neighbouring frames of a set have the same speed on this camera.
    case collapsed(set: Int, planned: [ShutterSpeed], used: ShutterSpeed)
    /// Two neighbouring frames of a set are farther apart on this camera than the plan's spacing.
    case gap(set: Int, from: ShutterSpeed, to: ShutterSpeed, spacing: Spacing)
    /// The camera did not report its speeds.
    case unchecked

    package var sentence: String {
        switch self {
        case .swapped(let shadow, let highlight):
            "Shadow \(shadow) is faster than highlight \(highlight): the two are swapped"
        case .zeroRange(let speed):
            "Shadow and highlight are both \(speed): one exposure, not a bracket"
        case .endsAtSlowest(let set, let frames, let framesPerSet):
            "Set \(set) has \(frames) of \(framesPerSet) frames: no speed is slower than \(ShutterSpeed.slowest)"
        case .biasClamped(let thirds, let end):
            "With the bias of \(EV.signedText(thirds: thirds)) EV the plan goes beyond \(end): the frames end there"
        case .substituted(let planned, let used):
            "\(planned) not available on this camera, using \(used) "
                + "(\(EV.signedText(thirds: planned.thirds(to: used))) EV)"
        case .collapsed(let set, let planned, let used):
            "Set \(set): \(PlanNote.list(planned)) are \(planned.count > 2 ? "all" : "both") \(used) on this camera"
        case .gap(let set, let from, let to, let spacing):
            "Set \(set): \(from) to \(to) is a gap of \(EV.text(thirds: from.thirds(to: to))) EV on this camera, "
                + "wider than the spacing of \(spacing.label) EV"
        case .unchecked:
            "This camera did not report its shutter speeds: the plan could not be checked against them"
        }
    }

    private static func list(_ speeds: [ShutterSpeed]) -> String {
        let labels = speeds.map(\.label)
        return labels.dropLast().joined(separator: ", ") + " and " + (labels.last ?? "")
    }
}
