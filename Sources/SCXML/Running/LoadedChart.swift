import Statecharts

/// A number in place of a compiled chart's enum case.
public struct LoadedNumber: ChartNumber {
    /// The number in the chart's table.
    public var rawValue: Int

    /// A number of a chart's table.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The types of a chart that is loaded at run time: numbers for everything except events, which have names.
public enum LoadedChart<Set: StateSet>: ChartVocabulary {
    public typealias Bits = Set
    public typealias State = LoadedNumber
    public typealias Input = LoadedEvent
    public typealias Timer = LoadedEvent
    public typealias Raised = LoadedNumber
    public typealias Guard = LoadedNumber
    public typealias Delay = LoadedNumber
    public typealias Action = LoadedNumber

    public typealias Event = LoadedOccasion

    public static func number(of input: Input) -> Int { input.number }
    /// The common place of all names that match the same descriptors.
    public static func place(of input: Input) -> Int { input.place }
}

/// The trigger of a transition in such a chart.
public enum LoadedOccasion: ChartEvent, Equatable {
    /// An event from outside or from a data model.
    case input(LoadedEvent)
    case timer(LoadedEvent)
    case raised(LoadedNumber)
    case done(LoadedNumber)
}

/// An event of a chart that is loaded at run time: W3C SCXML 5.10.1 `_event`.
public struct LoadedEvent: TimerEvent, Equatable {
    /// Its full name.
    public var name: String
    /// Its data.
    public var data: ScriptValue
    /// Its source.
    public var origin: Origin
    /// The id of the `<send>` that made it; nil: none.
    public var sendID: String?
    /// Whether a `<send>` of this session made it, so that the session's address is its origin.
    public var isSent = false
    var number: Int
    var place: Int

    /// The source of an event: the values of `_event.type`.
    public enum Origin: String, Sendable {
        /// From outside, or from the chart's own `<send>`.
        case external
        /// From `<raise>`, or `<send>` to `#_internal`.
        case `internal`
        /// From the engine itself: `done.state.*`, `error.*`.
        case platform
    }

    /// An event with the number of its name in the chart's table.
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

    /// An event without a name, with its number alone.
    public init(tableNumber: Int) {
        self.init("", number: tableNumber)
    }

    func queued<Set: StateSet>() -> QueuedEvent<LoadedChart<Set>> {
        QueuedEvent(number: number, place: place, event: .input(self))
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The Swift side of a dialect chart that was not compiled: guards and delays have fixed values, actions become
/// effects.
public struct LoadedBehavior<Set: StateSet>: Behavior, Sendable {
    public typealias Chart = LoadedChart<Set>

    /// The value of each guard, by number.
    public var guards: [Bool]
    /// The duration of each named delay, by number.
    public var delays: [Duration]

    /// Sets all guards to false and all delays to zero.
    public init(_ names: ChartNames) {
        guards = names.guards.map { _ in false }
        delays = names.delays.map { _ in .zero }
    }

    public func holds(_ guardID: LoadedNumber, _ event: Chart.Event?) -> Bool { guards[guardID.rawValue] }

    public func delay(_ delayID: LoadedNumber) -> Duration { delays[delayID.rawValue] }

    /// Appends the action itself as an effect.
    public mutating func perform(_ actionID: LoadedNumber, _ event: Chart.Event?, _ effects: inout [LoadedNumber]) {
        effects.append(actionID)
    }
}
