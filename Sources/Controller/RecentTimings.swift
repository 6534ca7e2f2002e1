/// How long the steps of the last frames took, by body and link.
struct RecentTimings: Sendable {
    /// A body, and by what it is reached.
    struct Route: Hashable, Sendable {
        var cameraID: String
        /// The address without the port.
        var link: String
    }

    private var times: [Route: [TimingRow.Step: [Int]]] = [:]
    /// The one that was timed last comes last.
    private(set) var routes: [Route] = []

    /// More bodies and links than anybody has; those that were not timed for longest are forgotten.
    static let routesMax = 64

    init() {}

    /// Takes in what earlier runs of the daemon learned, the oldest first; what this one has learned stays newer.
    mutating func begin(with rows: [TimingRow]) {
        let learned = self
        self = RecentTimings()
        for row in rows { record(row) }
        for route in learned.routes {
            for (step, times) in learned.times[route] ?? [:] {
                for time in times { record(time, step, of: route) }
            }
        }
    }

    mutating func record(_ row: TimingRow) {
        record(row.milliseconds, row.step, of: Route(cameraID: row.cameraID, link: row.link))
    }

    private mutating func record(_ time: Int, _ step: TimingRow.Step, of route: Route) {
        routes.removeAll { $0 == route }
        routes.append(route)
        if routes.count > Self.routesMax { times[routes.removeFirst()] = nil }
        var steps = times[route] ?? [:]
        steps[step] = Array(((steps[step] ?? []) + [time]).suffix(LedgerContents.timingsMax))
        times[route] = steps
    }

    /// What was learned; nil: nothing yet.
    func report(on route: Route) -> TimingReport? {
        guard let steps = times[route] else { return nil }
        let figures = TimingRow.Step.allCases.map { steps[$0].flatMap(TimingReport.Figure.init) }
        return TimingReport(set: figures[0], confirm: figures[1], release: figures[2], frame: figures[3])
    }
}
