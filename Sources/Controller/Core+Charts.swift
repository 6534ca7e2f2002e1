import Cameras
import Statecharts

/// A part that the core starts and advances: a chart, the candidates' charts, or the driver.
///
/// This is a class because the core reads the list three times for each input, and a copy of a struct would cost more.
final class ChartEntry: Sendable {
    let name: String
    /// The digest of the chart's file; nil: the part is not a chart.
    let digest: String?
    let start: @Sendable (inout Core, inout Turn) -> Void
    /// Handles the timers that are due.
    let advance: @Sendable (inout Core, inout Turn) -> Void
    let nextDeadline: @Sendable (Core) -> Duration?
    /// The chart's states for the status report; nil: the part is not a single chart.
    let report: @Sendable (Core) -> ChartState?
    /// The chart's fault, if the chart changed at this time; nil: the chart has no fault.
    let fault: @Sendable (Core, Duration) -> ChartFault?

    /// - Parameters:
    ///   - clock: returns the chart's clock after every input. A key path would copy the chart.
    ///   - isHalted: returns whether the chart's timers are stopped.
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

    /// Creates the entry of a part that has deadlines and is not a single chart.
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

    /// The charts of all candidates. A check of these hundreds of runs after each input would cost too much, so
    /// ``Core/candidateFault`` reports their faults.
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

    /// The charts in the order of the status report. A chart that is missing from this list does not run.
    static let charts = [
        ChartEntry(\.connection, clock: { $0.connection.clock }) { $0.connection.perform($1, in: &$2) },
        ChartEntry(\.shooting.chart, clock: { $0.shooting.chart.clock }, isHalted: { $0.service.view.isLeaving }) {
            $0.shooting.finish($1, $0.shootFacts, in: &$2)
        },
        ChartEntry(\.network, clock: { $0.network.clock }) { $2.perform($1) },
        ChartEntry(\.pictures.chart, clock: { $0.pictures.chart.clock }) { $2.perform($1) },
        ChartEntry(\.metering.chart, clock: { $0.metering.chart.clock }, isHalted: { $0.service.view.isLeaving }) {
            $2.perform($1)
        },
        ChartEntry(\.records.chart, clock: { $0.records.chart.clock }) { $2.perform($1, level: .debug) },
        ChartEntry(\.shooting.settings, clock: { $0.shooting.settings.clock }) {
            $0.shooting.finish($1, $0.shootFacts, in: &$2)
        },
        ChartEntry(\.finder.chart, clock: { $0.finder.chart.clock }) { $0.finder.perform($1, $0.finderFacts, in: &$2) },
        ChartEntry(\.button.chart, clock: { $0.button.chart.clock }) { $2.perform($1, level: .debug) },
        ChartEntry(\.service, clock: { $0.service.clock }) { $2.perform($1) },
        property, connect,
    ]

    /// The parts in the order in which they advance.
    ///
    /// The driver comes first, because its bytes must not wait. The driver's reports pass the queue, so the reports
    /// come after every timeout of this instant. The network comes before the connection, because the connection asks
    /// the network why the camera is absent. The timeout of a client's connect request comes last.
    static let advancing =
        [driver, property] + charts.filter { $0.name == "network" }
        + charts.filter { !["network", property.name, connect.name].contains($0.name) } + [candidates, connect]

    /// The parts in the order in which they start. The connection comes last, because it requests a camera at once.
    static let starting =
        advancing.filter { $0.name != "connection" } + charts.filter { $0.name == "connection" }
}

extension Core {
    /// The digest of each chart's file, by the chart's name. Cores with equal digests make the same decisions.
    package static let chartDigests = Dictionary(
        uniqueKeysWithValues: ChartEntry.advancing.compactMap { entry in entry.digest.map { (entry.name, $0) } }
    )

    /// The name of a chart's main state; nil: no chart has this name.
    package func state(of chart: String) -> String? {
        ChartEntry.charts.first { $0.name == chart }?.report(self)?.state
    }

    /// The first fault of the charts that changed at this instant; nil: no chart has a fault.
    package func chartFault(at now: Duration) -> ChartFault? {
        for chart in ChartEntry.charts {
            if let fault = chart.fault(self, now) { return fault }
        }
        return nil
    }

    /// The first fault of the candidates' charts; nil: no candidate has a fault.
    package var candidateFault: ChartFault? { finder.candidateFault }
}

/// The time of a chart's latest change, and the chart's next deadline.
struct ChartClock: Sendable {
    var now: Duration
    var nextDeadline: Duration?
}

/// A violation of a rule that every chart obeys after each input.
package enum ChartFault: Equatable, Sendable {
    case illegal(chart: String)
    /// The state is active, and its timeout is not scheduled.
    case withoutTimer(chart: String, state: String)
    /// A timeout is scheduled, and its state is not active. `timer` is the send id of the timeout.
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
