import Foundation
import SCXML
import Testing

/// Tests malicious files, and the project's charts in both profiles.
@Suite struct HostileChartTests {
    private static let sample = """
        <?xml version="1.0"?><!-- c -->
        <s:scxml xmlns:s="http://www.w3.org/2005/07/scxml" xmlns:bd="urn:bracketd:chart:1" datamodel="ecmascript">
        <s:datamodel><s:data id="x">{"a": 1}</s:data><s:data id="y" expr="[1, 'ü']"/></s:datamodel>
        <s:parallel id="p"><s:state id="a" initial="b"><s:history id="h"><s:transition target="b"/></s:history>
        <s:state id="b"><s:onentry><s:if cond="x.a &lt; 2"><s:send event="e" delay="1s"><s:param name="n" expr="x"/>
        </s:send><s:elseif cond="y"/><s:log expr="y[0]"/><s:else/><bd:do action="go"/></s:if></s:onentry>
        <s:transition event="e.*" cond="In('c')" target="f h2"><s:foreach array="y" item="i"><s:assign location="x"
        ><![CDATA[7]]></s:assign></s:foreach></s:transition></s:state></s:state><s:state id="c"><s:state id="f"/>
        <s:state id="h2"/></s:state></s:parallel><s:final><s:donedata><s:content>z</s:content></s:donedata></s:final>
        </s:scxml>
        """

    @Test func `a file truncated at any byte is refused`() {
        let whole = Data(Self.sample.replacing("f h2", with: "f h").utf8)
        #expect(Chart(reading: whole, as: .recommendation).document != nil)
        for end in 0..<whole.count {
            #expect(Chart(reading: whole.prefix(end), as: .recommendation).hasErrors, "the first \(end) bytes")
        }
    }

    @Test func `the reader does not trap on a damaged file`() {
        let whole = Data(Self.sample.utf8)
        let pieces = [
            "<", ">", "/", "\"", "&", "\0", "é", "<!--", "<![CDATA[", "]]>", "<s:if>", "cond", "=", "s:", "<s:else/>",
            "*",
        ]
        var state: UInt64 = 7
        for round in 0..<600 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let place = Int(state >> 33) % whole.count
            let end = min(place + Int(state >> 20) % 12, whole.count)
            var damaged = whole
            damaged.replaceSubrange(place..<end, with: Data(pieces[round % pieces.count].utf8))
            let chart = Chart(reading: damaged, as: .recommendation)
            #expect(chart.hasErrors == (chart.document == nil), "round \(round)")
        }
    }

    @Test func `a file that is too long is refused before it is parsed`() throws {
        let text = "<scxml xmlns='http://www.w3.org/2005/07/scxml'>" + String(repeating: " ", count: 4 << 20)
        let chart = Chart(reading: Data((text + "<state/></scxml>").utf8), as: .recommendation)
        #expect(Recommended.faults(chart) == ["E001 1:1"])
        #expect(try #require(chart.diagnostics.first).message.contains("4194304"))
    }

    @Test func `content nested too deeply is refused without recursion`() {
        let open = String(repeating: "<if cond='x'>", count: 5_000)
        let closed = open + String(repeating: "</if>", count: 5_000)
        #expect(Recommended.entry(closed).hasErrors)
        #expect(Recommended.entry(open).hasErrors)
    }

    @Test func `content may be nested 250 deep`() {
        let open = String(repeating: "<if cond='x'>", count: 250)
        #expect(Recommended.entry(open + String(repeating: "</if>", count: 250)).document != nil)
    }

    @Test(arguments: [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32])
    func `a document type declaration is refused in every encoding`(encoding: String.Encoding) throws {
        let text = """
            <!DOCTYPE scxml [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>
            <scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="&c;"/></scxml>
            """
        let chart = Chart(reading: try #require(text.data(using: encoding)), as: .recommendation)
        #expect(chart.diagnostics.map(\.code) == ["E001"])
    }

    private static let smallest = "<scxml xmlns='http://www.w3.org/2005/07/scxml'><state/></scxml>"

    @Test(arguments: ["UTF-8", "utf-8", "ISO-8859-1", "windows-1252", "US-ASCII"])
    func `an encoding in which tags are ASCII is read`(name: String) {
        let text =
            "<?xml version='1.0' encoding='\(name)'?>\(Self.smallest)"
        #expect(Chart(reading: Data(text.utf8), as: .recommendation).document != nil)
    }

    @Test(arguments: ["UTF-7", "UTF-16", "ISO-2022-JP", "IBM037", ""])
    func `an encoding that can hide a declaration is refused`(name: String) {
        let text =
            "<?xml version='1.0' encoding = \"\(name)\"?>\(Self.smallest)"
        #expect(Recommended.faults(Chart(reading: Data(text.utf8), as: .recommendation)) == ["E001 1:1"])
    }

    @Test func `the number of reported errors is limited`() {
        let faults = (0..<2_000).map { "<state id='s\($0)'><transition target='t\($0)'/></state>" }.joined()
        #expect(Recommended.chart(faults).diagnostics.count == 100)
    }

    @Test func `the number of notes is limited`() throws {
        let ignored = (0..<2_000).map { "<state n\($0)='x'/>" }.joined()
        #expect(try #require(Recommended.chart(ignored).document).notes.count == 100)
    }

    @Test func `a transition may have targets in thousands of regions`() throws {
        let regions = (0..<5_000).map { "<state id='r\($0)'/>" }.joined()
        let names = (0..<5_000).map { "r\($0)" }.joined(separator: " ")
        let all = "<parallel>\(regions)<transition event='e' target='\(names)'/></parallel>"
        #expect(try #require(Recommended.chart(all).document).transitions[0].targets.count == 5_000)
        let wrong = "<parallel>\(regions)<transition event='e' target='\(names) x'/></parallel><state id='x'/>"
        #expect(Recommended.chart(wrong).diagnostics.map(\.code) == ["E010"])
    }

    // MARK: The project's charts

    private static let own: [String] = {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        return [tests.appending(path: "Charts"), root.appending(path: "statecharts")].flatMap { folder in
            let path = folder.path(percentEncoded: false)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            return names.filter { $0.hasSuffix(".scxml") }.sorted().map { path + "/" + $0 }
        }
    }()

    @Test func `the project has charts`() { #expect(Self.own.count >= 5) }

    @Test(arguments: own) func `a chart of the project is the same in both profiles`(file: String) throws {
        let data = try Data(contentsOf: URL(filePath: file))
        let strict = try #require(Chart(reading: data).document)
        let chart = Chart(reading: data, as: .recommendation)
        let wide = try #require(chart.document, "\(chart.diagnostics)")
        #expect(wide.notes.isEmpty, "\(wide.notes)")
        #expect(wide.states.map(\.id) == strict.states.map(\.id))
        #expect(wide.states.map(\.kind) == strict.states.map(\.kind))
        #expect(wide.states.map(\.initial) == strict.states.map(\.initial))
        #expect(wide.states.map(\.entry.count) == strict.states.map(\.entry.count))
        #expect(wide.transitions.map(\.targets) == strict.transitions.map(\.targets))
        #expect(wide.transitions.map(\.descriptors) == strict.transitions.map(\.descriptors))
        #expect(
            wide.transitions.map { $0.content?.content.count } == strict.transitions.map { $0.content?.content.count }
        )
        #expect(wide.inputs.map(\.name) == strict.inputs.map(\.name))
    }
}
