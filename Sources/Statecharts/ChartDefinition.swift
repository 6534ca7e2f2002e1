/// The number of a name in a chart's table. It is the raw value of a case of a generated enum.
public protocol ChartNumber: RawRepresentable, TimerEvent, Hashable where RawValue: FixedWidthInteger & Sendable {}

/// An event of a timer. In a compiled chart it is a case of an enum, in other charts an event with data.
public protocol TimerEvent: Sendable {
    init(tableNumber: Int)
}

extension ChartNumber {
    /// The case with this number. Traps for an unknown number, because the table must be of this chart.
    @inlinable
    public init(tableNumber: Int) {
        guard let value = Self(rawValue: RawValue(truncatingIfNeeded: tableNumber)) else {
            preconditionFailure("\(Self.self) has no number \(tableNumber): the table is wrong")
        }
        self = value
    }
}

/// The replacement for an empty enum, for example for the timers of a chart without timers.
public enum NoNames: UInt8, ChartNumber {
    /// Swift requires a case in an enum with a raw type. No table uses the number of this case.
    case none = 255
}

/// The types of one chart: the Swift names of its states, events and functions.
public protocol ChartVocabulary: Sendable {
    /// The type of the state sets. The default type has room for 64 states.
    associatedtype Bits: StateSet = SmallSet
    /// All states that can be active.
    associatedtype State: ChartNumber
    /// The events from outside.
    associatedtype Input: Sendable
    associatedtype Timer: TimerEvent
    /// The events that the chart raises, or sends without delay.
    associatedtype Raised: ChartNumber
    associatedtype Guard: ChartNumber
    associatedtype Delay: ChartNumber
    associatedtype Action: ChartNumber
    /// The events that can trigger a transition.
    associatedtype Event: ChartEvent
    where Event.Input == Input, Event.Timer == Timer, Event.Raised == Raised, Event.State == State

    static func number(of input: Input) -> Int
    /// The index of the event's transitions in the table. In a compiled chart it is the event's number. In other
    /// charts, all unknown names that match the same descriptors share an index.
    static func place(of input: Input) -> Int
    /// Whether a guard or an action can read the event with this number. The machine keeps only such events. For other
    /// events it passes nil to the behavior.
    static func keeps(_ event: Int) -> Bool
}

extension ChartVocabulary {
    /// Every event of a compiled chart has its own place.
    @inlinable
    public static func place(of input: Input) -> Int { number(of: input) }

    /// By default the behavior receives every event.
    @inlinable
    public static func keeps(_ event: Int) -> Bool { true }
}

/// A chart that is compiled into the program. Only generated code conforms to this protocol.
public protocol ChartDefinition: ChartVocabulary {
    static var table: ChartTable<Bits> { get }
    /// All names as spelled in the chart, by number.
    static var names: ChartNames { get }
    /// The path of the chart's file, relative to the package.
    static var source: String { get }
    /// The SHA-256 of the chart's file, as hexadecimal digits.
    static var digest: String { get }
}

extension ChartDefinition {
    /// The name of an input's event in the chart.
    public static func name(of input: Input) -> String { names.events[number(of: input)] }
}

/// The trigger of a transition, with its data. Every chart has a separate enum with these four cases. For a generic
/// enum, Swift would copy and destroy each event through type metadata, which is slow.
public protocol ChartEvent: Sendable {
    /// ``ChartVocabulary`` describes this type and the other associated types.
    associatedtype Input
    associatedtype Timer
    associatedtype Raised
    associatedtype State

    /// An event from outside.
    static func input(_ input: Input) -> Self
    static func timer(_ timer: Timer) -> Self
    static func raised(_ raised: Raised) -> Self
    /// The event `done.state.NAME`: a state is finished.
    static func done(_ state: State) -> Self
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The names of a chart, spelled as in its file. Their indices are the numbers in tables, records and enums.
public struct ChartNames: Sendable, Equatable {
    public var chart: String
    /// The names of the states. The root and a state without an id have an empty name.
    public var states: [String]
    public var events: [String]
    public var guards: [String]
    public var delays: [String]
    public var actions: [String]
    public var sendIDs: [String]
    public var logLines: [String]

    /// The names of one chart.
    public init(
        chart: String,
        states: [String],
        events: [String],
        guards: [String] = [],
        delays: [String] = [],
        actions: [String] = [],
        sendIDs: [String] = [],
        logLines: [String] = []
    ) {
        self.chart = chart
        self.states = states
        self.events = events
        self.guards = guards
        self.delays = delays
        self.actions = actions
        self.sendIDs = sendIDs
        self.logLines = logLines
    }

    /// The names of all functions that the chart requires of its behavior, sorted. A test compares them with the
    /// functions that a model implements.
    public var functions: [String] { (guards + delays + actions).sorted() }
}
