/// What the same range costs with every size of set and every spacing.
package struct Comparison: Hashable, Sendable {
    /// One choice and its cost.
    package struct Row: Hashable, Sendable {
        package let framesPerSet: Int
        package let spacing: Spacing
        /// The number of sets; 0 where there is no range to cover.
        package let sets: Int
        package let exposures: Int
        /// The estimated time, without dark frames.
        package let time: Duration
    }

    /// The request whose range, sharing and bias all rows have.
    package let request: PlanRequest

    /// All choices: by frames per set, then by spacing.
    package let rows: [Row]

    /// The comparison for a request.
    ///
    /// - Parameter learned: what was measured on the body; nil when nothing was.
    package init(_ request: PlanRequest, learned: Estimate.Learned? = nil) {
        self.request = request
        rows = PlanRequest.framesPerSetChoices.flatMap { frames in
            Spacing.allCases.map { spacing in
                let plan = Plan(request.with(framesPerSet: frames, spacing: spacing))
                return Row(
                    framesPerSet: frames,
                    spacing: spacing,
                    sets: plan.sets.count,
                    exposures: plan.totalExposures,
                    time: Estimate(plan, learned: learned).shortest
                )
            }
        }
    }
}
