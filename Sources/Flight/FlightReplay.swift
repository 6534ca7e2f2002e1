import Cameras
import Controller
import NIOCore

/// Gives a core, made as the recorded one was, what that one took, and compares what it does.
///
/// It keeps the queue of the core's messages to itself as the daemon's loop does: only their place is recorded.
package struct FlightReplay: Sendable {
    private var core: Core
    private var messages = CircularBuffer<Message>()
    /// The charts that ran when it was recorded.
    private let recordedCharts: Set<String>
    private var effects = Effects()
    /// Why what follows may not go as it was recorded; each a sentence.
    package let warnings: [String]
    /// How many records were taken.
    package private(set) var recordCount = 0
    /// How many transitions there were.
    package private(set) var transitionCount = 0

    /// What a record came to.
    package struct Step: Sendable {
        /// What the core took: one of its messages to itself where the record says no more than that.
        package var input: Input
        package var effects: [Effect]
        package var transitions: [FlightTransition]
        /// nil: it went as it was recorded.
        package var difference: FlightDifference?
    }

    /// - Parameters:
    ///   - drivers: Those of the recorded daemon.
    ///   - discovery: How that daemon found cameras.
    package init(_ header: FlightHeader, drivers: CameraDrivers = .all, discovery: DiscoveryTable = .standard) {
        core = Core(configuration: header.configuration, drivers: drivers, discovery: discovery)
        let charts = Core.chartDigests
        var warnings: [String] = []
        if header.version != Version.current {
            let versions = "bracketd \(header.version), and is replayed by \(Version.current)"
            warnings.append("It was recorded by \(versions): what it does may differ.")
        }
        let changed = Set(header.charts.keys).union(charts.keys).sorted().filter { header.charts[$0] != charts[$0] }
        if !changed.isEmpty {
            let names = changed.joined(separator: ", ")
            warnings.append("Charts are not those that were recorded: \(names). What it does may differ.")
        }
        self.warnings = warnings
        recordedCharts = Set(header.charts.keys)
    }

    /// Takes the next record. The core must have taken all those before.
    ///
    /// - Returns: nil: what the record stands for is not there, see `difference`.
    package mutating func take(_ record: FlightRecord) -> Result<Step, FlightDifference> {
        let input: Input
        switch record.content {
        case .input(let recorded):
            // A core is started first and once; of a recording that has it otherwise a part is missing.
            guard (recorded == .started) == (recordCount == 0) else {
                return .failure(FlightDifference(record, .omitted))
            }
            input = recorded
        case .message:
            guard let message = messages.popFirst() else { return .failure(FlightDifference(record, .noMessage)) }
            input = .message(message)
        case .omitted: return .failure(FlightDifference(record, .omitted))
        }
        core.handle(input, at: record.time, into: &effects)
        defer { effects.removeAll() }
        var transitions: [FlightTransition] = []
        for effect in effects.list {
            switch effect {
            case .enqueue(let message): messages.append(message)
            case .journal(let entry) where entry.kind == .transition:
                let transition = FlightTransition(entry)
                // A recording of an earlier version has nothing of a chart that came later.
                if recordedCharts.contains(transition.chart) { transitions.append(transition) }
            default: break
            }
        }
        recordCount += 1
        transitionCount += transitions.count
        let isSame = transitions == record.transitions
        return .success(
            Step(
                input: input,
                effects: effects.list,
                transitions: transitions,
                difference: isSame ? nil : FlightDifference(record, .transitions(came: transitions))
            )
        )
    }
}

/// Where a replay first went another way than the recording.
package struct FlightDifference: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// Others came than were recorded.
        case transitions(came: [FlightTransition])
        /// The core took a message to itself, and in the replay there was none.
        case noMessage
        /// What the core took is not in the recording.
        case omitted
    }

    /// Of the record.
    package var number: Int
    package var time: Duration
    package var recorded: [FlightTransition]
    package var kind: Kind

    init(_ record: FlightRecord, _ kind: Kind) {
        number = record.number
        time = record.time
        recorded = record.transitions
        self.kind = kind
    }
}
