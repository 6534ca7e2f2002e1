import Foundation
import SCXML
import Testing

/// The charts for tests of drawings.
enum DrawnCharts {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The daemon's charts.
    static let ours = [
        "button", "candidate", "connect", "connection", "metering", "network", "property", "recording", "search",
        "service",
        "settings", "shooting", "transfer",
    ]

    static func ours(_ name: String) throws -> ChartDocument {
        let data = try Data(contentsOf: root.appending(path: "statecharts/\(name).scxml"))
        return try #require(Chart(reading: data).document)
    }

    /// A chart with all features.
    static func features() throws -> ChartDocument {
        try #require(Chart(reading: try Fixtures.data("../Charts/features.scxml")).document)
    }

    static func chart(_ body: String, attributes: String = "") throws -> ChartDocument {
        let text = """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:bd="urn:bracketd:chart:1" version="1.0"
                   datamodel="swift" name="Drawn" \(attributes)>\(body)</scxml>
            """
        let chart = Chart(reading: Data(text.utf8))
        return try #require(chart.document, "\(chart.diagnostics.map { $0.line(file: text) })")
    }

    /// A random chart; a seed always gives the same chart.
    static func random(_ seed: UInt64) throws -> ChartDocument {
        var maker = ChartMaker(seed: seed)
        return try chart(maker.text)
    }
}

/// Writes random charts, with states of every kind, long names and many arrows.
private struct ChartMaker {
    private var state: UInt64
    private var names: [String] = []
    /// The number of states after which only leaves are added, because the dialect allows only 64 states.
    private static let namesMax = 24

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    /// The states as text. When all names are known, transitions replace the markers in the text.
    var text: String {
        mutating get {
            let body = (0..<(1 + below(4))).map { _ in self.node(depth: 0) }.joined()
            let pieces = body.components(separatedBy: "@")
            return pieces.dropFirst().reduce(pieces[0]) { $0 + transitions() + $1 }
        }
    }

    private mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }

    private mutating func name() -> String {
        let words = ["s", "waiting", "waitingForSomethingThatTakesItsTime", "on.hold", "x"]
        let name = words[below(words.count)] + "\(names.count)"
        names.append(name)
        return name
    }

    private mutating func node(depth: Int) -> String {
        let id = name()
        let kind = names.count < Self.namesMax ? below(10) : 9
        switch kind {
        case 0...2 where depth < 3:
            let children = (0..<(2 + below(4))).map { _ in self.node(depth: depth + 1) }
            return "<state id=\"\(id)\">@\(habits())\(children.joined())\(history(of: id, depth: depth))</state>"
        case 3 where depth < 3:
            let regions = (0..<(2 + below(2))).map { _ in self.region(depth: depth + 1) }
            return "<parallel id=\"\(id)\">@\(regions.joined())</parallel>"
        case 4: return "<final id=\"\(id)\"/>"
        default: return "<state id=\"\(id)\">@\(habits())</state>"
        }
    }

    private mutating func region(depth: Int) -> String {
        let id = name()
        let children = (0..<(1 + below(3))).map { _ in self.node(depth: depth + 1) }
        return "<state id=\"\(id)\">@\(children.joined())</state>"
    }

    private mutating func history(of parent: String, depth: Int) -> String {
        guard below(3) == 0 else { return "" }
        let id = name()
        let inner = name()
        let kind = below(2) == 0 ? "shallow" : "deep"
        return """
            <history id="\(id)" type="\(kind)"><transition target="\(inner)"/></history><state id="\(inner)">@</state>
            """
    }

    private mutating func habits() -> String {
        switch below(4) {
        case 0: return "<onentry><bd:do action=\"begin\"/><bd:do action=\"tellEverybodyWhoListens\"/></onentry>"
        case 1:
            let timer = "t\(names.count)"
            return """
                <onentry><send event="timeout.\(timer)" id="\(timer)" delay="2s"/></onentry>\
                <onexit><cancel sendid="\(timer)"/><bd:do action="end"/></onexit>
                """
        default: return ""
        }
    }

    private mutating func transitions() -> String {
        (0..<below(5)).map { _ in
            let events = ["go", "camera.saidSomethingLong network.left timeout", "*", "stop.*"]
            let conditions = ["", " cond=\"mayGo\"", " cond=\"!hasEverythingThatIsNeeded\""]
            let long = "<bd:do action=\"noteThis\"/><log label=\"a &lt; b &amp; c\"/>"
            let actions = ["", "<bd:do action=\"note\"/>", long]
            let target = below(6) == 0 ? "" : " target=\"\(names[below(names.count)])\""
            let kind = below(4) == 0 && !target.isEmpty ? " type=\"internal\"" : ""
            let event = events[below(events.count)]
            let attributes = "event=\"\(event)\"\(conditions[below(3)])\(target)\(kind)"
            return "<transition \(attributes)>\(actions[below(3)])</transition>"
        }.joined()
    }
}
