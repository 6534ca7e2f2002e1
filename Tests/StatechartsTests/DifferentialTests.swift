import Foundation
import SCXML
import Statecharts
import Testing

/// Compares the engine with the naive machine on random charts.
@Suite struct DifferentialTests {
    /// The number of charts per test case. A seed always gives the same chart.
    private static let chartsPerCase = 30
    private static let limits = Limits(
        microstepsMax: 60,
        queuedEventsMax: 100,
        timersMax: 30,
        effectsMax: 1_000,
        deliveriesPerInstantMax: 50,
        traps: false
    )

    @Test(arguments: 0..<10)
    func `the engine gives the same results as the naive machine`(part: Int) throws {
        var compared = 0
        for seed in (part * Self.chartsPerCase)..<((part + 1) * Self.chartsPerCase) {
            if try compare(seed: UInt64(seed)) { compared += 1 }
        }
        #expect(compared > Self.chartsPerCase / 4, "most random charts must be legal and become stable")
    }

    /// Whether both machines ran the chart to the end of its script. A few random charts are refused or never end.
    /// These tests do not cover such charts.
    private func compare(seed: UInt64) throws -> Bool {
        let source = RandomChart(seed: seed).text
        let text = """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:bd="urn:bracketd:chart:1" version="1.0"
                   datamodel="swift" name="Random">\(source)</scxml>
            """
        guard let document = Chart(reading: Data(text.utf8)).document else { return false }
        var trio = Trio(document, limits: Self.limits)
        var random = SeededNumbers(seed: seed ^ 0xABCD)
        var script = ["start"]
        trio.start()
        for _ in 0..<25 {
            // A chart with an endless loop stops at a limit, at which each machine is in another state.
            if trio.isStuck { return false }
            guard trio.agrees else {
                Issue.record("seed \(seed), after \(script): \(source)\n\(trio.description)")
                return true
            }
            if random.chance(75) {
                script.append(random.pick(["e", "f", "g"]))
                trio.send(script[script.count - 1])
            } else {
                let time = random.below(5) * 5
                script.append("\(time)ms")
                trio.wait(time)
            }
        }
        return true
    }
}

/// The engine with both kinds of sets, and the naive machine. All three get the same inputs.
private struct Trio: CustomStringConvertible {
    private var small: ScriptedRun<SmallSet>
    private var wide: ScriptedRun<WideSet>
    private var naive: NaiveMachine

    init(_ document: ChartDocument, limits: Limits) {
        let lowered = LoweredChart(document, alsoEvents: ["e", "f", "g"])
        small = ScriptedRun(lowered, guards: [:], delays: [:], limits: limits)
        wide = ScriptedRun(lowered, guards: [:], delays: [:], limits: limits)
        naive = NaiveMachine(document, microstepsMax: limits.microstepsMax, deliveriesMax: 100)
    }

    var isStuck: Bool { small.machine.overrun != nil || naive.isStuck }

    var agrees: Bool {
        small.recorder.lines == naive.lines && small.states == naive.states
            && wide.recorder.lines == naive.lines && wide.states == naive.states
            && small.machine.isConfigurationLegal && wide.machine.isConfigurationLegal
    }

    var description: String {
        """
        small \(small.recorder.lines) \(small.states)
        wide  \(wide.recorder.lines) \(wide.states)
        naive \(naive.lines) \(naive.states)
        """
    }

    mutating func start() {
        small.start()
        wide.start()
        naive.start()
    }

    mutating func send(_ event: String) {
        forget()
        small.send(event)
        wide.send(event)
        naive.send(event)
    }

    mutating func wait(_ milliseconds: Int) {
        forget()
        small.wait(milliseconds)
        wide.wait(milliseconds)
        naive.wait(Int64(milliseconds))
    }

    private mutating func forget() {
        small.recorder.lines = []
        wide.recorder.lines = []
    }
}
