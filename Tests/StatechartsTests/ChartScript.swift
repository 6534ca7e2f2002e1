import Foundation
import SCXML
import Statecharts
import Testing

/// Runs a chart of a test with small and with wide sets at the same time. Both must give the same results.
struct ChartScript {
    private var small: ScriptedRun<SmallSet>
    private var wide: ScriptedRun<WideSet>
    let names: ChartNames

    /// - Parameters:
    ///   - body: the content of `<scxml>`.
    ///   - root: the attributes of `<scxml>`, such as `initial="b"`.
    ///   - events: the inputs of the chart.
    init(
        _ body: String,
        root: String = "",
        events: String = "e f g",
        guards: [String: Bool] = [:],
        delays: [String: Duration] = [:],
        limits: Limits = Limits()
    ) throws {
        let text = """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:bd="urn:bracketd:chart:1" version="1.0"
                   datamodel="swift" name="Test" \(root)>\(body)</scxml>
            """
        let chart = Chart(reading: Data(text.utf8))
        let errors = chart.diagnostics.filter { $0.severity == .error }.map { $0.line(file: "test") }
        try #require(errors.isEmpty, "\(errors)")
        let document = try #require(chart.document)
        let lowered = LoweredChart(document, alsoEvents: events.split(separator: " ").map(String.init))
        names = lowered.names
        small = ScriptedRun(lowered, guards: guards, delays: delays, limits: limits)
        wide = ScriptedRun(lowered, guards: guards, delays: delays, limits: limits)
        small.start()
        wide.start()
        check()
    }

    /// The records since the last call. The names of states that the test ignores are omitted.
    mutating func trace() -> [String] {
        wide.recorder.lines = []
        defer { small.recorder.lines = [] }
        return small.recorder.lines
    }

    var configuration: [String] { small.configuration }
    /// The main states of both machines.
    var mainStates: [String] { [small.mainState, wide.mainState] }
    var states: [String] { small.states }
    var isRunning: Bool { small.machine.isRunning }
    var nextDeadline: Duration? { small.machine.nextDeadline }
    var now: Duration { small.machine.now }
    var overrun: Overrun? { small.machine.overrun }
    var isConfigurationLegal: Bool { small.machine.isConfigurationLegal && wide.machine.isConfigurationLegal }
    var stateWithoutTimer: String? { small.machine.stateWithoutTimer.map { names.states[$0.rawValue] } }
    var timerWithoutState: String? { small.machine.timerWithoutState.map { names.sendIDs[$0] } }

    /// Clears the records, sends an event to the chart, and returns the new records.
    @discardableResult
    mutating func send(_ event: String) -> [String] {
        _ = trace()
        small.send(event)
        wide.send(event)
        check()
        return small.recorder.lines
    }

    /// Clears the records, advances the clock, and returns the new records.
    @discardableResult
    mutating func wait(_ milliseconds: Int) -> [String] {
        _ = trace()
        small.wait(milliseconds)
        wide.wait(milliseconds)
        check()
        return small.recorder.lines
    }

    mutating func set(_ guardName: String, _ value: Bool) {
        small.set(guardName, value)
        wide.set(guardName, value)
    }

    private func check() {
        #expect(small.recorder.lines == wide.recorder.lines, "small and wide sets differ")
        #expect(small.states == wide.states, "small and wide sets differ")
    }
}

struct ScriptedRun<Bits: StateSet> {
    var machine: Machine<LoadedBehavior<Bits>>
    var recorder: TraceRecorder
    private let names: ChartNames
    private var effects: [LoadedNumber] = []

    init(_ chart: LoweredChart, guards: [String: Bool], delays: [String: Duration], limits: Limits) {
        names = chart.names
        var behavior = LoadedBehavior<Bits>(chart.names)
        behavior.guards = chart.names.guards.map { guards[$0] ?? false }
        behavior.delays = chart.names.delays.map { delays[$0] ?? .zero }
        machine = Machine(behavior, table: chart.table(Bits.self), limits: limits)
        recorder = TraceRecorder(names: chart.names)
    }

    var configuration: [String] { machine.configuration.map { names.states[$0.rawValue] } }
    var mainState: String { names.states[machine.mainState.rawValue] }
    var states: [String] { machine.activeStates.map { names.states[$0.rawValue] } }

    mutating func start() {
        machine.start(at: .zero, effects: &effects, recorder: &recorder)
        effects.removeAll()
    }

    mutating func send(_ event: String) {
        guard let number = names.events.firstIndex(of: event) else {
            Issue.record("the script has no event '\(event)'")
            return
        }
        machine.handle(LoadedEvent(event, number: number), at: machine.now, effects: &effects, recorder: &recorder)
        effects.removeAll()
    }

    mutating func wait(_ milliseconds: Int) {
        machine.advance(to: machine.now + .milliseconds(milliseconds), effects: &effects, recorder: &recorder)
        effects.removeAll()
    }

    mutating func set(_ guardName: String, _ value: Bool) {
        guard let number = names.guards.firstIndex(of: guardName) else {
            Issue.record("the chart has no guard '\(guardName)'")
            return
        }
        machine.behavior.guards[number] = value
    }
}

/// Converts records into lines. `-a`: exited, `+a`: entered. The others are `do x`, `raise e`, `send e`, `cancel i`,
/// `drop e`, `log l`.
struct TraceRecorder: StepRecorder {
    let names: ChartNames
    var lines: [String] = []

    mutating func macrostepBegan(_ cause: Cause, at now: Duration) {
        switch cause {
        case .start, .input: break
        case .timer(let event, _): lines.append("timer \(names.events[event])")
        case .sent(let event): lines.append("sent \(names.events[event])")
        }
    }
    mutating func microstepBegan(_ origin: Origin, event: Int?) {
        switch origin {
        case .eventless: lines.append("eventless")
        case .internal: lines.append("internal \(event.map { names.events[$0] } ?? "")")
        case .stop: lines.append("stop")
        case .start, .external: break
        }
    }
    mutating func transitionTaken(_ transition: Int) {}
    mutating func stateExited(_ state: Int) { lines.append("-\(names.states[state])") }
    mutating func stateEntered(_ state: Int) { lines.append("+\(names.states[state])") }
    mutating func actionPerformed(_ action: Int) { lines.append("do \(names.actions[action])") }
    mutating func eventRaised(_ event: Int) { lines.append("raise \(names.events[event])") }
    mutating func eventSent(_ event: Int, id: Int?, due: Duration?) { lines.append("send \(names.events[event])") }
    mutating func sendsCancelled(id: Int, count: Int) { lines.append("cancel \(names.sendIDs[id]) \(count)") }
    mutating func lineLogged(_ line: Int) { lines.append("log \(names.logLines[line])") }
    mutating func microstepEnded() {}
    mutating func eventDropped(_ origin: Origin, event: Int) { lines.append("drop \(names.events[event])") }
    mutating func macrostepEnded() {}
    var lastRecord: String { lines.joined(separator: " ") }
}
