import Foundation
import SCXML
import Testing

/// The journal of a run and its replay.
@Suite struct RunJournalTests {
    private static let text = """
        <scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:bd="urn:bracketd:chart:1" version="1.0" name="Lamp"
               datamodel="ecmascript">
          <datamodel><data id="count" expr="0"/></datamodel>
          <state id="off"><transition event="press" target="on"/></state>
          <state id="on">
            <onentry>
              <assign location="count" expr="count + _event.data.times"/>
              <bd:do action="light"/>
              <send event="timeout.on" id="lamp" delay="2s"/>
            </onentry>
            <onexit><log label="count" expr="count"/></onexit>
            <transition event="timeout" target="off"/>
            <transition event="press"><cancel sendid="lamp"/><send event="echo"/></transition>
          </state>
        </scxml>
        """
    private static let elements: [RunElement] = [
        .event("press", .object(["times": .number(2)])), .after(2_500), .event("press", .object(["times": .number(1)])),
        .event("press", .undefined), .after(5_000),
    ]
    private let chart = Chart(reading: Data(text.utf8), as: .recommendation)

    private func journal(of elements: [RunElement]) throws -> RunJournal {
        let options = ChartRunner.Options()
        var runner = try #require(ChartRunner(chart, options))
        var journal = RunJournal(chart, source: "lamp.scxml", options)
        journal.append(runner.start())
        for element in elements { journal.append(runner.handle(element)) }
        return journal
    }

