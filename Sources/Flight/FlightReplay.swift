import Cameras
import Controller
import NIOCore

/// Gives the recorded inputs to a new core and compares the transitions of that core with the recorded ones.
///
/// Like the daemon's loop, it has the queue of the messages that the core sends to itself. The recording has only the
/// positions of these messages.
package struct FlightReplay: Sendable {
    private var core: Core
    private var messages = CircularBuffer<Message>()
    private let recordedCharts: Set<String>
    private var effects = Effects()
    /// Why the replay can differ from the recording; each reason is a sentence.
    package let warnings: [String]
    package private(set) var recordCount = 0
    package private(set) var transitionCount = 0

    /// The result of replaying a record.
    package struct Step: Sendable {
        /// The input, or the core's own message if the record has only its position.
        package var input: Input
        package var effects: [Effect]
        package var transitions: [FlightTransition]
        /// nil: the replay matches the recording.
        package var difference: FlightDifference?
    }

    /// - Parameters:
    ///   - drivers: The drivers of the recorded daemon.
    ///   - discovery: The methods by which that daemon found cameras.
    package init(_ header: FlightHeader, drivers: CameraDrivers = .all, discovery: DiscoveryTable = .standard) {
        core = Core(configuration: header.configuration, drivers: drivers, discovery: discovery)
        let charts = Core.chartDigests
        var warnings: [String] = []
        if header.version != Version.current {
            warnings.append(ReplaySentences.versionDiffers(header.version, from: Version.current))
        }
        let changed = Set(header.charts.keys).union(charts.keys).sorted().filter { header.charts[$0] != charts[$0] }
        if !changed.isEmpty { warnings.append(ReplaySentences.chartsDiffer(changed)) }
        self.warnings = warnings
        recordedCharts = Set(header.charts.keys)
    }

    /// Replays the next record. The records must come in their order.
    ///
    /// - Returns: `FlightDifference` if the input of the record is missing.
    package mutating func take(_ record: FlightRecord) -> Result<Step, FlightDifference> {
        let input: Input
        switch record.content {
        case .input(let recorded):
            // A core starts once, and before any other input. Otherwise part of the recording is missing.
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
                // A recording of an earlier version lacks the charts that were added later.
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

/// The first difference between a replay and its recording.
package struct FlightDifference: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case transitions(came: [FlightTransition])
        /// The recorded core handled a message to itself, but the replayed core has no message.
        case noMessage
        case omitted
    }

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
