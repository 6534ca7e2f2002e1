import Cameras
import Statecharts

/// A part that the core starts and advances: a chart, the candidates' charts, or the driver.
///
/// A class, because the list is read three times for each input, and a copy of these functions would cost more.
final class ChartEntry: Sendable {
    let name: String
    /// The digest of the chart's file; nil: no chart.
    let digest: String?
    let start: @Sendable (inout Core, inout Turn) -> Void
    /// Delivers what is due.
    let advance: @Sendable (inout Core, inout Turn) -> Void
    let nextDeadline: @Sendable (Core) -> Duration?
    /// nil: no such chart, or many at once.
    let report: @Sendable (Core) -> ChartState?
    /// The chart's fault, if the chart changed at this time; nil: none.
    let fault: @Sendable (Core, Duration) -> ChartFault?

    /// - Parameters:
    ///   - clock: read after every input. It is no key path, because that copies the chart.
    ///   - isHalted: whether its time stands still.
    ///   - perform: performs the chart's effects.
    init<B: Behavior & Sendable>(
        _ run: any WritableKeyPath<Core, ChartRun<B>> & Sendable,
        clock: @escaping @Sendable (Core) -> ChartClock,
        isHalted: @escaping @Sendable (Core) -> Bool = { _ in false },
        perform: @escaping @Sendable (inout Core, ChartRun<B>.Outcome, inout Turn) -> Void
    ) where B.Chart: ChartDefinition {
        name = B.Chart.names.chart.lowercased()
        digest = B.Chart.digest
        start = { core, turn in perform(&core, core[keyPath: run].start(at: turn.now), &turn) }
        advance = { core, turn in
            guard !isHalted(core), let due = clock(core).nextDeadline, due <= turn.now else { return }
            perform(&core, core[keyPath: run].advance(to: turn.now), &turn)
        }
        nextDeadline = { isHalted($0) ? nil : clock($0).nextDeadline }
        report = { $0[keyPath: run].chartState }
        fault = { core, now in clock(core).now == now ? core[keyPath: run].fault : nil }
    }

    /// For parts that have deadlines and are not one chart.
    private init(
        _ name: String,
        digest: String?,
        nextDeadline: @escaping @Sendable (Core) -> Duration?,
        advance: @escaping @Sendable (inout Core, inout Turn) -> Void
    ) {
        self.name = name
        self.digest = digest
        start = { _, _ in }
        self.advance = advance
        self.nextDeadline = nextDeadline
        report = { _ in nil }
        fault = { _, _ in nil }
    }

    private static let driver = ChartEntry("driver", digest: nil, nextDeadline: { $0.session.driver.nextDeadline }) {
        $0.session.advanceDriver(in: &$1)
    }

    /// Hundreds of runs of one chart. They start when an address is to be called. ``Core/candidateFault`` has their
    /// faults, because reading all of them after each input costs too much.
    private static let candidates = ChartEntry(
        Candidate.names.chart.lowercased(),
        digest: Candidate.digest,
        nextDeadline: { $0.finder.candidatesDeadline },
        advance: { core, turn in
            guard let due = core.finder.candidatesDeadline, due <= turn.now else { return }
            core.finder.advanceCandidates(core.finderFacts, in: &turn)
        }
    )

    private static let property = ChartEntry(\.session.request, clock: { $0.session.request.clock }) {
        $0.session.perform($1, in: &$2)
    }

    private static let connect = ChartEntry(\.requests.chart, clock: { $0.requests.chart.clock }) {
        $0.requests.perform($1, $0.requestFacts, in: &$2)
    }

    /// In the order of the status report. A chart that is not in this list does not run.
    static let charts = [
        ChartEntry(\.connection, clock: { $0.connection.clock }) { $0.connection.perform($1, in: &$2) },
        ChartEntry(\.shooting.chart, clock: { $0.shooting.chart.clock }, isHalted: { $0.service.view.isLeaving }) {
            $0.shooting.finish($1, $0.shootFacts, in: &$2)
        },
        ChartEntry(\.network, clock: { $0.network.clock }) { $2.perform($1) },
        ChartEntry(\.pictures.chart, clock: { $0.pictures.chart.clock }) { $2.perform($1) },
        ChartEntry(\.records.chart, clock: { $0.records.chart.clock }) { $2.perform($1, level: .debug) },
        ChartEntry(\.shooting.settings, clock: { $0.shooting.settings.clock }) {
            $0.shooting.finish($1, $0.shootFacts, in: &$2)
        },
        ChartEntry(\.finder.chart, clock: { $0.finder.chart.clock }) { $0.finder.perform($1, $0.finderFacts, in: &$2) },
        ChartEntry(\.button.chart, clock: { $0.button.chart.clock }) { $2.perform($1, level: .debug) },
        ChartEntry(\.service, clock: { $0.service.clock }) { $2.perform($1) },
        property, connect,
    ]

    /// In the order in which they advance.
    ///
    /// The driver comes first. Its reports pass the queue and so come after every timeout of this instant, but its
    /// bytes must not wait. The network comes before the connection, which reads the reason of an absence from it. A
    /// client's timeout ends last.
    static let advancing =
        [driver, property] + charts.filter { $0.name == "network" }
        + charts.filter { !["network", property.name, connect.name].contains($0.name) } + [candidates, connect]

    /// In the order in which they start. The connection comes last, because it requests a camera at once.
    static let starting =
        advancing.filter { $0.name != "connection" } + charts.filter { $0.name == "connection" }
}

extension Core {
    /// The charts by name, with the digests of their files. Equal digests mean that another core decides alike.
    package static let chartDigests = Dictionary(
        uniqueKeysWithValues: ChartEntry.advancing.compactMap { entry in entry.digest.map { (entry.name, $0) } }
    )

    /// The main state of a chart, by its name in the chart; nil: there is no such chart.
    package func state(of chart: String) -> String? {
        ChartEntry.charts.first { $0.name == chart }?.report(self)?.state
    }

    /// The first fault of the charts that changed at this instant; nil: none.
    package func chartFault(at now: Duration) -> ChartFault? {
        for chart in ChartEntry.charts {
            if let fault = chart.fault(self, now) { return fault }
        }
        return nil
    }

    /// The first fault of the candidates' charts, at any time; nil: none.
    package var candidateFault: ChartFault? { finder.candidateFault }
}

/// When a chart changed last, and its next deadline.
struct ChartClock: Sendable {
    var now: Duration
    var nextDeadline: Duration?
}

/// A violation of what holds for every chart after an input.
package enum ChartFault: Equatable, Sendable {
    case illegal(chart: String)
    /// A state that stays active without its timeout.
    case withoutTimer(chart: String, state: String)
    /// A timeout whose state has ended, by its send id.
    case withoutState(chart: String, timer: String)
}

extension ChartRun {
    var clock: ChartClock { ChartClock(now: machine.now, nextDeadline: machine.nextDeadline) }

    var fault: ChartFault? {
        if !machine.isConfigurationLegal { return .illegal(chart: B.Chart.names.chart) }
        if let state = machine.stateWithoutTimer {
            return .withoutTimer(chart: B.Chart.names.chart, state: B.Chart.names.states[Int(state.rawValue)])
        }
        if let timer = machine.timerWithoutState {
            return .withoutState(chart: B.Chart.names.chart, timer: B.Chart.names.sendIDs[timer])
        }
        return nil
    }
}
