/// A chart that runs: a value that is told what happened and when, and says what to do.
///
/// It reads no clock, starts no timer and performs no effect. Its owner arms one timer for `nextDeadline`, calls
/// `handle` or `advance`, and does the effects. The same calls give the same effects and the same records, always.
///
/// Semantics are those of W3C SCXML (REC-scxml-20150901, section 3 and Appendix D). One call runs to completion: the
/// event's macrostep, and everything the chart sends itself that is due by then, each in a macrostep of its own.
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
    /// What was active when the machine stopped, which it goes on to report.
    @usableFromInline var lastActive: B.Chart.Bits
    /// Per history state what was active when its parent was last left; empty means never.
    @usableFromInline var records: [B.Chart.Bits]
    /// The event last taken up, for guards and actions, if `isKept`; else one before it.
    @usableFromInline var kept: B.Chart.Event?
    /// Whether anybody may look at the event last taken up. Most carry nothing, and then none is copied.
    @usableFromInline var isKept = false
    @usableFromInline var internalQueue = EventQueue<B.Chart>()
    @usableFromInline var externalQueue = EventQueue<B.Chart>()
    @usableFromInline var timers = TimerQueue<B.Chart>()
    /// The transitions of the microstep under way, if they are several.
    @usableFromInline var chosen: [Int] = []
    @usableFromInline var plan: EntryPlan<B.Chart.Bits>
    @usableFromInline var microstepCount = 0
    @usableFromInline var deliveryCount = 0
    @usableFromInline var effectsBase = 0

    /// A machine over a table made at run time.
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

    /// The time of the last thing handled, since the clock's origin.
    @inlinable public var now: Duration { time }

    /// False before `start` and once a final state of the chart itself was entered.
    @inlinable public var isRunning: Bool { runs }

    /// The limit that was passed, in a machine that does not trap.
    @inlinable public var overrun: Overrun? { passed }

    /// When the machine next wants `advance(to:)`, since the clock's origin; `nil` while no timer runs.
    @inlinable public var nextDeadline: Duration? { timers.nextDue }

    /// The active leaves in document order. After a stop: those it ended in.
    public var configuration: [B.Chart.State] {
        reported.members.filter { table.isLeaf($0) }.map { B.Chart.State(tableNumber: $0) }
    }

    /// The first of the active leaves in document order, of a machine that has started. Makes no list.
    @inlinable public var mainState: B.Chart.State {
        guard let leaf = reported.intersection(table.leaves).next(after: 0) else {
            preconditionFailure("a machine has no state before it starts")
        }
        return B.Chart.State(tableNumber: leaf)
    }

    /// All active states in document order. After a stop: those it ended in.
    public var activeStates: [B.Chart.State] {
        reported.members.map { B.Chart.State(tableNumber: $0) }
    }

    /// Whether a state is active, be it a leaf or one around it.
    @inlinable
    public func isActive(_ state: B.Chart.State) -> Bool {
        reported.contains(Int(state.rawValue))
    }

    // A machine that has stopped has nothing active; one that passed a limit on its way there has not stopped.
    @inlinable var reported: B.Chart.Bits { active.isEmpty ? lastActive : active }
}

extension Machine where B.Chart: ChartDefinition {
    /// A machine of a compiled chart.
    public init(_ behavior: B, limits: Limits = Limits()) {
        self.init(behavior, table: B.Chart.table, limits: limits)
    }
}

extension Machine: Sendable where B: Sendable {}

// MARK: - What an owner calls

extension Machine {
    /// R1: enters the initial states. Once, before anything else.
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

    /// R3: delivers what is due by now, then `input`. One that enables no transition is dropped.
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

    /// R4: delivers everything due at or before `now`, in the order of falling due.
    ///
    /// A delivery happens at its due time even if this call comes late, so that a replay, which knows the inputs only,
    /// sees the same times.
    @inlinable
    public mutating func advance(to now: Duration, effects: inout [B.Effect], recorder: inout some StepRecorder) {
        precondition(hasStarted, "start comes first")
        precondition(now >= time, "time does not run backwards")
        deliver(until: now, effects: &effects, recorder: &recorder)
    }
}
