/// A running chart: a value that receives events with times, and returns effects.
///
/// It reads no clock, starts no timer and performs no effect. Its owner sets one timer for `nextDeadline`, calls
/// `handle` or `advance`, and performs the effects. The same calls always give the same effects and the same records.
///
/// The semantics are those of W3C SCXML (REC-scxml-20150901, section 3 and Appendix D). One call runs to completion. It
/// handles the event's macrostep, and all events that the chart sends itself and that are due by then, one macrostep
/// each.
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
    /// The states that were active when the machine stopped, which it still reports.
    @usableFromInline var lastActive: B.Chart.Bits
    /// Per history state the states that were active when its parent was last exited; empty: never.
    @usableFromInline var records: [B.Chart.Bits]
    /// The current event, for guards and actions, if `isKept`; else an earlier one.
    @usableFromInline var kept: B.Chart.Event?
    /// Whether a guard or action may read the current event. Most events have no data, and are not copied.
    @usableFromInline var isKept = false
    @usableFromInline var internalQueue = EventQueue<B.Chart>()
    @usableFromInline var externalQueue = EventQueue<B.Chart>()
    @usableFromInline var timers = TimerQueue<B.Chart>()
    @usableFromInline var chosen: [Int] = []
    @usableFromInline var plan: EntryPlan<B.Chart.Bits>
    @usableFromInline var microstepCount = 0
    @usableFromInline var deliveryCount = 0
    @usableFromInline var effectsBase = 0

    /// A machine for a table made at run time.
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

    /// False before `start` and after a final state of the root was entered.
    @inlinable public var isRunning: Bool { runs }

    /// The limit that was exceeded, in a machine that does not trap.
    @inlinable public var overrun: Overrun? { passed }

    /// The time at which to call `advance(to:)`, since the clock's origin; nil: no timer runs.
    @inlinable public var nextDeadline: Duration? { timers.nextDue }

    /// The active leaves in document order; after a stop, the last ones.
    public var configuration: [B.Chart.State] {
        reported.members.filter { table.isLeaf($0) }.map { B.Chart.State(tableNumber: $0) }
    }

    /// The first of the active leaves in document order, of a machine that has started. Does not allocate.
    @inlinable public var mainState: B.Chart.State {
        guard let leaf = reported.intersection(table.leaves).next(after: 0) else {
            preconditionFailure("a machine has no state before it starts")
        }
        return B.Chart.State(tableNumber: leaf)
    }

    /// All active states in document order; after a stop, the last ones.
    public var activeStates: [B.Chart.State] {
        reported.members.map { B.Chart.State(tableNumber: $0) }
    }

    /// Whether a state is active, leaf or not.
    @inlinable
    public func isActive(_ state: B.Chart.State) -> Bool {
        reported.contains(Int(state.rawValue))
    }

    // A stopped machine has no active state; one that exceeded a limit while it stopped still has some.
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
    /// R1: enters the initial states. Called once, before everything else.
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

    /// R3: delivers the timers that are due by now, then `input`. An input that enables no transition is dropped.
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
    /// A delivery has its due time even if this call is late. So a replay, which has only the inputs, gets the same
    /// times.
    @inlinable
    public mutating func advance(to now: Duration, effects: inout [B.Effect], recorder: inout some StepRecorder) {
        precondition(hasStarted, "start comes first")
        precondition(now >= time, "time does not run backwards")
        deliver(until: now, effects: &effects, recorder: &recorder)
    }
}
