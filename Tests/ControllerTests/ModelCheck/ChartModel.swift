import Statecharts

/// Answers the questions that a sketch leaves open. Each question is answered in both ways. The first run answers all
/// questions with no. Each later run changes the last no to yes, and repeats the answers before it.
final class Oracle {
    private(set) var answers: [(question: String, isYes: Bool)] = []
    /// The violated preconditions. In the real behavior each of them would stop the program.
    private(set) var faults: Set<String> = []
    private var script: [Bool] = []

    func ask(_ question: String) -> Bool {
        let isYes = answers.count < script.count && script[answers.count]
        answers.append((question, isYes))
        return isYes
    }

    func fault(_ sentence: String) {
        faults.insert(sentence)
    }

    /// Forgets the answers of the previous step.
    func begin() {
        answers.removeAll(keepingCapacity: true)
    }

    /// Moves to the next combination of answers. Returns false if none is left.
    func turn() -> Bool {
        var given = answers.map(\.isYes)
        while given.last == true { given.removeLast() }
        guard !given.isEmpty else {
            script.removeAll(keepingCapacity: true)
            return false
        }
        given[given.count - 1] = true
        script = given
        return true
    }
}

/// The behavior of one chart with little data, in addition to the real model.
protocol ChartSketch: Behavior where Chart: ChartDefinition {
    associatedtype Notes: Hashable
    /// The chart's possible events, with their data.
    associatedtype News: CaseIterable & RawRepresentable<Int>

    var notes: Notes { get }
    static func input(_ news: News) -> Chart.Input
}

/// All behavior of one chart with its sketch, explored on demand. A situation is the state of the machine between two
/// events. Each situation has a number.
final class ChartModel<Sketch: ChartSketch> {
    /// The result of one event, with one combination of answers.
    struct Outcome {
        var next: Int
        var effects: [Sketch.Effect]
        /// The numbers of the transitions that the event itself enabled. If there are none, the event had no effect.
        var enabled: [Int]

        var isTaken: Bool { !enabled.isEmpty }
    }

    private struct Key: Hashable {
        var snapshot: MachineSnapshot
        var notes: Sketch.Notes
    }

    private(set) var machines: [Machine<Sketch>] = []
    private(set) var snapshots: [MachineSnapshot] = []
    /// The numbers of the transitions that the machine took and of the states that it entered.
    private(set) var taken: Set<Int> = []
    private(set) var entered: Set<Int> = []
    private(set) var faults: [ChartFault] = []

    let table: ChartTable<Sketch.Chart.Bits>
    private let oracle: Oracle
    private let keptRecords: (MachineSnapshot) -> Bool
    private var numbers: [Key: Int] = [:]
    private var outcomes: [[Outcome]?] = []
    /// Situations that are already wrong. The events after them would prove nothing more.
    private var deadEnds: Set<Int> = []
    private let stimuli = Sketch.News.allCases.count + 1

    /// - Parameters:
    ///   - table: the chart's table, or one with an error.
    ///   - keptRecords: whether the record of a history state can still matter. Situations that differ only in records
    ///     that cannot matter count as one.
    init(
        _ sketch: Sketch,
        _ oracle: Oracle,
        table: ChartTable<Sketch.Chart.Bits>?,
        keptRecords: @escaping (MachineSnapshot) -> Bool = { _ in true }
    ) {
        self.oracle = oracle
        self.keptRecords = keptRecords
        self.table = table ?? Sketch.Chart.table
        var machine = Machine(sketch, table: self.table, limits: Limits(traps: false))
        var effects: [Sketch.Effect] = []
        var log = StepLog<Sketch.Chart>()
        oracle.begin()
        machine.start(at: .zero, effects: &effects, recorder: &log)
        precondition(oracle.answers.isEmpty, "the start leaves no question open")
        note(log)
        _ = number(of: machine)
    }

    /// The situations that can follow an event.
    func after(_ situation: Int, _ news: Sketch.News) -> [Outcome] {
        outcomes(situation, news.rawValue) { machine, effects, log in
            machine.handle(Sketch.input(news), at: machine.now, effects: &effects, recorder: &log)
        }
    }

    /// The situations that can follow when the timer of this situation fires. Empty if no timer is armed.
    func afterTimer(_ situation: Int) -> [Outcome] {
        guard let due = machines[situation].nextDeadline else { return [] }
        return outcomes(situation, stimuli - 1) { machine, effects, log in
            machine.advance(to: due, effects: &effects, recorder: &log)
        }
    }

    func isActive(_ state: Sketch.Chart.State, in situation: Int) -> Bool { machines[situation].isActive(state) }

    private func outcomes(
        _ situation: Int,
        _ stimulus: Int,
        _ tell: (inout Machine<Sketch>, inout [Sketch.Effect], inout StepLog<Sketch.Chart>) -> Void
    ) -> [Outcome] {
        if deadEnds.contains(situation) { return [] }
        if let known = outcomes[situation * stimuli + stimulus] { return known }
        var found: [Outcome] = []
        repeat {
            var machine = machines[situation]
            var effects: [Sketch.Effect] = []
            var log = StepLog<Sketch.Chart>()
            oracle.begin()
            tell(&machine, &effects, &log)
            note(log)
            let next = number(of: machine)
            let first = log.steps.last?.steps.first { $0.origin == .external }
            found.append(Outcome(next: next, effects: effects, enabled: first?.transitions ?? []))
        } while oracle.turn()
        outcomes[situation * stimuli + stimulus] = found
        return found
    }

    private func note(_ log: StepLog<Sketch.Chart>) {
        for step in log.steps.flatMap(\.steps) {
            taken.formUnion(step.transitions)
            entered.formUnion(step.entered.map { Int($0.rawValue) })
        }
    }

    private func number(of machine: Machine<Sketch>) -> Int {
        var snapshot = machine.snapshot
        if !keptRecords(snapshot) { snapshot.records.removeAll() }
        let key = Key(snapshot: snapshot, notes: machine.behavior.notes)
        if let known = numbers[key] { return known }
        let number = machines.count
        numbers[key] = number
        machines.append(machine)
        snapshots.append(snapshot)
        outcomes += Array(repeating: nil, count: stimuli)
        if !machine.isConfigurationLegal { fault(.legality, number, "the configuration is not legal") }
        if let overrun = machine.overrun { fault(.legality, number, "\(overrun)") }
        // With several timers, the order in which they fire would be one more choice.
        if snapshot.timers.count > 1 { fault(.timers, number, "more than one timer is armed") }
        return number
    }

    private func fault(_ check: ModelCheck, _ situation: Int, _ sentence: String) {
        deadEnds.insert(situation)
        let sentence = "\(Sketch.Chart.names.chart): \(sentence)"
        if faults.contains(where: { $0.sentence == sentence }) { return }
        faults.append(ChartFault(check: check, situation: situation, sentence: sentence))
    }
}
