/// The measured times of the steps of recent frames, by body and link.
struct RecentTimings: Sendable {
    /// A body, and the link to it.
    struct Route: Hashable, Sendable {
        var cameraID: String
        /// The address without the port.
        var link: String
    }

    private var times: [Route: [TimingRow.Step: [Int]]] = [:]
    /// The routes, in the order of their newest timing.
    private(set) var routes: [Route] = []

    /// The limit of routes, which no user reaches. Beyond it, the route with the oldest timing is dropped.
    static let routesMax = 64

    init() {}

    /// Adopts the timings of earlier runs, oldest first. This run's own timings count as newer.
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

    /// The learned times of a route; nil: none yet.
    func report(on route: Route) -> TimingReport? {
        guard let steps = times[route] else { return nil }
        let figures = TimingRow.Step.allCases.map { steps[$0].flatMap(TimingReport.Figure.init) }
        return TimingReport(set: figures[0], confirm: figures[1], release: figures[2], frame: figures[3])
    }
}
