import Foundation
import SCXML
import Testing

/// Charts that are read with the profile of the recommendation.
enum Recommended {
    /// A chart with this content of its root, which starts in line 2.
    static func chart(_ inside: String, root: String = "datamodel=\"ecmascript\"") -> Chart {
        let spaces = "xmlns=\"http://www.w3.org/2005/07/scxml\" xmlns:bd=\"urn:bracketd:chart:1\" xmlns:x=\"urn:x\""
        return Chart(
            reading: Data("<scxml \(spaces) version=\"1.0\" \(root)>\n\(inside)\n</scxml>".utf8),
            as: .recommendation
        )
    }

    /// A chart with one state that has this content on entry. The content starts in line 2, column 23.
    static func entry(_ content: String, root: String = "datamodel=\"ecmascript\"") -> Chart {
        chart("<state id=\"a\"><onentry>\(content)</onentry></state>", root: root)
    }

    /// Code, line and column of every error.
    static func faults(_ chart: Chart) -> [String] {
        chart.diagnostics.map { "\($0.code) \($0.position.line):\($0.position.column)" }
    }

    /// The content on entry of the first state.
    static func contents(
        _ content: String,
        root: String = "datamodel=\"ecmascript\""
    ) throws -> [ChartDocument.Content.Kind] {
        let chart = entry(content, root: root)
        let document = try #require(chart.document, "\(chart.diagnostics)")
        return try #require(document.states[1].entry.first).content.map(\.kind)
    }
}

@Suite struct RecommendationReaderTests {

    // MARK: What is accepted

    @Test func `a chart needs no name, no version and no ids`() throws {
        let text = "<scxml xmlns='http://www.w3.org/2005/07/scxml'><state/><final/></scxml>"
        let document = try #require(Chart(reading: Data(text.utf8), as: .recommendation).document)
        #expect(document.states.map(\.id) == ["", "", ""])
        #expect(document.dataModel == .null)
        #expect(document.notes.isEmpty)
        #expect(document.states[0].initial == [1])
    }

    @Test func `a chart of the recommendation is not lowered as one of the dialect`() {
        let chart = Recommended.chart("<state id='a'/>")
        #expect(chart.profile == .recommendation)
        #expect(chart.document != nil)
        #expect(chart.lowered == nil)
    }

    @Test func `an id is any text without white space`() throws {
        let chart = Recommended.chart("<state id='1 '/><state id='a_b:c'/><state id='zürich'/><state id='init'/>")
        let ids = try #require(chart.document).states.map(\.id)
        #expect(ids == ["", "1", "a_b:c", "zürich", "init"])
    }

    @Test func `event names may contain unusual characters`() throws {
        let chart = Recommended.chart(
            "<state><onentry><raise event='_x:1.ü'/></onentry><transition event='http://a/b.* x. 7'/></state>"
        )
        let document = try #require(chart.document)
        #expect(document.transitions[0].descriptors?.map(\.text) == ["http://a/b.*", "x.", "7"])
    }

    @Test func `a duplicate target counts once`() throws {
        let chart = Recommended.chart(
            """
            <parallel id='p'><state id='a'/><state id='b'/><transition event='e' target='a b a'/></parallel>
            """,
            root: "initial='p p'"
        )
        let document = try #require(chart.document)
        #expect(document.transitions[0].targets == [2, 3])
        #expect(document.states[0].initial == [1])
    }

    @Test func `a shallow history may begin deeper than a child`() throws {
        let chart = Recommended.chart(
            """
            <state id='s'><history id='h'><transition target='deep'/></history>
            <state id='c'><state id='deep'/></state></state>
            """
        )
        #expect(try #require(chart.document).states[2].initial == [4])
    }

    @Test func `a parallel without regions is a state`() throws {
        #expect(try #require(Recommended.chart("<parallel id='p'/>").document).states[1].kind == .state)
    }

    @Test func `every condition is an expression, whatever the data model`() throws {
        for model in ["null", "swift", "ecmascript"] {
            let chart = Recommended.chart(
                "<state><transition cond=\"!In('x') &amp;&amp; ready\" event='e'/><transition cond='1 +'/></state>",
                root: "datamodel='\(model)'"
            )
            let conditions = try #require(chart.document).transitions.map(\.condition)
            #expect(conditions[0] == .script(try ScriptExpression("!In('x') && ready")))
            #expect(conditions[1] == .script(try ScriptExpression("1 +")))
        }
    }

