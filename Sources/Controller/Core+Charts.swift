import Cameras
import Statecharts

/// What the core starts and advances: a chart, the candidates' charts, or the driver.
///
/// A class, because the list is read three times for each input: a copy of all these functions would cost more than
/// they do.
final class ChartEntry: Sendable {
    let name: String
    /// Of the chart's file; nil: no chart.
    let digest: String?
    let start: @Sendable (inout Core, inout Turn) -> Void
    /// Delivers what is due.
    let advance: @Sendable (inout Core, inout Turn) -> Void
    let nextDeadline: @Sendable (Core) -> Duration?
    /// nil: there is no such chart, or many at once.
    let report: @Sendable (Core) -> ChartState?
    /// What is wrong with the chart, if something happened to it at this time; nil: nothing.
    let fault: @Sendable (Core, Duration) -> ChartFault?

    /// - Parameters:
    ///   - clock: read after every input, and not by the key path, because that copies the chart.
    ///   - isHalted: whether its time stands still.
    ///   - perform: performs what the chart asked for.
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

    /// What has deadlines and is not one chart.
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

    /// Hundreds of runs of one chart. They start when an address is to be called, and their faults are asked for by
    /// ``Core/candidateFault``: reading them all after each input costs too much.
    private static let candidates = ChartEntry(
        Candidate.names.chart.lowercased(),
        digest: Candidate.digest,
        nextDeadline: { $0.finder.candidatesDeadline },
        advance: { core, turn in
            guard let due = core.finder.candidatesDeadline, due <= turn.now else { return }
            let facts = core.finderFacts
            core.finder.advanceCandidates(facts, in: &turn)
        }
    )

    private static let property = ChartEntry(\.session.request, clock: { $0.session.request.clock }) {
        $0.session.perform($1, in: &$2)
    }

    private static let connect = ChartEntry(\.requests.chart, clock: { $0.requests.chart.clock }) {
        core,
        outcome,
        turn in
        let facts = core.requestFacts
        core.requests.perform(outcome, facts, in: &turn)
    }

    /// In the order of the status report. A chart that is not listed here does not run.
    static let charts = [
        ChartEntry(\.connection, clock: { $0.connection.clock }) { $0.connection.perform($1, in: &$2) },
        ChartEntry(\.shooting.chart, clock: { $0.shooting.chart.clock }, isHalted: { $0.service.view.isLeaving }) {
            $0.shooting.finish($1, $0.shootFacts, in: &$2)
        },
        ChartEntry(\.network, clock: { $0.network.clock }) { $0.network.perform($1, in: &$2) },
        ChartEntry(\.pictures.chart, clock: { $0.pictures.chart.clock }) { $0.pictures.finish($1, in: &$2) },
        ChartEntry(\.records.chart, clock: { $0.records.chart.clock }) { $0.records.finish($1, in: &$2) },
        ChartEntry(\.shooting.settings, clock: { $0.shooting.settings.clock }) {
            $0.shooting.finish($1, $0.shootFacts, in: &$2)
        },
        ChartEntry(\.finder.chart, clock: { $0.finder.chart.clock }) { core, outcome, turn in
            let facts = core.finderFacts
            core.finder.perform(outcome, facts, in: &turn)
        },
        ChartEntry(\.button.chart, clock: { $0.button.chart.clock }) { $0.button.finish($1, in: &$2) },
        ChartEntry(\.service, clock: { $0.service.clock }) { $0.finish($1, in: &$2) },
        property, connect,
    ]

    /// In the order in which they advance.
    ///
    /// The driver comes first: what it reports passes the queue and so comes after every timeout of this instant, but
    /// what it sends must not wait. The network comes before the connection, which takes the reason of an absence from
    /// it. A client's patience ends last.
    static let advancing =
        [driver, property] + charts.filter { $0.name == "network" }
        + charts.filter { !["network", property.name, connect.name].contains($0.name) } + [candidates, connect]

    /// In the order in which they start. The connection comes last: it asks for a camera at once.
    static let starting =
        advancing.filter { $0.name != "connection" } + charts.filter { $0.name == "connection" }
}

extension Core {
    /// The charts that it runs, by name, each with the digest of its file: it says whether another core decides alike.
    package static let chartDigests = Dictionary(
        uniqueKeysWithValues: ChartEntry.advancing.compactMap { entry in entry.digest.map { (entry.name, $0) } }
    )

    /// The main state of a chart, as the chart spells it; nil: there is no such chart.
    package func state(of chart: String) -> String? {
        ChartEntry.charts.first { $0.name == chart }?.report(self)?.state
    }

    /// What is wrong with the charts that something happened to at this instant; nil: nothing.
    package func chartFault(at now: Duration) -> ChartFault? {
        for chart in ChartEntry.charts {
            if let fault = chart.fault(self, now) { return fault }
        }
        return nil
    }

    /// What is wrong with the chart of an address that is called, whenever something happened to it; nil: nothing.
    package var candidateFault: ChartFault? { finder.candidateFault }
}

/// When something happened to a chart last, and when it wants the time next.
struct ChartClock: Sendable {
    var now: Duration
    var nextDeadline: Duration?
}

/// A chart that is not as every chart is when an input is handled.
package enum ChartFault: Equatable, Sendable {
    case illegal(chart: String)
    /// Names a state that goes on without its timeout.
    case withoutTimer(chart: String, state: String)
    /// Names the send id of a timeout whose state is over.
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
