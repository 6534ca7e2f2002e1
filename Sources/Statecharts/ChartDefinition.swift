/// A name that stands for a number in a chart's table: the raw value of a generated enum's case.
public protocol ChartNumber: RawRepresentable, Hashable, Sendable where RawValue: FixedWidthInteger & Sendable {}

extension ChartNumber {
    /// The case with this number. A number without one means that table and enum were not made together.
    @inlinable
    init(tableNumber: Int) {
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
    associatedtype Timer: ChartNumber
    /// The events the chart sends itself at once.
    associatedtype Raised: ChartNumber
    /// The names of conditions.
    associatedtype Guard: ChartNumber
    /// The names of delays.
    associatedtype Delay: ChartNumber
    /// The names of actions.
    associatedtype Action: ChartNumber
    /// What a transition may be taken on.
    typealias Event = ChartEvent<Self>

    /// The number of the event that an input is.
    static func number(of input: Input) -> Int
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

/// What a transition is taken on, and with what data.
public enum ChartEvent<Chart: ChartVocabulary>: Sendable {
    /// The world told the chart something.
    case input(Chart.Input)
    /// A timer of the chart fell due.
    case timer(Chart.Timer)
    /// The chart told itself something.
    case raised(Chart.Raised)
    /// A state is finished: `done.state.NAME`.
    case done(Chart.State)
}

extension ChartEvent: Equatable where Chart.Input: Equatable {}

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

/// The Swift side of a chart: it answers the chart's questions and does what the chart decides.
///
/// Generated code provides the three requirements here and asks for one function per name instead.
public protocol Behavior {
    /// The chart this belongs to.
    associatedtype Chart: ChartVocabulary
    /// What the behavior asks the world to do.
    associatedtype Effect

    /// Whether a guard holds. `event` is the last one handled; there is none while the chart starts.
    func holds(_ guardID: Chart.Guard, _ event: Chart.Event?) -> Bool
    /// How long a timer runs. Not negative.
    func delay(_ delayID: Chart.Delay) -> Duration
    /// Does an action: changes the model, appends the effects it asks for.
    mutating func perform(_ actionID: Chart.Action, _ event: Chart.Event?, _ effects: inout [Effect])
}
