/// A plan as one camera can fire it.
package struct ValidatedPlan: Hashable, Sendable {
    /// The plan in which the nearest speed of the camera replaces each speed that the camera lacks. Sets, frames and
    /// positions do not change. If several frames get the same speed, all of them are fired, with a warning.
    package let plan: Plan

    /// The differences from the original plan: first the substitutions, then for each set its equal frames and gaps.
    package let notes: [PlanNote]

    /// Whether this camera fires the original plan without changes; `--strict` refuses any other plan.
    package var isExact: Bool { notes.isEmpty }

    /// Each planned speed that the camera lacks, with its replacement.
    package var substitutes: [Substitute] {
        notes.compactMap { note in
            guard case .substituted(let planned, let used) = note else { return nil }
            return Substitute(planned: planned, used: used)
        }
    }
}

/// A planned speed that a camera lacks, and the camera's speed that is nearest in light.
package struct Substitute: Hashable, Sendable {
    package let planned: ShutterSpeed
    package let used: ShutterSpeed

    package init(planned: ShutterSpeed, used: ShutterSpeed) {
        self.planned = planned
        self.used = used
    }

    /// The difference in light between the fired and the planned frame, in EV; positive: the fired frame is brighter.
    package var errorEV: Double { Double(planned.thirds(to: used)) / 3 }
}

extension Plan {
    /// The plan as a camera with these speeds can fire it. `available` can have any order and repeated speeds. If it is
    /// empty, the plan is unchanged, with a note that it was not checked.
    package func validated(against available: [ShutterSpeed]) -> ValidatedPlan {
        guard !available.isEmpty else { return ValidatedPlan(plan: self, notes: [.unchecked]) }
        let substitutes = ShutterSpeed.all.map { $0.nearest(in: available) ?? $0 }
        var missing: [PlanNote] = []
        for frame in frames where substitutes[frame.speed.index] != frame.speed {
            let note = PlanNote.substituted(planned: frame.speed, used: substitutes[frame.speed.index])
            if !missing.contains(note) { missing.append(note) }
        }
        guard !missing.isEmpty else { return ValidatedPlan(plan: self, notes: []) }

        let plan = Plan(
            request: request,
            sets: sets.map { $0.map { substitutes[$0.index] } },
            frames: frames.map { PlannedFrame(position: $0.position, speed: substitutes[$0.speed.index]) },
            notes: notes
        )
        let bySet = sets.enumerated().flatMap { index, planned in
            collapses(set: index + 1, planned: planned, used: plan.sets[index])
                + gaps(set: index + 1, used: plan.sets[index])
        }
        return ValidatedPlan(plan: plan, notes: missing + bySet)
    }

    private func collapses(set: Int, planned: [ShutterSpeed], used: [ShutterSpeed]) -> [PlanNote] {
        var notes: [PlanNote] = []
        var start = 0
        for end in 1...used.count where end == used.count || used[end] != used[start] {
            if end - start > 1 {
                notes.append(.collapsed(set: set, planned: Array(planned[start..<end]), used: used[start]))
            }
            start = end
        }
        return notes
    }

    private func gaps(set: Int, used: [ShutterSpeed]) -> [PlanNote] {
        zip(used, used.dropFirst())
            .filter { $0.thirds(to: $1) > request.spacing.stepThirds }
            .map { .gap(set: set, from: $0, to: $1, spacing: request.spacing) }
    }
}
