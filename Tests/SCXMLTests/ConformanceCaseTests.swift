import Foundation
import SCXML
import Testing

/// Charts for rules of the recommendation, each with its events and the expected lines.
///
/// The expected lines come from the rules, not from the output of the engine. docs/statecharts.md lists the part of the
/// recommendation that each case covers.
@Suite struct ConformanceCaseTests {
    static let cases = Fixtures.files(in: "../Conformance", extension: "scxml")

    @Test(arguments: cases)
    func `a chart gives exactly the output in its expected file`(name: String) throws {
        let chart = try Fixtures.data("../Conformance/\(name).scxml")
        let events = try Fixtures.data("../Conformance/\(name).events.json")
        let expected = try CaseExpectation(try Fixtures.text("../Conformance/\(name).expected"))
        let run = try CaseRun(chart, events, expected.flags)
        for (number, line) in expected.lines.enumerated() where number < run.lines.count {
            #expect(run.lines[number] == line, "line \(number + 1)")
        }
        #expect(run.lines.count == expected.lines.count, "\(run.lines.joined(separator: "\n"))")
        #expect(run.status == expected.status, "\(run.message)")
    }

    @Test func `every case has a description, events and expected lines`() throws {
        #expect(!Self.cases.isEmpty)
        for part in ["events.json", "expected"] {
            let names = Fixtures.files(in: "../Conformance", extension: part)
            #expect(Set(names).symmetricDifference(Self.cases) == [], "\(part)")
        }
        for name in Self.cases {
            let text = try Fixtures.text("../Conformance/\(name).scxml")
            let rule = name.prefix { $0 != "-" }
            #expect(text.hasPrefix("<!-- \(rule): "), "\(name)")
        }
    }

    @Test func `the document on statecharts lists exactly the cases`() throws {
        let document = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/statecharts.md").standardizedFileURL
        let text = try String(contentsOf: document, encoding: .utf8)
        let part = try #require(text.split(separator: "\n## ").first { $0.hasPrefix("Conformance\n") })
        let rows = part.split(separator: "\n").filter { $0.hasPrefix("| ") }
        let named = rows.flatMap { row in
            (row.split(separator: "|").last ?? "").matches(of: /`([A-Za-z0-9-]+)`/).map { String($0.output.1) }
        }
        #expect(Set(named).count == named.count, "a case is named twice")
        #expect(Set(named).subtracting(Self.cases) == [], "named, but there is no such case")
        #expect(Set(Self.cases).subtracting(named) == [], "not named")
    }

    @Test func `there is a case for every rule and every corner`() {
        let rules = (1...17).map { $0 < 10 ? "R0\($0)" : "R\($0)" }
        let corners = (1...16).map { $0 < 10 ? "C0\($0)" : "C\($0)" }
        for prefix in rules + corners {
            #expect(Self.cases.contains { $0.hasPrefix(prefix + "-") }, "\(prefix)")
        }
    }
}

/// The expected lines of a case. Flags and the exit status come before them, unless they have the default values.
private struct CaseExpectation {
    var flags: [String] = []
    var status: Int32 = 0
    var lines: [String] = []

    init(_ text: String) throws {
        for line in text.split(separator: "\n").map(String.init) {
            if line.hasPrefix("# flags: ") {
                flags = line.dropFirst(9).split(separator: " ").map(String.init)
            } else if line.hasPrefix("# exit: ") {
                status = try #require(Int32(line.dropFirst(8)))
            } else {
                lines.append(line)
            }
        }
    }
}

/// The result of `scxml run --json`.
private struct CaseRun {
    private(set) var lines: [String] = []
    private(set) var status: Int32 = 0
    private(set) var message = ""

    private var withTrace = false
    private var withLog = false

    init(_ data: Data, _ events: Data, _ flags: [String]) throws {
        let options = try options(flags)
        let chart = Chart(reading: data, as: .recommendation)
        guard var runner = ChartRunner(chart, options) else {
            message = chart.diagnostics.map { $0.line(file: "chart") }.joined(separator: "\n")
            status = chart.isMerelyUnsupported ? 3 : 1
            return
        }
        tell(runner.start(), runner)
        for element in try RunScript.read(events) where status == 0 { tell(runner.handle(element), runner) }
    }

    private mutating func tell(_ outcome: ChartRunner.Outcome, _ runner: ChartRunner) {
        if withLog { lines += outcome.logs.map(\.json) }
        if let overrun = runner.overrun {
            (message, status) = (overrun, 1)
        } else {
            lines.append(outcome.json(withTrace: withTrace))
        }
    }

    private mutating func options(_ flags: [String]) throws -> ChartRunner.Options {
        var options = ChartRunner.Options()
        var rest = flags[...]
        while let flag = rest.popFirst() {
            if flag == "--trace" || flag == "--log" {
                if flag == "--trace" { withTrace = true } else { withLog = true }
                continue
            }
            let value = rest.popFirst() ?? ""
            let parts = value.split(separator: "=").map(String.init)
            switch (flag, parts.first, parts.last.flatMap { Int($0) }) {
            case ("--guard", let name?, _): options.names.guards[name] = parts.last == "true"
            case ("--delay", let name?, let time?): options.names.delays[name] = Int64(time)
            case ("--max-microsteps", _, let count?): options.microstepsMax = count
            case ("--max-deliveries", _, let count?): options.deliveriesMax = count
            default: Issue.record("'\(flag) \(value)' is no flag")
            }
        }
        return options
    }
}
