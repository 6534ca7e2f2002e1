import Foundation
import SCXML
import Testing

/// Charts that run without compilation, with data and errors, compared with the naive machine. The output of every
/// microstep must be the same, byte for byte.
@Suite struct RunnerDifferentialTests {
    /// The number of charts per test case. A seed always gives the same chart.
    private static let chartsPerCase = 35

    @Test(arguments: 0..<10)
    func `the runner gives the same results as the naive machine`(part: Int) throws {
        var compared = 0
        for seed in (part * Self.chartsPerCase)..<((part + 1) * Self.chartsPerCase) {
            guard let run = GeneratedRun(seed: UInt64(seed)) else { continue }
            if try compare(run) { compared += 1 }
        }
        #expect(compared > Self.chartsPerCase / 3, "most random charts must be legal and become stable")
    }

    @Test(arguments: 0..<5)
    func `a run depends only on its chart and its script`(part: Int) throws {
        for seed in (part * 10)..<((part + 1) * 10) {
            guard let run = GeneratedRun(seed: UInt64(seed)) else { continue }
            let (lines, journal) = try run.lines(of: run.script)
            #expect(try run.lines(of: run.script).lines == lines, "seed \(seed): two runs differ")
            let cut = seed % (run.script.count + 1)
            #expect(
                try run.lines(of: Array(run.script.prefix(cut))).lines == Array(lines.prefix(cut + 1)),
                "seed \(seed): what comes after element \(cut) changes what came before"
            )
            let recording = try RunJournal.Recording(reading: Data(journal.text.utf8))
            let replay = try RunJournal.Replay(recording, on: run.chart)
            #expect(replay.isIdentical, "seed \(seed): \(replay.differences.prefix(1))\n\(run.source)")
        }
    }

    /// Whether the run was compared up to its end. A few random charts are refused or never end. These tests do not
    /// cover such charts.
    private func compare(_ run: GeneratedRun) throws -> Bool {
        guard let document = run.chart.document else { return false }
        var runner = try #require(ChartRunner(run.chart, GeneratedRun.options))
        var naive = NaiveMachine(
            document,
            microstepsMax: GeneratedRun.options.microstepsMax,
            deliveriesMax: GeneratedRun.options.deliveriesMax
        )
        for (count, element) in ([nil] + run.script).enumerated() {
            let outcome = element.map { runner.handle($0) } ?? runner.start()
            // Limits stop a chart that never ends. Both sides count microsteps in the same way, but not deliveries.
            if runner.overrun?.contains("sent to itself") == true { return false }
            let told = naive.take(element)
            let (line, logs) = (outcome.json(withTrace: true), outcome.logs.map(\.json))
            guard line == told, logs == naive.logs, isLegal(outcome.states, in: document) else {
                Issue.record(
                    """
                    seed \(run.seed), after \(run.script.prefix(count)): \(run.source)
                    runner \(line) \(logs)
                    naive  \(told) \(naive.logs)
                    legal  \(isLegal(outcome.states, in: document))
                    """
                )
                return true
            }
            if runner.overrun != nil || naive.isStuck { return false }
        }
        return true
    }

    /// Checks rule 1.1: the root and every active compound state have one active child, an active parallel has all, and
    /// no other state is active.
    private func isLegal(_ names: [String], in document: ChartDocument) -> Bool {
        let states = document.states
        let active = Set(
            states.indices.filter { names.contains(states[$0].id.isEmpty ? "#\($0)" : states[$0].id) && $0 != 0 }
        )
        guard active.count == names.count, states[0].children.count(where: active.contains) == 1 else { return false }
        return active.allSatisfy { number in
            let state = states[number]
            let count = state.children.count(where: active.contains)
            let isSupported = state.parent == 0 || active.contains(state.parent)
            switch state.kind {
            case .parallel: return isSupported && count == state.children.count
            case .state: return isSupported && count == min(1, state.children.count)
            case .final: return isSupported
            case .root, .shallowHistory, .deepHistory: return false
            }
        }
    }
}

/// A random chart that can run, and its script.
private struct GeneratedRun {
    static var options: ChartRunner.Options {
        var options = ChartRunner.Options()
        options.microstepsMax = 40
        options.deliveriesMax = 80
        return options
    }

    let seed: UInt64
    let source: String
    let chart: Chart
    let script: [RunElement]

    /// Returns nil if the chart is refused.
    init?(seed: UInt64) {
        self.seed = seed
        source = RandomChart(seed: seed, flavor: .recommendation).file
        chart = Chart(reading: Data(source.utf8), as: .recommendation)
        if chart.document == nil { return nil }
        var random = SeededNumbers(seed: seed ^ 0x1234)
        script = (0..<20).map { _ in Self.element(&random) }
    }

    private static func element(_ random: inout SeededNumbers) -> RunElement {
        if random.chance(25) { return .after(Int64(random.below(5) * 5)) }
        let names = [
            "e", "e", "f", "f", "g", "g", "e.sub.unknown", "zzz", "x", "t.one", "error.custom", "done.state.s1",
        ]
        let name = random.pick(names)
        if random.chance(40) { return .event(name, .object(["p": .number(Double(random.below(3)))])) }
        return .event(name, random.chance(20) ? .number(5) : .undefined)
    }

    /// The output of a script, and the run's journal.
    func lines(of script: [RunElement]) throws -> (lines: [[String]], journal: RunJournal) {
        var runner = try #require(ChartRunner(chart, Self.options))
        var journal = RunJournal(chart, source: "random.scxml", Self.options)
        var lines: [[String]] = []
        for element in [nil] + script {
            let outcome = element.map { runner.handle($0) } ?? runner.start()
            journal.append(outcome)
            lines.append(outcome.logs.map(\.json) + [outcome.json(withTrace: true)])
        }
        return (lines, journal)
    }
}

extension NaiveMachine {
    /// Handles one element of a script, or the start, and returns the expected output.
    fileprivate mutating func take(_ element: RunElement?) -> String {
        switch element {
        case nil:
            start()
            return line(after: nil)
        case .event(let name, let data)?:
            send(name, NaiveValue(data))
            return line(after: name)
        case .after(let time)?:
            wait(time)
            return line(after: nil)
        }
    }
}

extension NaiveValue {
    fileprivate init(_ value: ScriptValue) {
        switch value {
        case .undefined, .null: self = .undefined
        case .boolean(let value): self = .boolean(value)
        case .number(let value): self = .number(value)
        case .string(let value): self = .string(value)
        case .array(let values): self = .list(values.map { NaiveValue($0) })
        case .object(let members):
            let pairs = members.map { ($0.key, NaiveValue($0.value)) }
            self = .object(Dictionary(uniqueKeysWithValues: pairs))
        }
    }
}
