/// One macrostep: what caused it and everything it did.
public struct MacroStep<Chart: ChartVocabulary>: Sendable, Equatable {
    /// What made it happen.
    public var cause: Cause
    /// The machine's clock.
    public var time: Duration
    /// What it did, in order. Events that enabled nothing are not among these.
    public var steps: [MicroStep<Chart>] = []
    /// The internal events that enabled nothing.
    public var droppedInternal: [Int] = []

    /// Whether its own event enabled no transition: nothing happened.
    public var isDropped: Bool {
        cause != .start && steps.first?.origin != .external
    }

    /// The number of the event that caused it; start has none.
    public var event: Int? {
        switch cause {
        case .start: nil
        case .input(let event), .timer(let event, _), .sent(let event): event
        }
    }
}

/// One microstep: states left, contents run, states entered.
public struct MicroStep<Chart: ChartVocabulary>: Sendable, Equatable {
    /// An event the chart sent itself.
    public struct Sent: Sendable, Equatable {
        /// The event's number.
        public var event: Int
        /// The number of the send id, if there is one.
        public var id: Int?
        /// When it falls due; `nil` means right after this macrostep.
        public var due: Duration?
    }

    /// What made it happen.
    public var origin: Origin
    /// The event's number; eventless ones, start and stop have none.
    public var event: Int?
    /// The transitions taken, by number.
    public var transitions: [Int] = []
    /// The states left, in the order of leaving.
    public var exited: [Chart.State] = []
    /// The states entered, in the order of entering.
    public var entered: [Chart.State] = []
    /// The actions done.
    public var actions: [Chart.Action] = []
    /// The events put into the internal queue.
    public var raised: [Int] = []
    /// The events sent.
    public var sent: [Sent] = []
    /// The send ids that were cancelled while armed.
    public var cancelled: [Int] = []
    /// The lines logged.
    public var lines: [Int] = []
}

/// Keeps every macrostep until it is taken out. Allocates: for the journal and for tests, not for the idle path.
public struct StepLog<Chart: ChartVocabulary>: StepRecorder, Sendable, Equatable {
    /// The macrosteps so far. Whoever reads them removes them.
    public var steps: [MacroStep<Chart>] = []
    private var current = MicroStep<Chart>(origin: .start)

    /// An empty log.
    public init() {}

    /// Takes everything out.
    public mutating func removeAll() {
        steps.removeAll(keepingCapacity: true)
    }

    /// Opens a macrostep.
    public mutating func macrostepBegan(_ cause: Cause, at now: Duration) {
        steps.append(MacroStep(cause: cause, time: now))
    }

    /// Opens a microstep.
    public mutating func microstepBegan(_ origin: Origin, event: Int?) {
        current = MicroStep(origin: origin, event: event)
    }

    /// Notes a transition.
    public mutating func transitionTaken(_ transition: Int) {
        current.transitions.append(transition)
    }

    /// Notes a state left.
    public mutating func stateExited(_ state: Int) {
        current.exited.append(Chart.State(tableNumber: state))
    }

    /// Notes a state entered.
    public mutating func stateEntered(_ state: Int) {
        current.entered.append(Chart.State(tableNumber: state))
    }

    /// Notes an action.
    public mutating func actionPerformed(_ action: Int) {
        current.actions.append(Chart.Action(tableNumber: action))
    }

    /// Notes an internal event.
    public mutating func eventRaised(_ event: Int) {
        current.raised.append(event)
    }

    /// Notes a sent event.
    public mutating func eventSent(_ event: Int, id: Int?, due: Duration?) {
        current.sent.append(MicroStep.Sent(event: event, id: id, due: due))
    }

    /// Notes a cancel that found something.
    public mutating func sendsCancelled(id: Int, count: Int) {
        if count > 0 { current.cancelled.append(id) }
    }

    /// Notes a line.
    public mutating func lineLogged(_ line: Int) {
        current.lines.append(line)
    }

    /// Closes the microstep.
    public mutating func microstepEnded() {
        precondition(!steps.isEmpty, "a microstep belongs to a macrostep")
        steps[steps.count - 1].steps.append(current)
    }

    /// Notes an internal event that enabled nothing; of an external one the missing microstep tells.
    public mutating func eventDropped(_ origin: Origin, event: Int) {
        precondition(!steps.isEmpty, "an event belongs to a macrostep")
        if origin == .internal { steps[steps.count - 1].droppedInternal.append(event) }
    }

    /// Nothing is left to do.
    public mutating func macrostepEnded() {}

    /// The macrostep under way.
    public var lastRecord: String {
        steps.last.map { "\($0)" } ?? ""
    }
}
