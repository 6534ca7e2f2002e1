import Foundation
import SCXML
import Testing

/// Tests pictures of charts that cannot run. Unsupported elements are shown as they are written.
@Suite struct ForeignElementTests {
    private static let chart = """
        <scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:my="urn:mine" version="1.0" datamodel="ecmascript">
          <script>function f(x) { return x; }</script>
          <state id="a">
            <onentry><script>count = f(1);</script><my:beep/></onentry>
            <invoke type="scxml" src="clock.scxml" id="clock"><finalize><log label="in"/></finalize></invoke>
            <transition event="e" cond="f(count)" target="b"><assign location="x[f(1)]" expr="new Date()"/></transition>
          </state>
          <final id="b"/>
        </scxml>
        """

    private func picture(_ text: String) throws -> ChartDocument {
        let chart = Chart(reading: Data(text.utf8), as: .picture)
        #expect(chart.diagnostics == [])
        return try #require(chart.document)
    }

    /// The text of a picture, without the syntax of its format.
    private func words(_ text: String) -> String {
        text.replacing("#58;", with: ":").replacing("#59;", with: ";").replacing("#60;", with: "<")
            .replacing("#62;", with: ">").replacing("#123;", with: "{").replacing("#125;", with: "}")
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing(/<\/?(?:tspan|text)[^>]*>/, with: " ")
            .replacing(/\\[nl]/, with: " ").replacing(/\s+/, with: " ")
    }

    @Test func `scripts, invoked charts and foreign actions are in every picture`() throws {
        let document = try picture(Self.chart)
        for (format, text) in [
            ("svg", ChartDrawing.svg(document)), ("dot", ChartDrawing.dot(document)),
            ("mermaid", ChartDrawing.mermaid(document)),
        ] {
            let words = words(text)
            for part in [
                "script: function f(x) { return x; }", "invoke clock.scxml of type scxml as clock", "f(count)",
                "x[f(1)] = new Date()",
            ] {
                #expect(words.contains(part), "\(format): \(part) in \(words)")
            }
            // Mermaid cannot show actions on entry, so its pictures are skipped.
            guard format != "mermaid" else { continue }
            #expect(words.contains("script: count = f(1);"), "\(format)")
            #expect(words.contains("<my:beep>"), "\(format)")
        }
    }

    @Test(arguments: ["xpath", "lua", "null"])
    func `the expressions of other data models are shown as written`(model: String) throws {
        let text = Self.chart.replacing("ecmascript", with: model).replacing("f(count)", with: "$count ~= 1")
        #expect(ChartDrawing.dot(try picture(text)).contains("$count ~= 1"))
    }

    @Test func `a chart that was read for a picture cannot be run`() {
        #expect(ChartRunner(Chart(reading: Data(Self.chart.utf8), as: .picture)) == nil)
        let chart = Chart(reading: Data(Self.chart.utf8), as: .recommendation)
        #expect(chart.isMerelyUnsupported)
    }

    @Test func `an element in a wrong place is refused in a picture too`() {
        for (text, code) in [
            ("<state><script/></state>", "E002"), ("<final><invoke/></final>", "E002"), ("<finalize/>", "E002"),
            ("<state><transition target='nosuch'/></state>", "E007"), ("<nonsense/>", "E002"),
        ] {
            let head = "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'><state/>"
            let chart = Chart(reading: Data("\(head)\(text)</scxml>".utf8), as: .picture)
            #expect(chart.diagnostics.map(\.code) == [code], "\(text)")
        }
    }
}