    @Test func `a chart has no limits of states, transitions, events or depth`() throws {
        let states = (0..<300).map { "<state id='s\($0)'><transition event='e\($0)' target='s0'/></state>" }.joined()
        let deep = (0..<200).map { "<state id='d\($0)'>" }.joined() + String(repeating: "</state>", count: 200)
        let document = try #require(Recommended.chart(states + deep).document)
        #expect(document.states.count == 501)
        #expect(document.transitions.count == 300)
    }

    // MARK: Data

    @Test func `data has its owner and its value from the document`() throws {
        let chart = Recommended.chart(
            """
            <datamodel><data id='a' expr='1 + 1'/><data id='b'>{"x": [1, 2]}</data><data id='c'> </data></datamodel>
            <state id='s'><datamodel><data id='s'><![CDATA[a < b]]> &amp; c</data></datamodel></state>
            """,
            root: "datamodel='ecmascript' binding='late'"
        )
        let document = try #require(chart.document)
        #expect(document.bindsLate)
        #expect(document.data.map(\.id) == ["a", "b", "c", "s"])
        #expect(document.data.map(\.owner) == [0, 0, 0, 1])
        guard case .expression(let sum) = document.data[0].value, case .text(let object) = document.data[1].value,
            case .none = document.data[2].value, case .text(let mixed) = document.data[3].value
        else {
            Issue.record("\(document.data.map(\.value))")
            return
        }
        #expect(sum.text == "1 + 1")
        #expect(object == "{\"x\": [1, 2]}")
        #expect(mixed == "a < b & c")
    }

    @Test func `a final state has its done data`() throws {
        let chart = Recommended.chart(
            """
            <final id='f'><donedata><param name='n' expr='1'/><param name='m' location='x.y'/></donedata></final>
            <final id='g'><donedata><content expr='x'/></donedata></final>
            """
        )
        let states = try #require(chart.document).states
        let parameters = try #require(states[1].doneData).parameters
        #expect(parameters.map(\.name) == ["n", "m"])
        #expect(parameters.map(\.value.text) == ["1", "x.y"])
        guard case .expression(let content)? = states[2].doneData?.content else {
            Issue.record("no content")
            return
        }
        #expect(content.text == "x")
    }

    // MARK: Content

    @Test func `a send keeps all its attributes`() throws {
        let contents = try Recommended.contents(
            """
            <send event='e' targetexpr='t' type='scxml' idlocation='x.id' delay='soon' namelist='x y.z'>
            <param name='p' expr='1'/></send>
            <send eventexpr="'e' + 1" target='#_internal' id='i'/>
            <send id='i' delayexpr='d'><content>hi</content></send>
            """
        )
        guard case .interpreted(.dispatch(let first)) = contents[0],
            case .interpreted(.dispatch(let second)) = contents[1],
            case .interpreted(.dispatch(let third)) = contents[2]
        else {
            Issue.record("\(contents)")
            return
        }
        #expect([first.event, first.target, first.type, first.delay].map(written) == ["e", "=t", "scxml", "soon"])
        #expect(first.idLocation?.text == "x.id")
        #expect(first.payload.names.map(\.name) == ["x", "y.z"])
        #expect(first.payload.names.map(\.location.text) == ["x", "y.z"])
        #expect(first.payload.parameters.map(\.name) == ["p"])
        #expect([second.event, second.target, second.delay].map(written) == ["='e' + 1", "#_internal", nil])
        #expect(second.id == "i")
        #expect(second.payload.isEmpty)
        #expect([third.event, third.delay].map(written) == [nil, "=d"])
        guard case .text("hi")? = third.payload.content else {
            Issue.record("\(third)")
            return
        }
    }

    private func written(_ source: ChartDocument.TextSource?) -> String? {
        switch source {
        case nil: nil
        case .fixed(let text): text
        case .computed(let expression): "=" + expression.text
        }
    }

    @Test func `decisions and loops keep their branches`() throws {
        let contents = try Recommended.contents(
            """
            <if cond='a'><raise event='one'/><elseif cond='b'/><else/><bd:do action='two'/><raise event='three'/></if>
            <foreach array='xs' item='x' index='i'><assign location='x' expr='1'/></foreach>
            """
        )
        guard case .interpreted(.choose(let branches)) = contents[0],
            case .interpreted(.forEach(let array, "x", "i", let inner)) = contents[1],
            case .interpreted(.assign(let location, .expression(let one)))? = inner.first?.kind
        else {
            Issue.record("\(contents)")
            return
        }
        #expect(branches.map { $0.condition?.text } == ["a", "b", nil])
        #expect(branches.map(\.content.count) == [1, 0, 2])
        #expect(array.text == "xs")
        #expect([location.text, one.text] == ["x", "1"])
    }

