import Foundation
import SCXML
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Tests drawings as text. After a change, `UPDATE_FIXTURES=1 swift test --filter ChartDrawingTests` writes the files
/// again.
@Suite struct ChartDrawingTests {
    private static let seeds: ClosedRange<UInt64> = 1...5

    /// The ids in a picture, in their order. An independent parser reads them.
    private func ids(_ svg: String, sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
        let reader = IDReader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "no XML: \(String(describing: parser.parserError))", sourceLocation: sourceLocation)
        return reader.ids
    }

    private func name(_ state: Int, _ document: ChartDocument) -> String {
        let id = document.states[state].id
        return id.isEmpty ? "#\(state)" : id
    }

    @Test func `a chart with all features gives exactly the expected Mermaid and DOT`() throws {
        let document = try DrawnCharts.features()
        try Fixtures.expect(ChartDrawing.mermaid(document), in: "Drawing/features.mmd")
        try Fixtures.expect(ChartDrawing.dot(document), in: "Drawing/features.dot")
        try Fixtures.expect(ChartDrawing.svg(document), in: "Drawing/features.svg")
    }

    @Test(arguments: seeds)
    func `a picture has one id for every state and every transition`(seed: UInt64) throws {
        let document = try DrawnCharts.random(seed)
        let ids = ids(ChartDrawing.svg(document))
        let states = document.states.indices.dropFirst().map { "state-" + name($0, document) }
        let transitions = document.transitions.indices.map { "transition-\($0)" }
        #expect(ids.filter { $0.hasPrefix("state-") }.sorted() == states.sorted())
        #expect(ids.filter { $0.hasPrefix("transition-") }.sorted() == transitions.sorted())
        #expect(Set(ids).count == ids.count)
    }

    @Test func `a picture of a chart with all features has one id for every transition, initial ones too`() throws {
        let document = try DrawnCharts.features()
        let found = ids(ChartDrawing.svg(document)).filter { $0.hasPrefix("transition-") }
        #expect(found.sorted() == document.transitions.indices.map { "transition-\($0)" }.sorted())
    }

    @Test(arguments: seeds)
    func `drawing a chart twice gives the same picture`(seed: UInt64) throws {
        let document = try DrawnCharts.random(seed)
        let again = try DrawnCharts.random(seed)
        #expect(ChartDrawing.svg(document) == ChartDrawing.svg(again))
        #expect(ChartDrawing.dot(document) == ChartDrawing.dot(again))
        #expect(ChartDrawing.mermaid(document) == ChartDrawing.mermaid(again))
    }

    @Test func `current states get a class, in every format`() throws {
        let document = try DrawnCharts.ours("connection")
        let active: Set<String> = ["running", "discovering", "nosuch"]
        let svg = ChartDrawing.svg(document, active: active)
        #expect(svg.contains("<g id=\"state-discovering\" class=\"state leaf active\">"))
        #expect(svg.components(separatedBy: " active\">").count == 3)
        let dot = ChartDrawing.dot(document, active: active)
        #expect(dot.components(separatedBy: "class=active").count == 3)
        #expect(ChartDrawing.mermaid(document, active: active).contains("class running,discovering active"))
        #expect(!ChartDrawing.svg(document).contains(" active\""))
    }

    @Test func `XML in a chart's names is escaped in its picture`() throws {
        let document = try DrawnCharts.chart(
            """
            <state id="a">
              <transition event="e" target="a"><log label="a &lt; b &amp;&amp; &quot;c&quot; -- > d"/></transition>
            </state>
            """
        )
        let svg = ChartDrawing.svg(document)
        #expect(ids(svg).contains("transition-0"))
        #expect(svg.contains("a &lt; b &amp;&amp; &quot;c&quot; -- &gt; d"))
    }

    @Test func `a name that Mermaid rejects is replaced by one with the state's number`() throws {
        let document = try DrawnCharts.chart(
            """
            <state id="end"><transition event="e" target="defaultMode"/></state><state id="s1"/>
            <state id="defaultMode"/><state id="a.b"/>
            """
        )
        let text = ChartDrawing.mermaid(document)
        #expect(text.contains("state \"end\" as s1_\n"))
        #expect(text.contains("s1_ --> s3 : e\n"))
        #expect(text.contains("state \"a.b\" as s4\n"))
    }

    @Test(.enabled(if: Graphviz.isInstalled))
    func `Graphviz, if installed, lays out the daemon's charts without a warning`() throws {
        for document in try DrawnCharts.ours.map(DrawnCharts.ours) + [DrawnCharts.features()] {
            let said = try Graphviz.run(Graphviz.dot, ["-Tsvg"], ChartDrawing.dot(document))
            #expect(said == "", "\(document.name): \(said)")
        }
    }

    /// The test only parses the graph, because the layout of Graphviz 2.43 fails for some random charts.
    @Test(.enabled(if: Graphviz.isInstalled), arguments: seeds)
    func `Graphviz, if installed, can read every chart`(seed: UInt64) throws {
        #expect(try Graphviz.run(Graphviz.nop, ["-p"], ChartDrawing.dot(try DrawnCharts.random(seed))) == "")
    }
}

/// With UPDATE_GOLDEN=1 in the environment the tests draw the pictures again, so that they can be reviewed with the
/// change.
@Suite struct DrawnChartFilesTests {
    @Test(arguments: DrawnCharts.ours)
    func `the pictures in the documents match the charts`(name: String) throws {
        let file = DrawnCharts.root.appending(path: "docs/charts/\(name).svg")
        let picture = ChartDrawing.svg(try DrawnCharts.ours(name))
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(picture.utf8).write(to: file)
        }
        let drawn = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(drawn == picture, "the chart changed: UPDATE_GOLDEN=1 ./test --filter ChartFilesTests")
    }

    @Test(arguments: DrawnCharts.ours)
    func `a chart begins with five lines that describe it`(name: String) throws {
        let file = DrawnCharts.root.appending(path: "statecharts/\(name).scxml")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let lines = text.components(separatedBy: "\n")
        #expect(lines[1].hasPrefix("<!-- "))
        #expect(lines[5].hasSuffix(" -->"))
        #expect(lines[6].hasPrefix("<scxml "))
        #expect(lines[1...5].allSatisfy { $0.count <= 120 })
    }
}

/// The paths of Graphviz programs; nil: not installed.
private enum Graphviz {
    static let dot = program("dot")
    static let nop = program("nop")
    static let isInstalled = dot != nil && nop != nil

    private static func program(_ name: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// Runs a Graphviz program. Returns its standard error.
    static func run(_ program: String?, _ options: [String], _ graph: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "drawing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "chart.dot")
        try Data(graph.utf8).write(to: source)
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(filePath: try #require(program))
        process.arguments = options + [source.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: said, as: UTF8.self)
    }
}

private final class IDReader: NSObject, XMLParserDelegate {
    var ids: [String] = []

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        if let id = attributes["id"] { ids.append(id) }
    }
}
