/// The cost of one range with every number of frames per set and every spacing.
package struct Comparison: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package let framesPerSet: Int
        package let spacing: Spacing
        /// The number of sets; 0 if both ends of the range are the same speed.
        package let sets: Int
        package let exposures: Int
        /// The estimated time, without dark frames.
        package let time: Duration
        package let fastest: ShutterSpeed
        package let slowest: ShutterSpeed

        package init(
            framesPerSet: Int,
            spacing: Spacing,
            sets: Int,
            exposures: Int,
            time: Duration,
            fastest: ShutterSpeed,
            slowest: ShutterSpeed
        ) {
            self.framesPerSet = framesPerSet
            self.spacing = spacing
            self.sets = sets
            self.exposures = exposures
            self.time = time
            self.fastest = fastest
            self.slowest = slowest
        }

        package var coveredEV: Double { Double(fastest.thirds(to: slowest)) / 3 }
    }

    /// The request. All rows have its range, sharing and bias.
    package let request: PlanRequest

    /// All choices, ordered by frames per set, then by spacing.
    package let rows: [Row]

    /// Computes the comparison for a request.
    ///
    /// - Parameter learned: the times measured on the camera; nil: none.
    package init(_ request: PlanRequest, learned: Estimate.LearnedTiming? = nil) {
        self.init(request, as: { $0 }, estimate: { Estimate($0, learned: learned) })
    }

    package init(_ request: PlanRequest, rows: [Row]) {
        self.request = request
        self.rows = rows
    }

    /// Computes the comparison for a request on one camera.
    ///
    /// - Parameters:
    ///   - fired: returns the plan as the camera fires it.
    ///   - estimate: returns the estimated time of such a plan.
    package init(_ request: PlanRequest, as fired: (Plan) -> Plan, estimate: (Plan) -> Estimate) {
        self.request = request
        rows = PlanRequest.framesPerSetChoices.flatMap { frames in
            Spacing.allCases.map { spacing in
                let plan = fired(Plan(request.with(framesPerSet: frames, spacing: spacing)))
                let speeds = plan.frames.map(\.speed)
                return Row(
                    framesPerSet: frames,
                    spacing: spacing,
                    sets: plan.sets.count,
                    exposures: plan.totalExposures,
                    time: estimate(plan).shortest,
                    fastest: speeds.min() ?? request.shadow,
                    slowest: speeds.max() ?? request.shadow
                )
            }
        }
    }

    /// Whether the row has the choices of the request itself.
    package func isAsked(_ row: Row) -> Bool {
        row.framesPerSet == request.framesPerSet && row.spacing == request.spacing
    }
}