    @Test func `raise, cancel, log, assign and do are kept as written`() throws {
        let contents = try Recommended.contents(
            "<raise event='e'/><cancel sendid='i'/><cancel sendidexpr='x'/><log label='l' expr='x'/><log/>"
                + "<assign location='x'>[1]</assign><bd:do action='beep 2'/>"
        )
        guard case .raise("e") = contents[0], case .interpreted(.cancel(.fixed("i"))) = contents[1],
            case .interpreted(.cancel(.computed)) = contents[2],
            case .interpreted(.log("l", let expression?)) = contents[3],
            case .interpreted(.log(nil, nil)) = contents[4],
            case .interpreted(.assign(_, .text("[1]"))) = contents[5], case .perform("beep 2") = contents[6]
        else {
            Issue.record("\(contents)")
            return
        }
        #expect(expression.text == "x")
    }

    @Test func `blocks stay separate and in order`() throws {
        let chart = Recommended.chart(
            """
            <state><onentry><raise event='a'/></onentry><onentry/>
            <onentry><raise event='b'/><raise event='c'/></onentry>
            <onexit><raise event='d'/></onexit><transition event='e'><raise event='f'/></transition></state>
            """
        )
        let document = try #require(chart.document)
        #expect(document.states[1].entry.map(\.content.count) == [1, 0, 2])
        #expect(document.states[1].exit.map(\.content.count) == [1])
        #expect(document.transitions[0].content?.content.count == 1)
    }

    @Test func `an invalid delay or expression is an error only in a run`() throws {
        #expect(
            Recommended.entry("<send event='e' delay='x'/><log expr=')'/><assign location='1 +' expr='return'/>")
                .document != nil
        )
    }

    // MARK: Notes

    @Test func `unknown parts are ignored with a note`() throws {
        let chart = Recommended.chart(
            """
            <state id='a' anchor='x' bd:waits='forever' x:y='z' xml:lang='de'>stray<x:thing><x:thing/>text</x:thing>
              <onentry>stray<raise event='e' bd:other='1'/></onentry>
            </state>
            """,
            root: "profile='p' bd:failure='nowhere'"
        )
        let notes = try #require(chart.document, "\(chart.diagnostics)").notes
        #expect(chart.diagnostics.isEmpty)
        #expect(notes.allSatisfy { $0.code == "W100" && $0.severity == .warning })
        let places = notes.map { "\($0.position.line):\($0.position.column)" }
        #expect(places == ["1:1", "2:1", "2:1", "2:1", "3:3", "3:17"])
        let said = notes.map(\.message)
        #expect(said[0].contains("'profile'"))
        #expect(said.contains { $0.contains("'anchor'") })
        #expect(said.contains { $0.contains("'{urn:x}y'") })
        #expect(said.contains { $0.contains("text in <state>") })
    }

    @Test func `any other version is read as 1_0`() throws {
        let text = "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.1'><state/></scxml>"
        let document = try #require(Chart(reading: Data(text.utf8), as: .recommendation).document)
        #expect(document.notes.map(\.code) == ["W100"])
    }

    @Test func `declared inputs are read with any name`() throws {
        let chart = Recommended.chart(
            "<bd:events import='A'><bd:input name='e' payload='Int'/><bd:input/><bd:input name='e'/><x:y/>"
                + "<bd:input name='7 f'/></bd:events><state/>"
        )
        let document = try #require(chart.document)
        #expect(document.inputs.map(\.name) == ["e", "7 f"])
        #expect(document.inputs[0].payload == "Int")
        #expect(document.imports == ["A"])
    }

    @Test func `a namespace prefix has no effect, and elements of another namespace are foreign`() throws {
        let text = """
            <s:scxml xmlns:s="http://www.w3.org/2005/07/scxml" xmlns:d="urn:bracketd:chart:1" version="1.0">
              <s:state id="a"><s:onentry><d:do action="beep"/><s:raise event="e"/></s:onentry></s:state>
              <state id="b"/><d:state id="c"/>
              <s:final xmlns:s="urn:other" id="d"/>
              <final xmlns="http://www.w3.org/2005/07/scxml" id="e"/>
            </s:scxml>
            """
        let document = try #require(Chart(reading: Data(text.utf8), as: .recommendation).document)
        #expect(document.states.map(\.id) == ["", "a", "e"])
        #expect(document.states[1].entry[0].content.count == 2)
    }
}
