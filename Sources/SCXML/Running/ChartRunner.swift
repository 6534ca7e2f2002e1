import Statecharts

/// An element of a tool's script.
public enum RunElement: Sendable, Equatable {
    case event(String, ScriptValue)
    /// The clock advances by this number of milliseconds.
    case after(Int64)
}

/// A runner for any chart of W3C SCXML on a virtual clock. It handles one element at a time and reports the results.
///
/// The engine runs the chart. The runner adds a data model: `null`, a subset of `ecmascript`, or names with fixed
/// values. It also adds limits, because a chart can have endless loops.
public struct ChartRunner: Sendable {
    /// The options of a run.
    public struct Options: Sendable {
        /// The values of the names that conditions and delays contain.
        public var names = RunNames()
        /// The maximum number of microsteps in one macrostep.
        public var microstepsMax = 10_000
        /// The maximum number of events that the chart sends itself in the whole run.
        public var deliveriesMax = 10_000
        /// Whether outcomes contain their steps. Traces and journals need the steps, which can be many.
        public var keepsSteps = true
        /// The maximum number of steps in one outcome.
        public var stepsMax = 1_000_000

        /// Makes options with the default limits and without names.
        public init() {}
    }

    /// The result of an element.
    public struct Outcome: Sendable, Equatable {
        /// Whether this is the outcome of the start.
        public let isStart: Bool
        /// The event's name; nil for the start and for elapsed time.
        public let event: String?
        /// The time of the clock, in whole milliseconds.
        public let milliseconds: Int64
        /// The ids of the active leaves, sorted. After a stop: the leaves that were active before it.
        public let configuration: [String]
        /// The ids of all active states, in document order. After a stop: the states that were active before it.
        public let states: [String]
        /// Whether the machine runs. False after a final state of the root was entered.
        public let isRunning: Bool
        /// The output of the `<log>` elements, in order.
        public let logs: [Log]
        let data: ScriptValue
        let macrosteps: [RunMacrostep]
        let names: RunRecordNames
    }

    /// The output of a `<log>`.
    public struct Log: Sendable, Equatable {
        /// The label of the element; nil: no label.
        public let label: String?
        /// The value of the element's expression; nil: no expression.
        public let value: ScriptValue?
    }

    /// The sentence about the limit that ended the run; nil: no limit was exceeded.
    public var overrun: String? {
        machine.behavior.overrun ?? machine.overrun.map(\.description) ?? recorder.overrun
    }

    let program: RunProgram
    private var machine: Machine<RunBehavior<WideSet>>
    private var recorder: RunRecorder
    private var effects: [Never] = []

    /// The maximum sizes of a chart. A larger chart would need too much memory for a tool.
    private static let statesMax = 10_000
    private static let transitionsMax = 20_000
    private static let placesMax = 20_000
    private static let cellsMax = 20_000_000

    /// The maximum sizes of a chart, as part of a message.
    public static let sizeLimits =
        "at most \(statesMax) states, \(transitionsMax) transitions and \(placesMax) event names; "
        + "states times names at most \(cellsMax)"

    /// A run that has not started. Nil if the chart was refused, has another profile, or is too large.
    ///
    /// - Parameter chart: a chart that was read with the profile `recommendation`.
    public init?(_ chart: Chart, _ options: Options = Options()) {
        guard chart.profile == .recommendation, let document = chart.document else { return nil }
        guard document.states.count <= Self.statesMax, document.transitions.count <= Self.transitionsMax else {
            return nil
        }
        let events = RunEvents(document)
        let cells = (events.places.count + 1) * document.states.count
        guard events.places.count <= Self.placesMax, cells <= Self.cellsMax,
            events.pairCount(document) <= Self.cellsMax
        else { return nil }
        program = RunProgram(document, events)
        let limits = Limits(
            microstepsMax: options.microstepsMax,
            queuedEventsMax: 1_000_000,
            timersMax: 1_000_000,
            effectsMax: .max,
            deliveriesPerInstantMax: .max,
            deliveriesMax: options.deliveriesMax,
            traps: false
        )
        machine = Machine(RunBehavior(program, given: options.names), table: program.table(), limits: limits)
        recorder = RunRecorder(program, keepsSteps: options.keepsSteps, stepsMax: options.stepsMax)
    }

    /// In a chart without data: the names in delays that have no value. A `<send>` with such a delay is an error.
    public var unansweredDelays: [String] {
        guard program.document.dataModel != .ecmascript else { return [] }
        let contents = program.document.blocks.flatMap(\.block.content).flatMap { [$0] + $0.descendants }
        let names = contents.compactMap { content -> String? in
            guard case .interpreted(.dispatch(let send)) = content.kind, case .computed(let delay)? = send.delay else {
                return nil
            }
            return delay.identifier
        }
        return NameSet(names).sorted.filter { machine.behavior.given.delays[$0] == nil }
    }

    /// In a chart without data: the names in conditions that have no value. These names count as false.
    public var unansweredNames: [String] {
        guard program.document.dataModel != .ecmascript else { return [] }
        let names = program.conditions.compactMap { condition in
            let text = condition.text.drop { $0 == "!" || $0.isWhitespace }
            return (try? ScriptExpression(String(text)))?.identifier
        }
        return NameSet(names).sorted.filter { machine.behavior.given.guards[$0] == nil }
    }

    /// Enters the initial states. The caller does this once, before all other calls.
    public mutating func start() -> Outcome {
        machine.start(at: .zero, effects: &effects, recorder: &recorder)
        return outcome(isStart: true)
    }

    /// Handles one element to completion, with all events that are due by then. A duration must not be negative.
    public mutating func handle(_ element: RunElement) -> Outcome {
        switch element {
        case .event(let name, let data):
            let event = machine.behavior.event(name, data: data)
            machine.handle(event, at: machine.now, effects: &effects, recorder: &recorder)
            return outcome(of: name, data)
        case .after(let milliseconds):
            let time = machine.now + .milliseconds(milliseconds)
            machine.advance(to: time, effects: &effects, recorder: &recorder)
            return outcome()
        }
    }

    /// Advances the clock to a time, for a replay. The time must not be before now.
    mutating func advance(toMilliseconds time: Int64) -> Outcome {
        machine.advance(to: .milliseconds(time), effects: &effects, recorder: &recorder)
        return outcome()
    }

    private mutating func outcome(
        of event: String? = nil,
        _ data: ScriptValue = .undefined,
        isStart: Bool = false
    ) -> Outcome {
        defer {
            machine.behavior.logs.removeAll()
            recorder.removeAll()
        }
        return Outcome(
            isStart: isStart,
            event: event,
            milliseconds: machine.now.wholeMilliseconds,
            configuration: machine.configuration.map { program.name(ofState: $0.rawValue) }.sorted { $0.isBefore($1) },
            states: machine.activeStates.map { program.name(ofState: $0.rawValue) },
            isRunning: machine.isRunning,
            logs: machine.behavior.logs,
            data: data,
            macrosteps: recorder.macrosteps,
            names: RunRecordNames(
                program: program,
                events: machine.behavior.events.names,
                sendIDs: machine.behavior.sends.names
            )
        )
    }
}

extension Duration {
    /// The duration in whole milliseconds, rounded down.
    var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}

/// The names for the numbers in a record.
struct RunRecordNames: Sendable, Equatable {
    let program: RunProgram
    let events: [String]
    let sendIDs: [String]

    static func == (left: Self, right: Self) -> Bool {
        left.events == right.events && left.sendIDs == right.sendIDs
    }
}
