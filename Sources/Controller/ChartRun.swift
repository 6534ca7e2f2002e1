import Statecharts

/// One run of a chart inside the core: the machine, and the effects and steps of the current call.
struct ChartRun<B: Behavior> where B.Chart: ChartDefinition {
    private(set) var machine: Machine<B>
    private var effects: [B.Effect] = []
    private var log = StepLog<B.Chart>()

    init(_ behavior: B) {
        machine = Machine(behavior)
    }

    /// The effects and the steps of one call.
    struct Outcome {
        var effects: [B.Effect]
        var steps: [MacroStep<B.Chart>]

        /// Whether the input enabled a transition. An input without a transition has no effect.
        var wasTaken: Bool { steps.last.map { !$0.isDropped } ?? false }
    }

    mutating func start(at now: Duration) -> Outcome {
        machine.start(at: now, effects: &effects, recorder: &log)
        return takeOutcome()
    }

    mutating func handle(_ input: B.Chart.Input, at now: Duration) -> Outcome {
        machine.handle(input, at: now, effects: &effects, recorder: &log)
        return takeOutcome()
    }

    mutating func advance(to now: Duration) -> Outcome {
        machine.advance(to: now, effects: &effects, recorder: &log)
        return takeOutcome()
    }

    /// Changes the data that the chart's guards read. The guards use the new data from the next input on.
    @discardableResult
    mutating func inform<Result>(_ change: (inout B) -> Result) -> Result { change(&machine.behavior) }

    private mutating func takeOutcome() -> Outcome {
        defer {
            effects.removeAll(keepingCapacity: true)
            log.removeAll()
        }
        return Outcome(effects: effects, steps: log.steps)
    }

    func isActive(_ state: B.Chart.State) -> Bool { machine.isActive(state) }

    /// The name of the chart's main state: the first active leaf in document order.
    var state: String { name(machine.mainState) }

    /// The names of all active leaves.
    var configuration: [String] { machine.configuration.map(name) }

    var chartState: ChartState {
        ChartState(
            name: B.Chart.names.chart.lowercased(),
            state: state,
            configuration: configuration,
            digest: B.Chart.digest
        )
    }

    private func name(_ state: B.Chart.State) -> String {
        B.Chart.names.states[Int(state.rawValue)]
    }
}

extension ChartRun: Sendable where B: Sendable, B.Effect: Sendable {}
