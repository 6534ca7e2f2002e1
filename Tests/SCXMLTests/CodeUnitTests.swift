import Foundation
import SCXML
import Testing

/// Names that are canonically equivalent in Unicode are different names: é as one scalar, and e with a combining
/// accent.
@Suite struct CodeUnitTests {
    private static let one = "\u{E9}"
    private static let two = "e\u{301}"

    private func run(_ content: String, _ elements: [RunElement] = [], data: Bool = false) throws -> [String] {
        let model = data ? " datamodel=\"ecmascript\"" : ""
        let text =
            "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\"\(model)>"
            + content.replacing("ONE", with: Self.one).replacing("TWO", with: Self.two) + "</scxml>"
        let chart = Chart(reading: Data(text.utf8), as: .recommendation)
        #expect(chart.diagnostics == [])
        var runner = try #require(ChartRunner(chart))
        var outcomes = [runner.start()]
        for element in elements { outcomes.append(runner.handle(element)) }
        return outcomes.flatMap { $0.logs.map(\.text) + [$0.configuration.joined(separator: " ")] }
    }

    private func expect(_ lines: [String], _ expected: [String], _ place: SourceLocation = #_sourceLocation) {
        let expected = expected.map { $0.replacing("ONE", with: Self.one).replacing("TWO", with: Self.two) }
        #expect(lines.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, sourceLocation: place)
    }

    @Test func `states`() throws {
        let lines = try run(
            """
            <state id="ONE"><transition event="a" target="TWO"/></state>
            <state id="TWO"><transition event="a" cond="In('ONE')" target="ONE"/></state>
            """,
            [.event("a", .undefined), .event("a", .undefined)]
        )
        expect(lines, ["ONE", "TWO", "TWO"])
    }

    @Test func `events and descriptors`() throws {
        let chart = """
            <state id="s">
              <transition event="ONE"><log label="one"/></transition>
              <transition event="TWO.ONE"><log label="two one"/></transition>
              <transition event="TWO"><log label="two"/></transition>
              <transition event="*"><log label="other"/></transition>
            </state>
            """
        let (one, two) = (Self.one, Self.two)
        let names = [one, two, "\(two).\(one)", "\(two).\(two)", "\(one).x", "e", "e.\u{301}"]
        let lines = try run(chart, names.map { .event($0, .undefined) })
        expect(
            lines.filter { $0 != "s" },
            ["log one", "log two", "log two one", "log two", "log one", "log other", "log other"]
        )
    }

    @Test func `a dot followed by a combining mark is still a dot`() throws {
        let chart = """
            <state id="s">
              <transition event="a.\u{301}b"><log label="it"/></transition>
              <transition event="a"><log label="a"/></transition>
            </state>
            """
        let names = ["a.\u{301}b", "a.\u{301}b.c", "a", "a.b", "a.\u{301}c"]
        expect(
            try run(chart, names.map { .event($0, .undefined) }).filter { $0 != "s" },
            ["log it", "log it", "log a", "log a", "log a"]
        )
    }

    @Test func `timers`() throws {
        let lines = try run(
            """
            <state id="s">
              <onentry>
                <send event="one" id="ONE" delay="1ms"/><send event="two" id="TWO" delay="1ms"/><cancel sendid="ONE"/>
              </onentry>
              <transition event="one"><log label="one"/></transition>
              <transition event="two"><log label="two"/></transition>
            </state>
            """,
            [.after(1)]
        )
        expect(lines, ["s", "log two", "s"])
    }

    @Test func `variables, keys and texts`() throws {
        let lines = try run(
            """
            <datamodel>
              <data id="ONE" expr="1"/><data id="TWO" expr="2"/><data id="o" expr="{'ONE': 3, 'TWO': 4}"/>
              <data id="j">{"ONE": 5, "TWO": 6}</data>
            </datamodel>
            <state id="s"><onentry>
              <log expr="ONE + TWO"/><log expr="o['ONE'] + o.TWO"/><log expr="j.ONE + j.TWO"/>
              <log expr="'ONE' == 'TWO'"/><log expr="['ONE'] == ['TWO']"/><log expr="{'ONE': 1} == {'TWO': 1}"/>
              <log expr="o"/>
            </onentry></state>
            """,
            data: true
        )
        expect(
            lines,
            ["log 3", "log 7", "log 11", "log false", "log false", "log false", "log {\"TWO\":4,\"ONE\":3}", "s"]
        )
    }

    @Test func `names that are given a value`() throws {
        let text =
            "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\"><state id=\"s\">"
            + "<transition cond=\"\(Self.one)\" target=\"t\"/></state><state id=\"t\"/></scxml>"
        let chart = Chart(reading: Data(text.utf8), as: .recommendation)
        for (name, expected) in [(Self.one, "t"), (Self.two, "s")] {
            var options = ChartRunner.Options()
            options.names.guards[name] = true
            var runner = try #require(ChartRunner(chart, options))
            #expect(runner.start().configuration == [expected])
        }
    }

    @Test func `a journal that differs in a code unit is a different journal`() throws {
        let text =
            "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\"><state id=\"\(Self.one)\"/></scxml>"
        let chart = Chart(reading: Data(text.utf8), as: .recommendation)
        var journal = RunJournal(chart, source: "c", ChartRunner.Options())
        var runner = try #require(ChartRunner(chart))
        journal.append(runner.start())
        func replay(_ text: String) throws -> RunJournal.Replay {
            try RunJournal.Replay(RunJournal.Recording(reading: Data(text.utf8)), on: chart)
        }
        #expect(try replay(journal.text).isIdentical)
        #expect(try !replay(journal.text.replacing(Self.one, with: Self.two)).isIdentical)
    }
}