    @Test func `a journal has a line per macrostep, with its cause and its results`() throws {
        let journal = try journal(of: Self.elements)
        let expected = #"""
            {"replay":1,"chart":"Lamp","digest":"DIGEST",
            "model":{"guards":{},"delays":{},"maxMicrosteps":10000,"maxDeliveries":10000},
            "seed":0,"source":"lamp.scxml"}

            {"n":0,"at":0,"chart":"Lamp","start":true,
            "steps":[{"event":null,"took":[],"exit":[],"enter":["off"],"do":[],"send":[],"cancel":[]}],
            "state":["off"],"effects":[]}

            {"n":1,"at":0,"chart":"Lamp","input":"press","data":{"times":2},
            "steps":[{"event":"press","took":[0],"exit":["off"],"enter":["on"],
            "do":["light"],"send":[["lamp","timeout.on",2000]],"cancel":[]}],
            "state":["on"],"effects":[{"light":{}}]}

            {"n":2,"at":2000,"chart":"Lamp","timer":"timeout.on",
            "steps":[{"event":"timeout.on","took":[1],"exit":["on"],"enter":["off"],"do":[],"send":[],"cancel":[]}],
            "state":["off"],"effects":[{"log":2,"label":"count"}]}

            {"n":3,"at":2500,"chart":"Lamp","input":"press","data":{"times":1},
            "steps":[{"event":"press","took":[0],"exit":["off"],"enter":["on"],
            "do":["light"],"send":[["lamp","timeout.on",4500]],"cancel":[]}],
            "state":["on"],"effects":[{"light":{}}]}

            {"n":4,"at":2500,"chart":"Lamp","input":"press",
            "steps":[{"event":"press","took":[2],"exit":[],"enter":[],
            "do":[],"send":[[null,"echo",2500]],"cancel":["lamp"]}],
            "state":["on"],"effects":[]}

            {"n":5,"at":2500,"chart":"Lamp","sent":"echo","steps":[],"state":["on"],"effects":[]}
            """#
        let records = expected.replacing("DIGEST", with: chart.digest).split(separator: "\n\n")
        #expect(journal.lines == records.map { String($0).replacing("\n", with: "") })
    }

    @Test func `a replay gives the same bytes`() throws {
        let journal = try journal(of: Self.elements)
        let recording = try RunJournal.Recording(reading: Data(journal.text.utf8))
        let replay = try RunJournal.Replay(recording, on: chart)
        #expect(replay.isIdentical)
        #expect(replay.lines == Array(journal.lines.dropFirst()))
        #expect(!replay.isScriptOnly)
    }

    @Test func `a line that differs from the replay is reported`() throws {
        let text = try journal(of: Self.elements).text.replacing(#""log":2"#, with: #""log":3"#)
        let replay = try RunJournal.Replay(RunJournal.Recording(reading: Data(text.utf8)), on: chart)
        #expect(replay.differences.map(\.line) == [4])
        #expect(replay.differences.first?.recorded?.contains(#""log":3"#) == true)
        #expect(replay.differences.first?.replayed?.contains(#""log":2"#) == true)
    }

    @Test func `a truncated journal differs in the missing lines`() throws {
        let lines = try journal(of: Self.elements).lines
        let text = lines.dropLast().joined(separator: "\n")
        let replay = try RunJournal.Replay(RunJournal.Recording(reading: Data(text.utf8)), on: chart)
        #expect(replay.differences.map(\.line) == [lines.count])
        #expect(replay.differences.first?.recorded == nil)
        #expect(replay.differences.first?.replayed == lines.last)
    }

    @Test func `a replay file has only the inputs and gives the records`() throws {
        let journal = try journal(of: Self.elements)
        let script = """
            \(journal.lines[0])
            {"at":0,"input":"press","data":{"times":2}}
            {"at":2500,"input":"press","data":{"times":1}}
            {"at":2500,"input":"press"}
            """
        let replay = try RunJournal.Replay(RunJournal.Recording(reading: Data(script.utf8)), on: chart)
        #expect(replay.isScriptOnly)
        #expect(replay.isIdentical)
        #expect(replay.lines == Array(journal.lines.dropFirst()))
    }

    @Test func `a journal of another chart is refused, unless the caller allows it`() throws {
        let recording = try RunJournal.Recording(reading: Data(journal(of: Self.elements).text.utf8))
        let text = Self.text.replacing(#"delay="2s""#, with: #"delay="1s""#)
        let changed = Chart(reading: Data(text.utf8), as: .recommendation)
        #expect(throws: RunJournal.Refusal.self) { try RunJournal.Replay(recording, on: changed) }
        let replay = try RunJournal.Replay(recording, on: changed, evenIfChanged: true)
        #expect(replay.differences.map(\.line) == [3, 4, 5])
    }

    @Test(
        arguments: [
            ("", "line 1"),
            ("{}", "line 1"),
            (#"{"replay":2,"digest":"","source":""}"#, "line 1"),
            (#"{"replay":1,"digest":"","source":"","model":{"guards":{"a":1}}}"#, "the guard 'a'"),
            (#"{"replay":1,"digest":"","source":"","model":{"delays":{"a":-1}}}"#, "the delay 'a'"),
            ("{\"replay\":1,\"digest\":\"\",\"source\":\"\"}\nnonsense", "line 2"),
            ("{\"replay\":1,\"digest\":\"\",\"source\":\"\"}\n{\"at\":0.5,\"input\":\"e\"}", "line 2"),
            ("{\"replay\":1,\"digest\":\"\",\"source\":\"\"}\n{\"at\":1e300,\"input\":\"e\"}", "line 2"),
            ("{\"replay\":1,\"digest\":\"\",\"source\":\"\"}\n{\"at\":5}\n{\"at\":4}", "line 3"),
            ("{\"replay\":1,\"digest\":\"\",\"source\":\"\"}\n{\"at\":5}\n{\"at\":5,\"steps\":[]}", "some lines"),
        ]
    )
    func `a damaged journal is refused with the position`(text: String, place: String) throws {
        let refusal = #expect(throws: RunJournal.Refusal.self) {
            try RunJournal.Recording(reading: Data(text.utf8))
        }
        #expect(refusal?.message.contains(place) == true)
    }

    @Test func `a journal truncated at any byte is refused or replayed without a trap`() throws {
        let bytes = Array(try journal(of: Self.elements).text.utf8)
        for length in bytes.indices {
            guard let recording = try? RunJournal.Recording(reading: Data(bytes[..<length])) else { continue }
            _ = try? RunJournal.Replay(recording, on: chart)
        }
    }

    @Test(
        arguments: [
            ("{}", "not a JSON array"), ("[1", "is not JSON"), ("[1]", "element 0 is not an object"),
            (#"[{"name":""}]"#, "element 0"),
            (#"[{"after":1},{"after":-1}]"#, "element 1"), (#"[{"after":1.5}]"#, "element 0"),
            (#"[{"name":"e","after":1}]"#, "element 0"), (#"[{"name":"e","dat":1}]"#, "element 0"),
            (#"[{"after":1e15}]"#, "element 0"), (#"[{"after":1e12},{"after":1}]"#, "element 1 moves the clock"),
        ]
    )
    func `invalid events are refused with the position`(text: String, place: String) throws {
        let refusal = #expect(throws: RunScript.Refusal.self) { try RunScript.read(Data(text.utf8)) }
        #expect(refusal?.message.contains(place) == true)
    }
}
