import Statecharts

/// A number where a compiled chart has an enum case.
public struct LoadedNumber: ChartNumber {
    /// The number in the chart's table.
    public var rawValue: Int

    /// A number of a chart's table.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

/// The types of a chart that is known only when the program runs: numbers for everything but events, which have names.
public enum LoadedChart<Set: StateSet>: ChartVocabulary {
    /// Which set the engine works with.
    public typealias Bits = Set
    /// A state.
    public typealias State = LoadedNumber
    /// An event from outside, or one that a data model made.
    public typealias Input = LoadedEvent
    /// An event of a timer.
    public typealias Timer = LoadedEvent
    /// An event that the chart sends itself.
    public typealias Raised = LoadedNumber
    /// A guard.
    public typealias Guard = LoadedNumber
    /// A delay.
    public typealias Delay = LoadedNumber
    /// An action.
    public typealias Action = LoadedNumber

    /// What a transition may be taken on.
    public typealias Event = LoadedOccasion

    /// The number under which its name is known.
    public static func number(of input: Input) -> Int { input.number }
    /// The place of all names that the same descriptors match.
    public static func place(of input: Input) -> Int { input.place }
}

/// What a transition of such a chart may be taken on.
public enum LoadedOccasion: ChartEvent, Equatable {
    /// The world, or a data model, told the chart something.
    case input(LoadedEvent)
    /// A timer of the chart fell due.
    case timer(LoadedEvent)
    /// The chart told itself something.
    case raised(LoadedNumber)
    /// A state is finished.
    case done(LoadedNumber)
}

/// An event of a chart that is known only when the program runs: W3C SCXML 5.10.1 `_event`.
public struct LoadedEvent: TimerEvent, Equatable {
    /// Its full name.
    public var name: String
    /// What it carries.
    public var data: ScriptValue
    /// Where it comes from.
    public var origin: Origin
    /// The id of the `<send>` that made it, if that has one.
    public var sendID: String?
    /// Whether a `<send>` of this session made it, so that the session's address is where it comes from.
    public var isSent = false
    var number: Int
    var place: Int

    /// Where an event comes from: the values of `_event.type`.
    public enum Origin: String, Sendable {
        /// From outside, or from the chart's own `<send>`.
        case external
        /// From `<raise>`, or `<send>` to `#_internal`.
        case `internal`
        /// From the engine itself: `done.state.*`, `error.*`.
        case platform
    }

    /// An event with the number that the chart's table has for its name.
    public init(
        _ name: String,
        number: Int,
        place: Int? = nil,
        data: ScriptValue = .undefined,
        origin: Origin = .external,
        sendID: String? = nil
    ) {
        self.name = name
        self.number = number
        self.place = place ?? number
        self.data = data
        self.origin = origin
        self.sendID = sendID
    }

    /// An event whose name is known by its number alone.
    public init(tableNumber: Int) {
        self.init("", number: tableNumber)
    }

    /// The event as queues hold it.
    func queued<Set: StateSet>() -> QueuedEvent<LoadedChart<Set>> {
        QueuedEvent(number: number, place: place, event: .input(self))
    }
}

/// The Swift side of a chart of the dialect that was not compiled: guards and delays have the values they were given,
/// actions become effects.
public struct LoadedBehavior<Set: StateSet>: Behavior, Sendable {
    /// The chart.
    public typealias Chart = LoadedChart<Set>

    /// What each guard answers, by number.
    public var guards: [Bool]
    /// How long each named delay is, by number.
    public var delays: [Duration]

    /// Answers for every name of a chart: no, and no time at all, until they are set.
    public init(_ names: ChartNames) {
        guards = names.guards.map { _ in false }
        delays = names.delays.map { _ in .zero }
    }

    /// What the guard was given.
    public func holds(_ guardID: LoadedNumber, _ event: Chart.Event?) -> Bool { guards[guardID.rawValue] }

    /// What the delay was given.
    public func delay(_ delayID: LoadedNumber) -> Duration { delays[delayID.rawValue] }

    /// The action itself is the effect.
    public mutating func perform(_ actionID: LoadedNumber, _ event: Chart.Event?, _ effects: inout [LoadedNumber]) {
        effects.append(actionID)
    }
}
