import Statecharts

/// A chart of the core: everything that is done with each of them.
///
/// A class, because the list is read three times for each input: a copy of all these functions would cost more than
/// they do.
final class ChartEntry: Sendable {
    let name: String
    let digest: String
    let start: @Sendable (inout Core, inout Turn) -> Void
    /// Delivers what is due.
    let advance: @Sendable (inout Core, inout Turn) -> Void
    private let clock: @Sendable (Core) -> ChartClock
    private let isHalted: @Sendable (Core) -> Bool
    let state: @Sendable (Core) -> String
    let report: @Sendable (Core) -> ChartState
    private let faultAtAnyTime: @Sendable (Core) -> ChartFault?

    /// - Parameters:
    ///   - clock: read after every input, and not by the key path, because that copies the chart.
    ///   - isHalted: whether its time stands still.
    ///   - finish: performs what the chart asked for.
    init<B: Behavior & Sendable>(
        _ run: any WritableKeyPath<Core, ChartRun<B>> & Sendable,
        clock: @escaping @Sendable (Core) -> ChartClock,
        isHalted: @escaping @Sendable (Core) -> Bool = { _ in false },
        finish: @escaping @Sendable (inout Core, ChartRun<B>.Outcome, inout Turn) -> Void
    ) where B.Chart: ChartDefinition {
        name = B.Chart.names.chart.lowercased()
        digest = B.Chart.digest
        start = { core, turn in finish(&core, core[keyPath: run].start(at: turn.now), &turn) }
        advance = { core, turn in
            guard !isHalted(core), let due = clock(core).nextDeadline, due <= turn.now else { return }
            finish(&core, core[keyPath: run].advance(to: turn.now), &turn)
        }
        self.clock = clock
        self.isHalted = isHalted
        state = { $0[keyPath: run].state }
        report = { $0[keyPath: run].chartState }
        faultAtAnyTime = { $0[keyPath: run].fault }
    }

    func nextDeadline(_ core: Core) -> Duration? { isHalted(core) ? nil : clock(core).nextDeadline }

    /// What is wrong with the chart, if something happened to it at this time; nil: nothing.
    func fault(_ core: Core, at now: Duration) -> ChartFault? { clock(core).now == now ? faultAtAnyTime(core) : nil }

    /// In the order of the status report. A chart that is not listed here does not run.
    static let all = [
        ChartEntry(\.connection, clock: { $0.connection.clock }) { $0.finish($1, in: &$2) },
        ChartEntry(\.shooting.chart, clock: { $0.shooting.chart.clock }, isHalted: { $0.shooting.isStopping }) {
            $0.finish($1, in: &$2)
        },
        ChartEntry(\.network, clock: { $0.network.clock }) { $0.finish($1, in: &$2) },
        ChartEntry(\.pictures.chart, clock: { $0.pictures.chart.clock }) { $0.finish($1, in: &$2) },
        ChartEntry(\.records.chart, clock: { $0.records.chart.clock }) { $0.finish($1, in: &$2) },
        ChartEntry(\.shooting.settings, clock: { $0.shooting.settings.clock }) { $0.finish($1, in: &$2) },
        ChartEntry(\.finder.chart, clock: { $0.finder.chart.clock }) { $0.finish($1, in: &$2) },
        ChartEntry(\.button, clock: { $0.button.clock }) { $0.finish($1, in: &$2) },
        ChartEntry(\.service, clock: { $0.service.clock }) { $0.finish($1, in: &$2) },
    ]

    /// In the order in which they advance. The network comes first: the connection gives an absence its reason.
    static let advancing = all.filter { $0.name == "network" } + all.filter { $0.name != "network" }

    /// In the order in which they start. The connection comes last: it asks for a camera at once.
    static let starting = advancing.filter { $0.name != "connection" } + all.filter { $0.name == "connection" }
}

extension Core {
    /// The charts that it runs, by name, each with the digest of its file: it says whether another core decides alike.
    package static let chartDigests = Dictionary(
        uniqueKeysWithValues: ChartEntry.all.map { ($0.name, $0.digest) }
            + [(Candidate.names.chart.lowercased(), Candidate.digest)]
    )

    /// The main state of a chart, as the chart spells it; nil: there is no such chart.
    package func state(of chart: String) -> String? {
        ChartEntry.all.first { $0.name == chart }?.state(self)
    }

    /// What is wrong with the charts that something happened to at this instant; nil: nothing.
    package func chartFault(at now: Duration) -> ChartFault? {
        for chart in ChartEntry.all {
            if let fault = chart.fault(self, at: now) { return fault }
        }
        return nil
    }
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
