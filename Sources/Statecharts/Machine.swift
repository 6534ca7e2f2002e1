/// A running chart. It is a value that receives events with times, and returns effects.
///
/// A machine does no I/O and reads no clock. The machine's owner sets one timer for `nextDeadline`, calls `handle` or
/// `advance`, and performs the effects. The same calls always give the same effects and the same records.
///
/// The semantics are those of W3C SCXML (REC-scxml-20150901, section 3 and Appendix D). Comments cite its rules as R1
/// to R17, as the tests in `Tests/SCXMLTests/Conformance` do. One call handles the event's macrostep. Then it handles
/// all events that the chart sent itself and that are due by then, one macrostep each.
public struct Machine<B: Behavior> {
    /// The chart's Swift side and its data.
    public var behavior: B

    @usableFromInline let table: ChartTable<B.Chart.Bits>
    @usableFromInline let limits: Limits
    @usableFromInline var time: Duration = .zero
    @usableFromInline var runs = false
    @usableFromInline var passed: Overrun?
    @usableFromInline var hasStarted = false
    @usableFromInline var active: B.Chart.Bits
    /// The states that were active when the machine stopped. A stopped machine still reports them.
    @usableFromInline var lastActive: B.Chart.Bits
    /// For each history: the states that were active at the latest exit of its parent; empty before the first exit.
    @usableFromInline var records: [B.Chart.Bits]
    /// The current event, for guards and actions; an older event if `isKept` is false.
    @usableFromInline var kept: B.Chart.Event?
    /// Whether a guard or action can read the current event. Most events have no data and are not copied.
    @usableFromInline var isKept = false
    @usableFromInline var internalQueue = EventQueue<B.Chart>()
    @usableFromInline var externalQueue = EventQueue<B.Chart>()
    @usableFromInline var timers = TimerQueue<B.Chart>()
    @usableFromInline var chosen: [Int] = []
    @usableFromInline var plan: EntryPlan<B.Chart.Bits>
    @usableFromInline var microstepCount = 0
    @usableFromInline var deliveryCount = 0
    @usableFromInline var effectsBase = 0

    /// A machine for a table that is built at run time.
    public init(_ behavior: B, table: ChartTable<B.Chart.Bits>, limits: Limits = Limits()) {
        self.behavior = behavior
        self.table = table
        self.limits = limits
        active = B.Chart.Bits(highest: table.stateCount - 1)
        lastActive = active
        records = Array(repeating: active, count: table.stateCount)
        plan = EntryPlan(stateCount: table.stateCount)
        chosen.reserveCapacity(8)
    }

    /// The time of the last handled event, since the clock's origin.
    @inlinable public var now: Duration { time }

    /// Whether the machine runs. False before `start` and after a final state of the root was entered.
    @inlinable public var isRunning: Bool { runs }

    /// The exceeded limit, in a machine that does not trap; nil: no limit was exceeded.
    @inlinable public var overrun: Overrun? { passed }

    /// The time at which the owner calls `advance(to:)`, since the clock's origin; nil: no timer runs.
    @inlinable public var nextDeadline: Duration? { timers.nextDue }

    /// The active leaves in document order. After a stop: the leaves that were active before it.
    public var configuration: [B.Chart.State] {
        reported.members.filter { table.isLeaf($0) }.map { B.Chart.State(tableNumber: $0) }
    }

    /// The first active leaf in document order. The machine must have started. Does not allocate.
    @inlinable public var mainState: B.Chart.State {
        guard let leaf = reported.intersection(table.leaves).next(after: 0) else {
            preconditionFailure("a machine has no state before it starts")
        }
        return B.Chart.State(tableNumber: leaf)
    }

    /// All active states in document order. After a stop: the states that were active before it.
    public var activeStates: [B.Chart.State] {
        reported.members.map { B.Chart.State(tableNumber: $0) }
    }

    /// Whether a state is active. The state can be a leaf or contain other states.
    @inlinable
    public func isActive(_ state: B.Chart.State) -> Bool {
        reported.contains(Int(state.rawValue))
    }

    // A stopped machine has no active states, except after an exceeded limit during the stop.
    @inlinable var reported: B.Chart.Bits { active.isEmpty ? lastActive : active }
}

extension Machine where B.Chart: ChartDefinition {
    /// A machine of a compiled chart.
    public init(_ behavior: B, limits: Limits = Limits()) {
        self.init(behavior, table: B.Chart.table, limits: limits)
    }
}

extension Machine: Sendable where B: Sendable {}

// MARK: - Interface for the owner

extension Machine {
    /// R1: enters the initial states. The owner calls this once, before all other calls.
    @inlinable
    public mutating func start(at now: Duration, effects: inout [B.Effect], recorder: inout some StepRecorder) {
        precondition(!hasStarted, "a machine starts once")
        hasStarted = true
        runs = true
        time = now
        beginMacrostep(.start, effects: effects.count, recorder: &recorder)
        enterInitial(effects: &effects, recorder: &recorder)
        settle(effects: &effects, recorder: &recorder)
        deliver(until: now, effects: &effects, recorder: &recorder)
    }

    /// R3: delivers the timers that are due by `now`, then `input`. Ignores an input that enables no transition.
    @inlinable
    public mutating func handle(
        _ input: B.Chart.Input,
        at now: Duration,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        advance(to: now, effects: &effects, recorder: &recorder)
        guard isRunning, overrun == nil else { return }
        let number = B.Chart.number(of: input)
        let place = B.Chart.place(of: input)
        isKept = B.Chart.keeps(number)
        if isKept { kept = .input(input) }
        beginMacrostep(.input(event: number), effects: effects.count, recorder: &recorder)
        complete(number: number, place: place, effects: &effects, recorder: &recorder)
        deliver(until: now, effects: &effects, recorder: &recorder)
    }

    /// R4: delivers all timers due at or before `now`, in the order of their due times.
    ///
    /// The machine's clock shows the due time of each timer, even if this call is late. So a replay, which has only the
    /// inputs, gets the same times.
    @inlinable
    public mutating func advance(to now: Duration, effects: inout [B.Effect], recorder: inout some StepRecorder) {
        precondition(hasStarted, "start comes first")
        precondition(now >= time, "time does not run backwards")
        deliver(until: now, effects: &effects, recorder: &recorder)
    }
}
