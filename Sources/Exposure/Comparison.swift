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
        /// The fastest speed that is fired.
        package let fastest: ShutterSpeed
        /// The slowest speed that is fired.
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

        /// The EV between the fastest and the slowest speed.
        package var coveredEV: Double { Double(fastest.thirds(to: slowest)) / 3 }
    }

    /// The request whose range, sharing and bias all rows have.
    package let request: PlanRequest

    /// All choices: by frames per set, then by spacing.
    package let rows: [Row]

    /// The comparison for a request.
    ///
    /// - Parameter learned: what was measured on the body; nil when nothing was.
    package init(_ request: PlanRequest, learned: Estimate.Learned? = nil) {
        self.init(request, as: { $0 }, estimate: { Estimate($0, learned: learned) })
    }

    /// A comparison that was made elsewhere.
    package init(_ request: PlanRequest, rows: [Row]) {
        self.request = request
        self.rows = rows
    }

    /// The comparison for a request on one camera.
    ///
    /// - Parameters:
    ///   - fired: the plan as the camera fires it.
    ///   - estimate: the time that such a plan takes.
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

    /// Whether a row is the choice of the request itself.
    package func isAsked(_ row: Row) -> Bool {
        row.framesPerSet == request.framesPerSet && row.spacing == request.spacing
    }
}
