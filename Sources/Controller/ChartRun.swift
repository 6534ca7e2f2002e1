import Statecharts

/// A chart that runs inside the core: the machine, what it asked for, and what it did, until the core has dealt with
/// both.
struct ChartRun<B: Behavior> where B.Chart: ChartDefinition {
    private(set) var machine: Machine<B>
    private var effects: [B.Effect] = []
    private var log = StepLog<B.Chart>()

    init(_ behavior: B) {
        machine = Machine(behavior)
    }

    /// What a call made the chart do.
    struct Outcome {
        var effects: [B.Effect]
        var steps: [MacroStep<B.Chart>]

        /// Whether the input enabled a transition. An input that did not was simply gone.
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

    /// Changes what the chart's guards look at, between two inputs; the chart looks with the next one.
    mutating func inform(_ change: (inout B) -> Void) {
        change(&machine.behavior)
    }

    private mutating func takeOutcome() -> Outcome {
        defer {
            effects.removeAll(keepingCapacity: true)
            log.removeAll()
        }
        return Outcome(effects: effects, steps: log.steps)
    }

    func isActive(_ state: B.Chart.State) -> Bool { machine.isActive(state) }

    /// The chart's main leaf, the first in document order, as the chart spells it.
    var state: String { name(machine.mainState) }

    /// All active leaves, as the chart spells them.
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
