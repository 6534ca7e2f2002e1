import Statecharts

/// One macrostep of a run. Its events and states are numbers.
struct RunMacrostep: Sendable, Equatable {
    var cause: Cause
    var time: Duration
    /// The microsteps, and the events that enabled no transition.
    var steps: [RunStep] = []
    /// The active leaves after the macrostep. After a stop: the leaves that were active before it.
    var leaves: [Int] = []
}

/// One microstep, or one event that enabled no transition.
struct RunStep: Sendable, Equatable {
    struct Sent: Sendable, Equatable {
        var event: Int
        var id: Int?
        var due: Duration
    }

    var origin: Origin
    var event: Int?
    var isDropped = false
    var transitions: [Int] = []
    var exited: [Int] = []
    var entered: [Int] = []
    var actions: [Int] = []
    var raised: [Int] = []
    var sent: [Sent] = []
    var cancelled: [Int] = []
    /// The indices of the log lines in the behavior's `logs`.
    var logged: [Int] = []
}

/// A recorder that keeps all macrosteps of a run until the runner removes them.
struct RunRecorder: StepRecorder, Sendable {
    private(set) var macrosteps: [RunMacrostep] = []
    private(set) var overrun: String?
    private let keepsSteps: Bool
    private var stepCount = 0
    private let isLeaf: [Bool]
    private var active: Set<Int> = []
    private var step = RunStep(origin: .start)
    /// The error events of conditions that failed while transitions were selected. The next step reports these events.
    private var raisedBefore: [Int] = []
    private var isInStep = false
    private var hasStopped = false

    private let stepsMax: Int

    init(_ program: RunProgram, keepsSteps: Bool, stepsMax: Int) {
        self.keepsSteps = keepsSteps
        self.stepsMax = stepsMax
        isLeaf = program.document.states.map(\.isLeaf)
    }

    mutating func removeAll() {
        macrosteps.removeAll()
        stepCount = 0
    }

    mutating func macrostepBegan(_ cause: Cause, at now: Duration) {
        // Without a request for steps, or after an exceeded limit, the recorder keeps only the current macrostep.
        if !keepsSteps || overrun != nil { macrosteps.removeAll(keepingCapacity: true) }
        macrosteps.append(RunMacrostep(cause: cause, time: now))
    }

    mutating func microstepBegan(_ origin: Origin, event: Int?) {
        step = RunStep(origin: origin, event: event)
        step.raised = raisedBefore
        raisedBefore = []
        isInStep = true
        if origin == .stop { noteLeaves() }
    }

    mutating func transitionTaken(_ transition: Int) { step.transitions.append(transition) }

    mutating func stateExited(_ state: Int) {
        step.exited.append(state)
        active.remove(state)
    }

    mutating func stateEntered(_ state: Int) {
        step.entered.append(state)
        active.insert(state)
    }

    mutating func actionPerformed(_ action: Int) { step.actions.append(action) }

    mutating func eventRaised(_ event: Int) {
        if isInStep {
            step.raised.append(event)
        } else {
            raisedBefore.append(event)
        }
    }

    mutating func eventSent(_ event: Int, id: Int?, due: Duration?) {
        step.sent.append(RunStep.Sent(event: event, id: id, due: due ?? macrosteps[macrosteps.count - 1].time))
    }

    mutating func sendsCancelled(id: Int, count: Int) {
        if count > 0 { step.cancelled.append(id) }
    }

    mutating func lineLogged(_ line: Int) { step.logged.append(line) }

    mutating func microstepEnded() {
        isInStep = false
        keep(step)
    }

    mutating func eventDropped(_ origin: Origin, event: Int) {
        var step = RunStep(origin: origin, event: event, isDropped: true)
        step.raised = raisedBefore
        raisedBefore = []
        keep(step)
    }

    private mutating func keep(_ step: RunStep) {
        if step.origin == .stop { hasStopped = true }
        guard keepsSteps, overrun == nil else { return }
        macrosteps[macrosteps.count - 1].steps.append(step)
        stepCount += 1
        if stepCount > stepsMax { overrun = "more than \(stepsMax) microsteps at once" }
    }

    mutating func macrostepEnded() {
        if !hasStopped { noteLeaves() }
    }

    var lastRecord: String { macrosteps.last.map { "\($0)" } ?? "" }

    private mutating func noteLeaves() {
        macrosteps[macrosteps.count - 1].leaves = active.filter { isLeaf[$0] }.sorted()
    }
}
