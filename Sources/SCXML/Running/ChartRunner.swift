import Statecharts

/// An element of a tool's script.
public enum RunElement: Sendable, Equatable {
    case event(String, ScriptValue)
    /// The clock advances by this number of milliseconds.
    case after(Int64)
}

/// Runs any chart of the recommendation on a virtual clock, one element at a time, and reports the results.
///
/// The semantics are those of the engine. The runner adds a data model: `null`, a subset of `ecmascript`, or names with
/// fixed values. It adds limits too, because a chart may have endless loops.
public struct ChartRunner: Sendable {
    /// The options of a run.
    public struct Options: Sendable {
        /// The values of names in conditions and delays.
        public var names = RunNames()
        /// Microsteps in one macrostep.
        public var microstepsMax = 10_000
        /// Events that the chart sends itself in the whole run.
        public var deliveriesMax = 10_000
        /// Whether outcomes contain their steps, for traces and journals. There may be many.
        public var keepsSteps = true
        /// The maximum number of steps in one outcome.
        public var stepsMax = 1_000_000

        /// No names, and the default limits.
        public init() {}
    }

    /// The result of an element.
    public struct Outcome: Sendable, Equatable {
        /// Whether it is the start.
        public let isStart: Bool
        /// The event's name; nil for the start and for elapsed time.
        public let event: String?
        /// The clock, in whole milliseconds.
        public let milliseconds: Int64
        /// The ids of the active leaves, sorted; after a stop, the last ones.
        public let configuration: [String]
        /// The ids of all active states, in document order; after a stop, the last ones.
        public let states: [String]
        /// False after a final state of the root was entered.
        public let isRunning: Bool
        /// The output of `<log>`, in order.
        public let logs: [Log]
        let data: ScriptValue
        let macrosteps: [RunMacrostep]
        let names: RunRecordNames
    }

    /// The output of a `<log>`.
    public struct Log: Sendable, Equatable {
        /// Its label.
        public let label: String?
        /// The value of its expression; nil: no expression.
        public let value: ScriptValue?
    }

    /// The exceeded limit, as a sentence; the run has ended.
    public var overrun: String? {
        machine.behavior.overrun ?? machine.overrun.map(\.description) ?? recorder.overrun
    }

    let program: RunProgram
    private var machine: Machine<RunBehavior<WideSet>>
    private var recorder: RunRecorder
    private var effects: [Never] = []

    /// Larger charts would use too much memory for a tool.
    private static let statesMax = 10_000
    private static let transitionsMax = 20_000
    private static let placesMax = 20_000
    private static let cellsMax = 20_000_000

    /// The limits on the size of a chart, for messages.
    public static let sizeLimits =
        "at most \(statesMax) states, \(transitionsMax) transitions and \(placesMax) event names; "
        + "states times names at most \(cellsMax)"

    /// A run that has not started. Nil if the chart was refused, was not read by the recommendation, or is too large.
    ///
    /// - Parameter chart: a chart read with the profile of the recommendation.
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

    /// Names in delays without a value, if there is no other data: sending with them is an error.
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

    /// Names in conditions without a value, if there is no other data; they count as false.
    public var unansweredNames: [String] {
        guard program.document.dataModel != .ecmascript else { return [] }
        let names = program.conditions.compactMap { condition in
            let text = condition.text.drop { $0 == "!" || $0.isWhitespace }
            return (try? ScriptExpression(String(text)))?.identifier
        }
        return NameSet(names).sorted.filter { machine.behavior.given.guards[$0] == nil }
    }

    /// Enters the initial states. Called once, before everything else.
    public mutating func start() -> Outcome {
        machine.start(at: .zero, effects: &effects, recorder: &recorder)
        return outcome(isStart: true)
    }

    /// Handles one element, whose time is not negative, to completion: nothing remains to be done at that instant.
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

    /// Advances the clock to a time that is not before now, for a replay.
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
    /// Whole milliseconds, rounded down.
    var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}

/// The meaning of the numbers in a record.
struct RunRecordNames: Sendable, Equatable {
    let program: RunProgram
    let events: [String]
    let sendIDs: [String]

    static func == (left: Self, right: Self) -> Bool {
        left.events == right.events && left.sendIDs == right.sendIDs
    }
}
