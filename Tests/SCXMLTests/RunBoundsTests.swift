import Foundation
import SCXML
import Testing

/// Charts, events and journals that could use all memory or time. Each run ends with a sentence or an error event.
@Suite struct RunBoundsTests {
    private func run(
        _ body: String,
        _ elements: [RunElement] = [],
        _ options: ChartRunner.Options = .init()
    ) throws -> (last: ChartRunner.Outcome, overrun: String?) {
        let text = """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">\(body)</scxml>
            """
        let chart = Chart(reading: Data(text.utf8), as: .recommendation)
        #expect(chart.diagnostics.isEmpty)
        var runner = try #require(ChartRunner(chart, options))
        var last = runner.start()
        for element in elements where runner.overrun == nil { last = runner.handle(element) }
        return (last, runner.overrun)
    }

    @Test(arguments: [
        #"<param name="d" expr="_event.data"/>"#,
        #"<param name="d" expr="_event.data"/><param name="e" expr="_event.data"/>"#,
    ])
    func `an event that contains its predecessor ends as error.execution`(parameters: String) throws {
        let end = try run(
            """
            <state id="a">
              <onentry><raise event="go"/></onentry>
              <transition event="go"><send target="#_internal" event="go">\(parameters)</send></transition>
              <transition event="error.execution" target="b"/>
            </state>
            <state id="b"/>
            """
        )
        #expect(end.last.configuration == ["b"])
        #expect(end.overrun == nil)
    }

    @Test func `endless data in sends and logs stops the run`() throws {
        let end = try run(
            """
            <datamodel><data id="x" expr="'0123456789'"/><data id="n" expr="[1,2,3,4,5,6,7,8,9,10]"/></datamodel>
            <state id="a"><onentry>
              <foreach array="n" item="i"><assign location="x" expr="x + x + x"/></foreach>
              <foreach array="n" item="i"><foreach array="n" item="j"><foreach array="n" item="k">
                <send event="e" delay="1s"><content expr="x"/></send>
              </foreach></foreach></foreach>
            </onentry></state>
            """
        )
        #expect(end.overrun == "more than 200000000 bytes of data sent and logged")
    }

    @Test func `only requested steps are kept, up to a limit`() throws {
        let body = """
            <datamodel><data id="n" expr="0"/></datamodel>
            <state id="a">
              <onentry><send event="t" delay="1ms"/></onentry>
              <transition event="t" target="b"><assign location="n" expr="0"/></transition>
            </state>
            <state id="b">
              <transition cond="n &lt; 20"><assign location="n" expr="n + 1"/></transition>
              <transition target="a" cond="true"/>
            </state>
            """
        var options = ChartRunner.Options()
        options.keepsSteps = false
        options.stepsMax = 1_000
        #expect(try run(body, [.after(100)], options).overrun == nil)
        options.keepsSteps = true
        #expect(try run(body, [.after(100)], options).overrun == "more than 1000 microsteps at once")
    }

    @Test func `a delivery over the limit is not made`() throws {
        var options = ChartRunner.Options()
        options.deliveriesMax = 2
        let end = try run(
            """
            <state id="a">
              <onentry><log label="again"/><send event="t" delay="1ms"/></onentry>
              <transition event="t" target="a"/>
            </state>
            """,
            [.after(1_000)],
            options
        )
        #expect(end.last.logs.count == 2)
        #expect(end.overrun == "more than 2 events sent to itself")
    }

    @Test func `a descriptor or a name with too many tokens is refused`() throws {
        let long = Array(repeating: "a", count: 65).joined(separator: ".")
        let text = """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
              <state id="a"><transition event="\(long)"/></state>
            </scxml>
            """
        #expect(Chart(reading: Data(text.utf8), as: .recommendation).diagnostics.map(\.code) == ["E011"])
        let name = String(repeating: "a.", count: 3_000) + "a"
        #expect(throws: RunScript.Refusal.self) { try RunScript.read(Data(#"[{"name":"\#(name)"}]"#.utf8)) }
    }

    @Test func `a chart with a table that is too large is not run`() throws {
        let raised = (0..<5_000).map { #"<raise event="r\#($0)"/>"# }.joined()
        let stars = Array(repeating: #"<transition event="*"/>"#, count: 5_000).joined()
        let text = """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
              <state id="a"><onentry>\(raised)</onentry>\(stars)</state>
            </scxml>
            """
        let chart = Chart(reading: Data(text.utf8), as: .recommendation)
        #expect(chart.document != nil)
        #expect(ChartRunner(chart) == nil)
    }

    @Test(arguments: ["maxMicrosteps", "maxDeliveries"])
    func `a journal cannot disable the limits`(limit: String) {
        let text = #"{"replay":1,"digest":"","source":"","model":{"\#(limit)":1000000000}}"#
        let refusal = #expect(throws: RunJournal.Refusal.self) {
            try RunJournal.Recording(reading: Data(text.utf8))
        }
        #expect(refusal?.message.contains(limit) == true)
    }

    @Test func `a delay with a fraction of a millisecond is rounded up, and its journal replays`() throws {
        let text = """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="Half">
              <state id="a"><onentry><send event="t" delay="1.5ms"/></onentry><transition event="t" target="b"/></state>
              <state id="b"/>
            </scxml>
            """
        let chart = Chart(reading: Data(text.utf8), as: .recommendation)
        var runner = try #require(ChartRunner(chart))
        var journal = RunJournal(chart, source: "half.scxml", .init())
        journal.append(runner.start())
        journal.append(runner.handle(.after(5)))
        #expect(journal.lines.last?.contains(#""at":2"#) == true)
        let replay = try RunJournal.Replay(RunJournal.Recording(reading: Data(journal.text.utf8)), on: chart)
        #expect(replay.isIdentical)
    }

    @Test func `a replay file may contain data in the form of a record`() throws {
        let chart = Chart(
            reading: Data(
                """
                <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"/></scxml>
                """.utf8
            ),
            as: .recommendation
        )
        let script = """
            {"replay":1,"digest":"\(chart.digest)","source":"a.scxml"}
            {"at":0,"input":"e","data":{"steps":[]}}
            {"at":0,"input":"e"}
            """
        let replay = try RunJournal.Replay(RunJournal.Recording(reading: Data(script.utf8)), on: chart)
        #expect(replay.isScriptOnly)
        #expect(replay.lines.count == 3)
    }

    @Test(arguments: [".", ".s", "s", "", "1 s x", "-1s", "1e3s"])
    func `an invalid delay gives error.execution`(delay: String) throws {
        let end = try run(
            """
            <state id="a">
              <onentry><send event="t" delay="\(delay)"/></onentry>
              <transition event="error.execution" target="b"/>
            </state>
            <state id="b"/>
            """
        )
        #expect(end.last.configuration == ["b"])
    }
}
