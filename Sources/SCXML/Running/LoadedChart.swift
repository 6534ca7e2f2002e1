import Statecharts

/// A number that replaces the enum case of a compiled chart.
public struct LoadedNumber: ChartNumber {
    /// The number in the chart's table.
    public var rawValue: Int

    /// A value with this number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The types of a chart that is loaded at run time. Events have names; all other things have only numbers.
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
    /// The index of the event's name. All names that match the same descriptors share an index.
    public static func place(of input: Input) -> Int { input.place }
}

/// The trigger of a transition in a chart that is loaded at run time.
public enum LoadedOccasion: ChartEvent, Equatable {
    /// An event from outside or from a data model.
    case input(LoadedEvent)
    case timer(LoadedEvent)
    case raised(LoadedNumber)
    case done(LoadedNumber)
}

/// An event of a chart that is loaded at run time. An expression reads it as `_event` (W3C SCXML 5.10.1).
public struct LoadedEvent: TimerEvent, Equatable {
    /// The full name of the event.
    public var name: String
    /// The data of the event.
    public var data: ScriptValue
    /// The source of the event.
    public var origin: Origin
    /// The id of the `<send>` that sent the event; nil: none.
    public var sendID: String?
    /// Whether a `<send>` of this session sent the event, so that the event's origin is the session's address.
    public var isSent = false
    var number: Int
    var place: Int

    /// The source of an event. The raw values are the values of `_event.type`.
    public enum Origin: String, Sendable {
        /// The event is from outside, or from a `<send>` of the chart.
        case external
        /// The event is from `<raise>`, or from a `<send>` with the target `#_internal`.
        case `internal`
        /// The engine itself made the event: `done.state.*` or `error.*`.
        case platform
    }

    /// An event with the number that its name has in the chart's table.
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

    /// An event that has a number but no name.
    public init(tableNumber: Int) {
        self.init("", number: tableNumber)
    }

    func queued<Set: StateSet>() -> QueuedEvent<LoadedChart<Set>> {
        QueuedEvent(number: number, place: place, event: .input(self))
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The Swift side of a chart of the dialect that was not compiled. Guards and delays have fixed values, and each action
/// becomes an effect.
public struct LoadedBehavior<Set: StateSet>: Behavior, Sendable {
    public typealias Chart = LoadedChart<Set>

    /// The value of each guard, by number.
    public var guards: [Bool]
    /// The duration of each named delay, by number.
    public var delays: [Duration]

    /// A behavior in which all guards are false and all delays are zero.
    public init(_ names: ChartNames) {
        guards = names.guards.map { _ in false }
        delays = names.delays.map { _ in .zero }
    }

    public func holds(_ guardID: LoadedNumber, _ event: Chart.Event?) -> Bool { guards[guardID.rawValue] }

    public func delay(_ delayID: LoadedNumber) -> Duration { delays[delayID.rawValue] }

    /// Appends the action's number as an effect.
    public mutating func perform(_ actionID: LoadedNumber, _ event: Chart.Event?, _ effects: inout [LoadedNumber]) {
        effects.append(actionID)
    }
}
