// The texts about a plan: its size, its cost, its differences from the request, and why a request cannot be planned.

extension PlanError {
    /// One sentence: what is wrong, and which values are accepted.
    package var sentence: String {
        switch self {
        case .framesPerSet(let frames):
            "A set cannot have \(frames) \(frames == 1 ? "frame" : "frames"). Choose 3, 5, 7 or 9."
        case .spacing(let text):
            "A spacing of \(Quoted.text(text)) is not possible. Choose 1, 1.5 or 2 EV."
        case .biasThirds(let thirds):
            "A bias of \(thirds)/3 EV is too large. The range is -\(PlanRequest.biasThirdsMax)/3 to "
                + "+\(PlanRequest.biasThirdsMax)/3 EV."
        case .bias(let text):
            "A bias of \(Quoted.text(text)) is not in thirds of a stop. Write +1/3, -2/3 or +1."
        }
    }
}

extension PlanNote {
    package var sentence: String {
        switch self {
        case .swapped(let shadow, let highlight):
            "Shadow \(shadow) is faster than highlight \(highlight): the two are swapped"
        case .zeroRange(let speed):
            "Shadow and highlight are both \(speed): one exposure, not a bracket"
        case .endsAtSlowest(let set, let frames, let framesPerSet):
            "Set \(set) has \(frames) of \(framesPerSet) frames: no speed is slower than \(ShutterSpeed.slowest)"
        case .biasClamped(let thirds, let end):
            "The bias of \(EV.signedText(thirds: thirds)) EV moves frames beyond \(end): these frames are omitted"
        case .substituted(let planned, let used):
            "\(planned) not available on this camera, using \(used) "
                + "(\(EV.signedText(thirds: planned.thirds(to: used))) EV)"
        case .collapsed(let set, let planned, let used):
            "Set \(set): \(PlanNote.list(planned)) are \(planned.count > 2 ? "all" : "both") \(used) on this camera"
        case .gap(let set, let from, let to, let spacing):
            "Set \(set): \(from) to \(to) is a gap of \(EV.text(thirds: from.thirds(to: to))) EV on this camera, "
                + "wider than the spacing of \(spacing.label) EV"
        case .longestSearch: "The time is that of the longest search, which ends when the range is covered"
        case .unchecked:
            "This camera did not report its shutter speeds: the plan could not be checked against them"
        }
    }

    private static func list(_ speeds: [ShutterSpeed]) -> String {
        let labels = speeds.map(\.label)
        return labels.dropLast().joined(separator: ", ") + " and " + (labels.last ?? "")
    }
}

extension PlanText {
    /// `1/1000 to 1/4: 8 EV, 3 sets of 5 frames at 1 EV, 15 exposures`
    package static func headline(_ plan: Plan) -> String {
        let request = plan.request
        let (fast, slow) = (min(request.shadow, request.highlight), max(request.shadow, request.highlight))
        let bias = request.biasThirds == 0 ? "" : ", bias \(EV.signedText(thirds: request.biasThirds)) EV"
        let exposures = plan.totalExposures == 1 ? "1 exposure" : "\(plan.totalExposures) exposures"
        if let goal = request.goal {
            return "from \(fast), finding the range: at \(spacing(request.spacing)), at most \(goal.framesMax) frames"
        }
        guard !plan.sets.isEmpty else {
            let speed = plan.frames.first.map { " at \($0.speed)" } ?? ""
            return "\(fast): no range to cover, \(exposures)\(speed)\(bias)"
        }
        let sets = plan.sets.count == 1 ? "1 set" : "\(plan.sets.count) sets"
        return "\(fast) to \(slow): \(EV.text(thirds: plan.rangeThirds)) EV, \(sets) of \(request.framesPerSet) frames "
            + "at \(spacing(request.spacing)), \(exposures)\(bias)"
    }

    /// The spacing as text. Steps are whole thirds of a stop, so 1.5 EV is rounded up. The text states the real step.
    private static func spacing(_ spacing: Spacing) -> String {
        if spacing.stepThirds * 2 == spacing.sixths { return "\(spacing.label) EV" }
        return "\(spacing.label) EV (\(EV.text(thirds: spacing.stepThirds)) on the third-stop scale)"
    }

    /// The line under the rulers that explains shared frames.
    static func sharingLine(_ sharing: Sharing) -> String {
        switch sharing {
        case .twice: "The last frame of a set is fired again as the first of the next set."
        case .once: "A frame in ( ) is shared with the previous set and fired once."
        }
    }

    /// The line under the table that explains its mark and its last column.
    package static func explanation(_ comparison: Comparison) -> String {
        let request = comparison.request
        let (fast, slow) = (min(request.shadow, request.highlight), max(request.shadow, request.highlight))
        let range = EV.text(thirds: fast.thirds(to: slow))
        return "* marks this plan. Requested: \(fast) to \(slow) (\(range) EV). "
            + "Covered: from the fastest to the slowest frame.\n"
    }
}

extension Estimate {
    package func sentence() -> String {
        let dark = darkFrames > .zero ? "; up to \(TimeText.text(longest)) with long-exposure noise reduction" : ""
        return "About \(TimeText.text(shortest)): \(basis)\(dark)."
    }

    /// The parts of the estimate: `15 exposures (8.3 s in total), 1.5 s of overhead per frame, assumed` or `0.9 s of
    /// overhead per frame (95 % within 1.3 s), measured on 45 frames of this camera`. A camera with speed steps
    /// adds `, 29 s for 42 notches of the shutter speed`.
    package var basis: String {
        let open = "\(frames == 1 ? "1 exposure" : "\(frames) exposures") (\(TimeText.text(exposures)) in total)"
        let steps = notches == 1 ? "1 notch" : "\(notches) notches"
        let stepwise = notches > 0 ? ", \(TimeText.text(stepping)) for \(steps) of the shutter speed" : ""
        return open + ", \(TimeText.text(overheadPerFrame)) of overhead per frame\(source)" + stepwise
    }

    private var source: String {
        guard let learned else { return ", assumed" }
        guard learned.isEnough else {
            let frames = learned.frames == 1 ? "1 frame" : "\(learned.frames) frames"
            return ", assumed (only \(frames) measured on this camera)"
        }
        let most = TimeText.text(learned.percentile95)
        return " (95 % within \(most)), measured on \(learned.frames) frames of this camera"
    }
}
