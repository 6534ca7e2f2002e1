/// One macrostep: its cause, and everything that happened in it.
public struct MacroStep<Chart: ChartVocabulary>: Sendable, Equatable {
    /// The cause.
    public var cause: Cause
    /// The time of the machine's clock.
    public var time: Duration
    /// The microsteps in order. An event that enabled no transition has no microstep.
    public var steps: [MicroStep<Chart>] = []
    /// The numbers of the internal events that enabled no transition.
    public var droppedInternal: [Int] = []

    /// Whether the event that caused the macrostep enabled no transition.
    public var isDropped: Bool {
        cause != .start && steps.first?.origin != .external
    }

    /// The number of the event that caused the macrostep; nil for the start.
    public var event: Int? {
        switch cause {
        case .start: nil
        case .input(let event), .timer(let event, _), .sent(let event): event
        }
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// One microstep: the exited states, the executed content and the entered states.
public struct MicroStep<Chart: ChartVocabulary>: Sendable, Equatable {
    /// An event that the chart sent itself.
    public struct Sent: Sendable, Equatable {
        public var event: Int
        public var id: Int?
        /// The due time; nil: the machine handles the event right after this macrostep.
        public var due: Duration?
    }

    /// The cause.
    public var origin: Origin
    /// The event's number; nil for eventless microsteps, start and stop.
    public var event: Int?
    public var transitions: [Int] = []
    /// The exited states, in order.
    public var exited: [Chart.State] = []
    /// The entered states, in order.
    public var entered: [Chart.State] = []
    public var actions: [Chart.Action] = []
    /// The events put into the internal queue.
    public var raised: [Int] = []
    public var sent: [Sent] = []
    /// The send ids of the timers that were cancelled.
    public var cancelled: [Int] = []
    public var lines: [Int] = []
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// A recorder that keeps all macrosteps until the reader removes them. It allocates, so it is for the journal and for
/// tests.
public struct StepLog<Chart: ChartVocabulary>: StepRecorder, Sendable, Equatable {
    /// The macrosteps so far. The reader removes them with `removeAll`.
    public var steps: [MacroStep<Chart>] = []
    private var current = MicroStep<Chart>(origin: .start)

    /// An empty log.
    public init() {}

    /// Removes all macrosteps.
    public mutating func removeAll() {
        steps.removeAll(keepingCapacity: true)
    }

    public mutating func macrostepBegan(_ cause: Cause, at now: Duration) {
        steps.append(MacroStep(cause: cause, time: now))
    }

    public mutating func microstepBegan(_ origin: Origin, event: Int?) {
        current = MicroStep(origin: origin, event: event)
    }

    public mutating func transitionTaken(_ transition: Int) {
        current.transitions.append(transition)
    }

    public mutating func stateExited(_ state: Int) {
        current.exited.append(Chart.State(tableNumber: state))
    }

    public mutating func stateEntered(_ state: Int) {
        current.entered.append(Chart.State(tableNumber: state))
    }

    public mutating func actionPerformed(_ action: Int) {
        current.actions.append(Chart.Action(tableNumber: action))
    }

    public mutating func eventRaised(_ event: Int) {
        current.raised.append(event)
    }

    public mutating func eventSent(_ event: Int, id: Int?, due: Duration?) {
        current.sent.append(MicroStep.Sent(event: event, id: id, due: due))
    }

    public mutating func sendsCancelled(id: Int, count: Int) {
        if count > 0 { current.cancelled.append(id) }
    }

    public mutating func lineLogged(_ line: Int) {
        current.lines.append(line)
    }

    public mutating func microstepEnded() {
        precondition(!steps.isEmpty, "a microstep belongs to a macrostep")
        steps[steps.count - 1].steps.append(current)
    }

    /// Records an internal event that enabled no transition. For an external event, the missing external microstep in
    /// the macrostep shows the same.
    public mutating func eventDropped(_ origin: Origin, event: Int) {
        precondition(!steps.isEmpty, "an event belongs to a macrostep")
        if origin == .internal { steps[steps.count - 1].droppedInternal.append(event) }
    }

    public mutating func macrostepEnded() {}

    /// The current macrostep.
    public var lastRecord: String {
        steps.last.map { "\($0)" } ?? ""
    }
}
