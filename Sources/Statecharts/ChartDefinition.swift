/// A name that stands for a number in a chart's table: the raw value of a generated enum's case.
public protocol ChartNumber: RawRepresentable, TimerEvent, Hashable where RawValue: FixedWidthInteger & Sendable {}

/// What a timer delivers: an enum's case in a compiled chart, an event with its data in others.
public protocol TimerEvent: Sendable {
    /// The event of this number in the chart's table.
    init(tableNumber: Int)
}

extension ChartNumber {
    /// The case with this number. A number without one means that table and enum were not made together.
    @inlinable
    public init(tableNumber: Int) {
        guard let value = Self(rawValue: RawValue(truncatingIfNeeded: tableNumber)) else {
            preconditionFailure("\(Self.self) has no number \(tableNumber): the table is wrong")
        }
        self = value
    }
}

/// Stands in for an enum that would have no cases: a chart without timers has no `Timer`.
public enum NoNames: UInt8, ChartNumber {
    /// Enums with a raw type need a case; no table uses its number.
    case none = 255
}

/// The types of one chart: what its states, events and functions are called in Swift.
public protocol ChartVocabulary: Sendable {
    /// Which set the engine works with; 64 states fit the default.
    associatedtype Bits: StateSet = SmallSet
    /// Every state that can be active.
    associatedtype State: ChartNumber
    /// What the world may tell the chart.
    associatedtype Input: Sendable
    /// The events that the chart's timers deliver.
    associatedtype Timer: TimerEvent
    /// The events the chart sends itself at once.
    associatedtype Raised: ChartNumber
    /// The names of conditions.
    associatedtype Guard: ChartNumber
    /// The names of delays.
    associatedtype Delay: ChartNumber
    /// The names of actions.
    associatedtype Action: ChartNumber
    /// What a transition may be taken on.
    associatedtype Event: ChartEvent
    where Event.Input == Input, Event.Timer == Timer, Event.Raised == Raised, Event.State == State

    /// The number of the event that an input is.
    static func number(of input: Input) -> Int
    /// Where the table has that event's transitions. The number itself, unless a chart meets events whose names were
    /// not known when its table was made: those share the place of what matches the same descriptors.
    static func place(of input: Input) -> Int
    /// Whether a guard or an action may look at an event of this number. Others are not kept, and the behavior is given
    /// none.
    static func keeps(_ event: Int) -> Bool
}

extension ChartVocabulary {
    /// Every event of a compiled chart has a place of its own.
    @inlinable
    public static func place(of input: Input) -> Int { number(of: input) }

    /// Who does not say otherwise is given every event.
    @inlinable
    public static func keeps(_ event: Int) -> Bool { true }
}

/// A chart known when the program is compiled. Generated; nobody conforms by hand.
public protocol ChartDefinition: ChartVocabulary {
    /// The chart as the engine runs it.
    static var table: ChartTable<Bits> { get }
    /// Every name as it is spelled in the chart, by number.
    static var names: ChartNames { get }
    /// The chart's file, relative to the package.
    static var source: String { get }
    /// The SHA-256 of that file, in hexadecimal digits.
    static var digest: String { get }
}

extension ChartDefinition {
    /// An input's event as the chart spells it.
    public static func name(of input: Input) -> String { names.events[number(of: input)] }
}

/// What a transition is taken on, and with what data. Every chart has an enum of its own with these four cases: a
/// generic one would be moved and destroyed by way of tables, once for each event.
public protocol ChartEvent: Sendable {
    /// See ``ChartVocabulary``, likewise the others.
    associatedtype Input
    associatedtype Timer
    associatedtype Raised
    associatedtype State

    /// The world told the chart something.
    static func input(_ input: Input) -> Self
    /// A timer of the chart fell due.
    static func timer(_ timer: Timer) -> Self
    /// The chart told itself something.
    static func raised(_ raised: Raised) -> Self
    /// A state is finished: `done.state.NAME`.
    static func done(_ state: State) -> Self
}

/// The names of a chart as they are spelled there. Positions are the numbers that tables, records and enums use.
public struct ChartNames: Sendable, Equatable {
    /// The chart's own name.
    public var chart: String
    /// The states; the root's name is empty, and so is that of a state without an id.
    public var states: [String]
    /// The events.
    public var events: [String]
    /// The guards.
    public var guards: [String]
    /// The named delays.
    public var delays: [String]
    /// The actions.
    public var actions: [String]
    /// The ids of sends.
    public var sendIDs: [String]
    /// The lines that the chart logs.
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

    /// Every function that the chart asks of its behavior, sorted. An extension that conforms to the chart's behavior
    /// protocol has these and no others: a test can compare.
    public var functions: [String] { (guards + delays + actions).sorted() }
}
