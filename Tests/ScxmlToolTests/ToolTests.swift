import Foundation
import Testing

/// Tests the built program: arguments, streams and exit status.
@Suite struct `The scxml tool` {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private static let chart = """
        <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="a">
          <state id="a"><transition event="e" cond="open" target="b"/></state>
          <state id="b"><onentry><log label="here"/><send event="t" delayexpr="rest"/></onentry>
            <transition event="t" target="c"/></state>
          <final id="c"/>
        </scxml>
        """

    @Test func `runs a chart with given names, and reports every element`() throws {
        let chart = try folder.write(Self.chart, to: "chart.scxml")
        let events = try folder.write(#"[{"name":"e"},{"after":20},{"name":"e"}]"#, to: "events.json")
        let end = try Tool.run(
            ["run", chart, "--events", events, "--json", "--log", "--guard", "open=true", "--delay", "rest=20"]
        )
        #expect(end.status == 0)
        #expect(
            end.lines == [
                #"{"event":null,"at":0,"configuration":["a"],"states":["a"],"running":true}"#,
                #"{"log":"here"}"#,
                #"{"event":"e","at":0,"configuration":["b"],"states":["b"],"running":true}"#,
                #"{"event":null,"at":20,"configuration":["c"],"states":["c"],"running":false}"#,
                #"{"event":"e","at":20,"configuration":["c"],"states":["c"],"running":false}"#,
            ]
        )
    }

    @Test func `treats a name without a value as false, and reports it`() throws {
        let chart = try folder.write(Self.chart, to: "chart.scxml")
        let end = try Tool.run(["run", chart, "--events", "-", "--json"], input: #"[{"name":"e"}]"#)
        #expect(end.status == 0)
        #expect(end.lines.last?.contains(#""configuration":["a"]"#) == true)
        #expect(end.errors.contains("'open' has no value and counts as false"))
    }

    @Test func `exits with 1 for errors, 3 for unsupported elements, 64 for wrong arguments`() throws {
        let broken = try folder.write("<scxml", to: "broken.scxml")
        let lost = try folder.write(Self.chart.replacing(#"target="c""#, with: #"target="d""#), to: "lost.scxml")
        let script = try folder.write(
            Self.chart.replacing("<onentry>", with: "<onentry><script>x()</script>"),
            to: "script.scxml"
        )
        let foreign = try folder.write(
            Self.chart.replacing("version=", with: #"datamodel="xpath" version="#),
            to: "foreign.scxml"
        )
        let chart = try folder.write(Self.chart, to: "chart.scxml")
        #expect(try Tool.run(["run", broken]).status == 1)
        let refused = try Tool.run(["run", lost])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("lost.scxml:4:5: error: E007"))
        #expect(try Tool.run(["run", script]).status == 3)
        #expect(try Tool.run(["run", foreign]).status == 3)
        #expect(try Tool.run(["run", chart + ".missing"]).status == 1)
        #expect(try Tool.run(["run", chart, "--events", "-"], input: #"[{"nam":"e"}]"#).status == 1)
        #expect(try Tool.run(["run"]).status == 64)
        #expect(try Tool.run(["run", chart, "--guard", "open"]).status == 64)
        #expect(try Tool.run(["run", chart, "--delay", "rest=-1"]).status == 64)
        #expect(try Tool.run(["run", chart, "--max-microsteps", "0"]).status == 64)
    }

    @Test func `reads at most the allowed size of a file`() throws {
        let chart = try folder.write(Self.chart, to: "chart.scxml")
        let endless = try Tool.run(["run", "/dev/zero"])
        #expect(endless.status == 1)
        #expect(endless.errors.contains("E001"))
        let events = try Tool.run(["run", chart, "--events", "/dev/zero"])
        #expect(events.status == 1)
        #expect(events.errors.contains("bytes"))
        let journal = try Tool.run(["replay", "/dev/zero"])
        #expect(journal.status == 1)
        #expect(journal.errors.contains("bytes"))
    }

    @Test func `stops at its limits with a sentence and status 1`() throws {
        let circle = try folder.write(
            """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
              <state id="a"><transition cond="In('a')" target="b"/></state>
              <state id="b"><transition cond="In('b')" target="a"/></state>
            </scxml>
            """,
            to: "circle.scxml"
        )
        let clock = try folder.write(
            """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
              <state id="a"><onentry><send event="t" delay="1s"/></onentry><transition event="t" target="a"/></state>
            </scxml>
            """,
            to: "clock.scxml"
        )
        let circling = try Tool.run(["run", circle, "--json"])
        #expect(circling.status == 1)
        #expect(circling.lines.isEmpty)
        #expect(circling.errors.hasSuffix("stopped at 0 ms: more than 10000 microsteps in one macrostep\n"))
        let hour = #"[{"after":3600000}]"#
        #expect(try Tool.run(["run", clock, "--events", "-"], input: hour).status == 0)
        let ticking = try Tool.run(["run", clock, "--events", "-", "--max-deliveries", "10"], input: hour)
        #expect(ticking.status == 1)
        #expect(ticking.errors.hasSuffix("stopped at 11000 ms: more than 10 events sent to itself\n"))
    }

    @Test func `replays the journal of a run, and says what a changed chart changes`() throws {
        let chart = try folder.write(Self.chart, to: "chart.scxml")
        let journal = folder.path("run.journal")
        let names = ["--guard", "open=true", "--delay", "rest=20"]
        let script = #"[{"name":"e"},{"after":20}]"#
        #expect(try Tool.run(["run", chart, "--events", "-", "--journal", journal] + names, input: script).status == 0)
        let same = try Tool.run(["replay", journal])
        #expect(same.status == 0)
        #expect(same.lines == ["3 macrosteps, all equal"])

        _ = try folder.write(Self.chart.replacing(#"<final id="c"/>"#, with: #"<state id="c"/>"#), to: "chart.scxml")
        let refused = try Tool.run(["replay", journal])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("--against-changed-chart"))
        let shown = try Tool.run(["replay", journal, "--against-changed-chart"])
        #expect(shown.status == 1)
        #expect(shown.lines.first == "line 4")
        #expect(try Tool.run(["replay", chart]).status == 1)
        #expect(try Tool.run(["replay"]).status == 64)
    }

    @Test func `runs the charts of this project unchanged`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let names = [
            "button", "candidate", "connect", "connection", "metering", "network", "property", "recording", "search",
            "service",
            "settings", "shooting", "transfer",
        ]
        for name in names {
            let chart = root.appending(path: "statecharts/\(name).scxml").path(percentEncoded: false)
            let end = try Tool.run(["run", chart, "--json", "--trace"])
            #expect(end.status == 0)
            #expect(end.lines.count == 1)
        }
    }
}

private enum Tool {
    static func run(
        _ arguments: [String],
        input: String = ""
    ) throws -> (status: Int32, lines: [String], errors: String) {
        let process = Process()
        let streams = (input: Pipe(), output: Pipe(), errors: Pipe())
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appending(path: "scxml")
        process.arguments = arguments
        process.standardInput = streams.input
        process.standardOutput = streams.output
        process.standardError = streams.errors
        try process.run()
        try streams.input.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try streams.input.fileHandleForWriting.close()
        let output = streams.output.fileHandleForReading.readDataToEndOfFile()
        let errors = streams.errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        return (process.terminationStatus, lines, String(decoding: errors, as: UTF8.self))
    }
}

private final class Folder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "scxml-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }
}
