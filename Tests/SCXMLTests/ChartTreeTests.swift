import Foundation
import SCXML
import Testing

@Suite struct ChartTreeTests {
    private func rows(_ states: String) throws -> [String] {
        let text = """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript" name="Small">\
            <datamodel><data id="count" expr="0"/></datamodel>\(states)</scxml>
            """
        let chart = Chart(reading: Data(text.utf8), as: .recommendation)
        let document = try #require(chart.document, "\(chart.diagnostics)")
        return ChartTree(document).rows.map { $0.first + ($0.title ?? "") + $0.text }
    }

    @Test func `content of the recommendation is printed as written in the chart`() throws {
        let rows = try rows(
            """
            <state id="a"><onentry><assign location="count" expr="count + 1"/><log label="now" expr="count"/>
            <if cond="count > 2"><raise event="much"/><elseif cond="count > 1"/><cancel sendid="x"/><else/></if>
            <foreach array="[1, 2]" item="each"><raise event="again"/></foreach></onentry>
            <transition event="go" cond="count == 1" target="b">
            <send eventexpr="'to' + count" target="#_parent" delayexpr="count + 's'"/></transition></state>
            <final id="b"/>
            """
        )
        #expect(
            rows == [
                "Small  (starts in a)",
                "├─ a",
                "│     entry / count = count + 1, log \"now\" count, if count > 2: raise much; "
                    + "else if count > 1: cancel x; else: nothing, for each in [1, 2]: raise again",
                "│     go [count == 1] → b / send 'to' + count to #_parent after count + 's'",
                "└─ b  (final)",
            ]
        )
    }

    @Test func `a timer of the recommendation is one entry, unless its event has another source`() throws {
        let rows = try rows(
            """
            <state id="a"><onentry><send event="late" id="t" delay="2s"/><send event="both" id="u" delay="1.5s"/>
            </onentry><onexit><cancel sendid="t"/><cancel sendid="u"/></onexit>
            <transition event="late"/><transition event="both"/>
            <transition event="go"><if cond="count"><send event="both"/></if></transition></state>
            """
        )
        #expect(
            rows.dropFirst(2) == [
                "      timer / late after 2s, both after 1.5s",
                "      after 2s (ignored)",
                "      both (ignored)",
                "      go / if count: send both",
            ]
        )
    }
}
