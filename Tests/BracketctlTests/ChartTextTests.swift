import Foundation
import SCXML
import Testing

@testable import bracketctl

@Suite struct ChartTextTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let root = tests.deletingLastPathComponent().deletingLastPathComponent()

    private static func picture(_ path: String) throws -> ChartPicture {
        let data = try Data(contentsOf: root.appendingPathComponent(path))
        return ChartPicture(try #require(Chart(reading: data).document))
    }

    private static func picture(states: String, inputs: String = "go stop") throws -> ChartPicture {
        let events = inputs.split(separator: " ").map { "<bd:input name=\"\($0)\"/>" }.joined()
        let text = """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:bd="urn:bracketd:chart:1" version="1.0" \
            datamodel="swift" name="Small"><bd:events>\(events)</bd:events>\(states)</scxml>
            """
        let chart = Chart(reading: Data(text.utf8))
        return ChartPicture(try #require(chart.document, "\(chart.diagnostics)"))
    }

    /// With UPDATE_GOLDEN=1 in the environment this test writes the golden files again, so that they can be reviewed as
    /// a change.
    @Test(arguments: [
        ("features", "Tests/SCXMLTests/Charts/features.scxml", ["left.two", "right.one"], true),
        ("shooting", "statecharts/shooting.scxml", ["confirmingSpeed", "present", "proceeding"], true),
        ("shooting.states", "statecharts/shooting.scxml", ["byCommand", "present", "proceeding"], false),
    ])
    func `the text of a chart is the reviewed one`(name: String, path: String, active: [String], full: Bool) throws {
        let lines = ChartText.lines(try Self.picture(path), active: Set(active), transitions: full)
        let text = lines.joined(separator: "\n") + "\n"
        let file = Self.tests.appendingPathComponent("Fixtures/ChartText/\(name).txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "the text changed: UPDATE_GOLDEN=1 ./test")
    }

    @Test func `without active states nothing is marked, and nothing moves`() throws {
        let chart = try Self.picture("statecharts/shooting.scxml")
        let plain = ChartText.lines(chart)
        let marked = ChartText.lines(chart, active: ["capturing", "present", "proceeding"])
        #expect(plain.map { $0.dropFirst(2) } == marked.map { $0.dropFirst(2) })
        #expect(plain.allSatisfy { $0.hasPrefix("  ") })
        #expect(marked.count { $0.hasPrefix("► ") } == 3)
        #expect(marked.count { $0.hasPrefix("> ") } == 6)
    }

    @Test func `unknown ids mark nothing and are reported`() throws {
        let chart = try Self.picture("statecharts/network.scxml")
        #expect(ChartText.lines(chart, active: ["gone", "away"]) == ChartText.lines(chart))
        #expect(chart.unknownStates(["gone", "joined", "away"]) == ["away", "gone"])
    }

    @Test func `colour adds escape sequences to the active states and changes nothing else`() throws {
        let chart = try Self.picture("statecharts/network.scxml")
        let plain = ChartText.lines(chart, active: ["joined"])
        let colored = ChartText.lines(chart, active: ["joined"], color: true)
        #expect(colored.contains("\u{1B}[1;32m► \u{1B}[0m   ├─ \u{1B}[1;32mjoined\u{1B}[0m"))
        #expect(colored.count { $0.contains("\u{1B}[1m> ") } == 1)
        #expect(colored.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
        #expect(ChartText.lines(chart, color: true) == ChartText.lines(chart))
    }

    @Test(arguments: ChartLibrary.names)
    func `no line is wider than asked, and no word is lost`(name: String) throws {
        // The picture takes most of the time, so each chart has one for all widths.
        let chart = try Self.picture("statecharts/\(name).scxml")
        func words(_ lines: [String]) -> String {
            lines.joined().filter { !" │├└─".contains($0) }
        }
        let all = words(ChartText.lines(chart, columns: 1000))
        for columns in [40, 60, 100] {
            let lines = ChartText.lines(chart, columns: columns)
            // In the deepest trees the room for text is less than the minimum, so these lines may be longer.
            #expect(lines.allSatisfy { $0.count <= max(columns, 24 + 4 + 20) }, "\(columns)")
            #expect(words(lines) == all, "\(columns)")
        }
    }

    @Test func `a text that is too long continues below, indented`() throws {
        let actions = (1...9).map { "<bd:do action=\"actionNumber\($0)\"/>" }.joined()
        let chart = try Self.picture(
            states: "<state id=\"a\" bd:waits=\"forever\"><transition event=\"go\">\(actions)</transition></state>",
            inputs: "go"
        )
        #expect(
            ChartText.lines(chart, columns: 50) == [
                "  Small  (starts in a)",
                "  └─ a",
                "        go / actionNumber1, actionNumber2,",
                "            actionNumber3, actionNumber4,",
                "            actionNumber5, actionNumber6,",
                "            actionNumber7, actionNumber8,",
                "            actionNumber9",
            ]
        )
    }

    @Test func `a state's own timer is shown where it is handled, another's event by its name`() throws {
        let chart = try Self.picture(
            states: """
                <state id="outer"><transition event="timeout.inner" target="end"/>
                <state id="inner"><onentry><send event="timeout.inner" id="t" delay="2500ms"/>
                <send event="timeout.both" id="u" delay="3s"/></onentry>
                <onexit><cancel sendid="t"/><cancel sendid="u"/></onexit>
                <transition event="timeout.inner" cond="mayWait" target="inner"/>
                <transition event="timeout.both stop" target="end"/>
                <transition event="go"><raise event="timeout.both"/></transition></state></state><final id="end"/>
                """
        )
        #expect(
            ChartText.lines(chart) == [
                "  Small  (starts in outer)",
                "  ├─ outer  (starts in inner)",
                "  │  │  timeout.inner → end",
                "  │  └─ inner",
                "  │        timer / timeout.inner after 2.5s, timeout.both after 3s",
                "  │        after 2.5s [mayWait] → inner",
                // Another timer sends this event too.
                "  │        timeout.both, stop → end",
                "  │        go / raise timeout.both",
                "  └─ end  (final)",
            ]
        )
    }
}
