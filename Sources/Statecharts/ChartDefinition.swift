/// The number of a name in a chart's table: the raw value of a generated enum's case.
public protocol ChartNumber: RawRepresentable, TimerEvent, Hashable where RawValue: FixedWidthInteger & Sendable {}

/// An event of a timer: an enum's case in a compiled chart, an event with data in other charts.
public protocol TimerEvent: Sendable {
    init(tableNumber: Int)
}

extension ChartNumber {
    /// The case with this number. An unknown number means that table and enum do not belong together.
    @inlinable
    public init(tableNumber: Int) {
        guard let value = Self(rawValue: RawValue(truncatingIfNeeded: tableNumber)) else {
            preconditionFailure("\(Self.self) has no number \(tableNumber): the table is wrong")
        }
        self = value
    }
}

/// The enum for a chart without such names, for example a chart without timers.
public enum NoNames: UInt8, ChartNumber {
    /// An enum with a raw type needs a case; no table uses its number.
    case none = 255
}

/// The types of one chart: the Swift names of its states, events and functions.
public protocol ChartVocabulary: Sendable {
    /// The type of state set; the default has room for 64 states.
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
    /// The index of that event's transitions in the table. It equals the event's number in a compiled chart. In other
    /// charts, all unknown names that match the same descriptors share an index.
    static func place(of input: Input) -> Int
    /// Whether a guard or an action can read an event of this number. Other events are not kept, and the behavior
    /// receives nil.
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

/// A chart that is compiled into the program. Only generated code conforms to it.
public protocol ChartDefinition: ChartVocabulary {
    static var table: ChartTable<Bits> { get }
    /// All names as spelled in the chart, by number.
    static var names: ChartNames { get }
    /// The path of the chart's file, relative to the package.
    static var source: String { get }
    /// The SHA-256 of that file, as hexadecimal digits.
    static var digest: String { get }
}

extension ChartDefinition {
    /// The name of an input's event in the chart.
    public static func name(of input: Input) -> String { names.events[number(of: input)] }
}

/// The trigger of a transition, with its data. Every chart has its own enum with these four cases: a generic enum would
/// be moved and destroyed through metadata, once per event.
public protocol ChartEvent: Sendable {
    /// See ``ChartVocabulary``; the same holds for the other types.
    associatedtype Input
    associatedtype Timer
    associatedtype Raised
    associatedtype State

    /// An event from outside.
    static func input(_ input: Input) -> Self
    static func timer(_ timer: Timer) -> Self
    static func raised(_ raised: Raised) -> Self
    /// A state is finished: `done.state.NAME`.
    static func done(_ state: State) -> Self
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The names of a chart as spelled there. Their indices are the numbers in tables, records and enums.
public struct ChartNames: Sendable, Equatable {
    public var chart: String
    /// The states; the name of the root, and of a state without an id, is empty.
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

    /// All functions that the chart requires of its behavior, sorted. A test compares them with the functions of a
    /// conformance.
    public var functions: [String] { (guards + delays + actions).sorted() }
}
