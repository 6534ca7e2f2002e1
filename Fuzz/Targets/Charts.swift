import Foundation
import FoundationXML
import SCXML

/// Fuzzes a chart's file in both profiles. The chart is read, checked, and written as Swift.
func fuzzChart(_ bytes: [UInt8]) {
    let data = Data(bytes)
    let strict = Chart(reading: data)
    checkDiagnostics(strict)
    if let lowered = strict.lowered {
        let swift = SwiftEmitter.emit(lowered, source: "fuzz.scxml", digest: strict.digest)
        expect(swift.utf8.count < 1000 * (bytes.count + 100), "Swift without end")
    }
    checkDiagnostics(Chart(reading: data, as: .recommendation))
}

private func checkDiagnostics(_ chart: Chart) {
    expect(chart.hasErrors == (chart.document == nil), "a chart is read or refused")
    for diagnostic in chart.diagnostics {
        expect(diagnostic.position.line >= 1 && diagnostic.position.column >= 1, "\(diagnostic.position) is no place")
        _ = diagnostic.json(file: "fuzz.scxml")
    }
}

/// Fuzzes a chart that can run, with each of its events and with time. The replay of its journal must match.
func fuzzChartRun(_ bytes: [UInt8]) {
    let chart = Chart(reading: Data(bytes), as: .recommendation)
    guard let document = chart.document else { return }
    var options = ChartRunner.Options()
    options.microstepsMax = 50
    options.deliveriesMax = 50
    options.stepsMax = 2000
    guard var runner = ChartRunner(chart, options) else { return }
    var journal = RunJournal(chart, source: "fuzz.scxml", options)
    func note(_ outcome: ChartRunner.Outcome) {
        expect(runner.overrun != nil || outcome.states.count <= document.states.count, "more states than there are")
        _ = outcome.json(withTrace: true)
        _ = outcome.text(withTrace: true)
        journal.append(outcome)
    }
    note(runner.start())
    let names = document.inputs.map(\.name).prefix(8) + ["fuzz"]
    for name in names + names where runner.overrun == nil {
        note(runner.handle(.after(700)))
        if runner.overrun == nil { note(runner.handle(.event(name, .number(1)))) }
    }
    guard runner.overrun == nil else { return }
    do throws(RunJournal.Refusal) {
        let recording = try RunJournal.Recording(reading: Data(journal.text.utf8))
        let replay = try RunJournal.Replay(recording, on: chart)
        expect(replay.isIdentical, "the replay differs: \(replay.differences)")
    } catch {
        expect(false, "a journal of our own is refused: \(error.message)")
    }
}

func fuzzChartDrawing(_ bytes: [UInt8]) {
    let data = Data(bytes)
    guard let document = Chart(reading: data).document ?? Chart(reading: data, as: .recommendation).document else {
        return
    }
    let active = Set(document.states.prefix(3).map(\.id))
    for picture in [ChartDrawing.mermaid(document, active: active), ChartDrawing.dot(document, active: active)] {
        expect(picture.utf8.count < 100 * (bytes.count + 100), "a picture without end")
    }
    // The layout tries many arrangements, so only small charts are fuzzed.
    guard document.states.count <= 20, document.transitions.count <= 20 else { return }
    let picture = ChartDrawing.svg(document, active: active)
    expect(XMLParser(data: Data(picture.utf8)).parse(), "a picture that is no XML")
}

/// Fuzzes the expression language of conditions and data.
func fuzzExpressions(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    var names = FuzzNames()
    if let expression = try? ScriptExpression(text), let value = try? expression.value(in: names) {
        check(value)
        if let location = try? ScriptLocation("x.y") { try? location.assign(value, in: &names) }
    }
    if let location = try? ScriptLocation(text) {
        _ = try? location.value(in: names)
        try? location.assign(.array([.number(1)]), in: &names)
        for value in names.values.values { check(value) }
    }
    if let value = try? ScriptValue(json: text) { check(value) }
    _ = try? RunScript.read(Data(bytes))
}

/// Checks that the JSON output is valid. If JSON can express the value, the output must have the same value.
private func check(_ value: ScriptValue) {
    let written = value.json
    guard written.utf8.count < 100_000 else { return }
    let again = try? ScriptValue(json: written)
    expect(again?.json == written, "JSON that cannot be read: \(written)")
    _ = value.text
}

private struct FuzzNames: MutableScriptScope {
    var values: [String: ScriptValue] = [
        "x": .object(["y": .number(1), "z": .array([.string("a"), .null, .boolean(true)])]), "y": .string("text"),
    ]

    func value(of name: String) -> ScriptValue? { values[name] }
    func isActive(_ state: String) -> Bool { state == "s" }
    mutating func set(_ name: String, to value: ScriptValue) { values[name] = value }
}
