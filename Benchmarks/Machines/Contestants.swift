import Foundation
import SCXML
import Statecharts

/// An implementation of the shooting chart.
protocol Implementation {
    /// The input of the implementation. It is created before the measurement.
    associatedtype Input
    init(chart: URL) throws
    func input(_ entry: Script.Entry) -> Input
    mutating func handle(_ input: Input, at now: Duration)
    /// The number of effects of the last call. The caller removes the effects before the next call.
    var effectCount: Int { get }
    mutating func removeEffects()
    /// The active leaves in document order, the next deadline in milliseconds, and the number of actions so far.
    var summary: String { get }
}

func summary(_ leaves: [String], _ deadline: Duration?, _ actions: String) -> String {
    let due = deadline.map { "\($0.milliseconds)" } ?? "-"
    return "\(leaves.joined(separator: " ")) \(due) \(actions)"
}

struct CompiledChart: Implementation {
    private var machine = Machine(ShootingTally())
    private var effects: [ShootingTally.Effect] = []
    private var recorder = NoRecorder()

    init(chart: URL) {
        machine.start(at: .zero, effects: &effects, recorder: &recorder)
    }

    func input(_ entry: Script.Entry) -> ScriptedInput { entry.input }
    mutating func handle(_ input: ScriptedInput, at now: Duration) {
        machine.handle(input.input, at: now, effects: &effects, recorder: &recorder)
    }
    var effectCount: Int { effects.count }
    mutating func removeEffects() { effects.removeAll(keepingCapacity: true) }
    var summary: String {
        Machines.summary(machine.configuration.map(\.name), machine.nextDeadline, "\(machine.behavior.actions)")
    }
}

struct HandWritten: Implementation {
    private var machine = SwitchShooting()
    private var effects: [ShootingTally.Effect] = []

    init(chart: URL) {}

    func input(_ entry: Script.Entry) -> ScriptedInput { entry.input }
    mutating func handle(_ input: ScriptedInput, at now: Duration) {
        machine.handle(input.input, at: now, effects: &effects)
    }
    var effectCount: Int { effects.count }
    mutating func removeEffects() { effects.removeAll(keepingCapacity: true) }
    var summary: String {
        let leaves = ["\(machine.shoot)", "\(machine.link)", "\(machine.userRequest)"]
        return Machines.summary(leaves, machine.deadline?.due, "\(machine.tally.actions)")
    }
}

/// An implementation that ignores its inputs. It measures the cost of passing inputs, which all contestants have.
struct NullImplementation: Implementation {
    private var count = 0

    init(chart: URL) {}

    func input(_ entry: Script.Entry) -> ScriptedInput { entry.input }
    mutating func handle(_ input: ScriptedInput, at now: Duration) { listen(input.input) }
    @inline(never)
    private mutating func listen(_ input: Shooting.Input) { count += 1 }
    var effectCount: Int { 0 }
    mutating func removeEffects() {}
    var summary: String { "\(count)" }
}

/// The engine with a chart that is loaded at program start, as in `scxml run`. Its guards are constants, so the script
/// must contain only correct speeds. Each action is an effect.
struct LoadedAtRunTime: Implementation {
    private var machine: Machine<LoadedBehavior<SmallSet>>
    private var effects: [LoadedNumber] = []
    private var recorder = NoRecorder()
    private let names: ChartNames
    private static let trueGuards: Set = ["mayAskAgain", "maySetAgain", "speedMatches", "mayRelease", "isRecorded"]

    init(chart: URL) throws {
        guard let lowered = Chart(reading: try Data(contentsOf: chart)).lowered else {
            throw Script.Refusal(line: chart.path)
        }
        names = lowered.names
        var behavior = LoadedBehavior<SmallSet>(names)
        let deadlines = [
            "speedDeadline": 30_000, "confirmDeadline": 3_000, "captureDeadline": 15_000, "idleLimit": 10_000,
            "doubtDeadline": 20_000, "verdictDeadline": 60_000, "busyDelay": 250,
        ]
        behavior.delays = names.delays.map { .milliseconds(deadlines[$0] ?? 0) }
        behavior.guards = names.guards.map { Self.trueGuards.contains($0) }
        machine = Machine(behavior, table: lowered.table())
        machine.start(at: .zero, effects: &effects, recorder: &recorder)
    }

    func input(_ entry: Script.Entry) -> LoadedEvent {
        let name = entry.input.event.rawValue
        return LoadedEvent(name, number: names.events.firstIndex(of: name) ?? -1)
    }
    mutating func handle(_ input: LoadedEvent, at now: Duration) {
        machine.handle(input, at: now, effects: &effects, recorder: &recorder)
    }
    var effectCount: Int { effects.count }
    mutating func removeEffects() { effects.removeAll(keepingCapacity: true) }
    var summary: String {
        Machines.summary(machine.configuration.map { names.states[$0.rawValue] }, machine.nextDeadline, "-")
    }
}
