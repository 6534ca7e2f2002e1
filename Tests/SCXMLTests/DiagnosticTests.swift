import Foundation
import SCXML
import Testing

/// Invalid charts. Each has its expected diagnostics in a file beside it.
///
/// After a change of messages, `UPDATE_FIXTURES=1 swift test --filter DiagnosticTests` writes these files again, so
/// that they can be reviewed.
@Suite struct DiagnosticTests {
    static let charts = Fixtures.files(in: "Diagnostics", extension: "scxml")

    @Test(arguments: charts)
    func `a bad chart gives exactly the diagnostics in its expected file`(name: String) throws {
        let chart = Chart(reading: try Fixtures.data("Diagnostics/\(name).scxml"))
        let said = chart.diagnostics.map { $0.line(file: "\(name).scxml") + "\n" }.joined()
        try Fixtures.expect(said, in: "Diagnostics/\(name).expected")
        #expect(chart.hasErrors == (chart.document == nil))
    }

    @Test func `every code has a bad chart`() throws {
        let all = try Self.charts.map { try Fixtures.text("Diagnostics/\($0).expected") }.joined()
        let codes = (1...16).map { $0 < 10 ? "E00\($0)" : "E0\($0)" } + (101...115).map { "W\($0)" }
        for code in codes { #expect(all.contains(": \(code) "), "\(code)") }
    }

    @Test func `the reader does not trap on a truncated chart`() throws {
        let whole = try Fixtures.data("../Charts/shooting.scxml")
        for end in stride(from: 0, to: whole.count, by: 97) {
            #expect(Chart(reading: whole.prefix(end)).hasErrors, "the first \(end) bytes")
        }
    }

    @Test func `the reader does not trap on a damaged chart`() throws {
        let whole = try Fixtures.data("../Charts/features.scxml")
        let pieces = ["<", ">", "/", "\"", "'", "&", "&lt;", "\0", "é", "<!--", "-->", "<state>", "id", "="].map {
            Data($0.utf8)
        }
        var state: UInt64 = 1
        for round in 0..<400 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let place = Int(state >> 33) % whole.count
            let length = Int(state >> 20) % 12
            var damaged = whole
            damaged.replaceSubrange(place..<min(place + length, whole.count), with: pieces[round % pieces.count])
            let chart = Chart(reading: damaged)
            #expect(chart.hasErrors == (chart.lowered == nil), "round \(round)")
        }
    }

    @Test func `states nested too deeply are refused without recursion`() throws {
        let open = (0..<5_000).map { "<state id=\"s\($0)\">" }.joined()
        let text = "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" name=\"Deep\">\(open)"
        #expect(Chart(reading: Data(text.utf8)).hasErrors)
        let closed = text + String(repeating: "</state>", count: 5_000) + "</scxml>"
        #expect(Chart(reading: Data(closed.utf8)).hasErrors)
    }

    @Test func `a diagnostic is one object with its keys in order`() throws {
        let chart = Chart(reading: try Fixtures.data("Diagnostics/E001-no-namespace.scxml"))
        let line = try #require(chart.diagnostics.first).json(file: "a \"b\".scxml")
        #expect(
            line.hasPrefix(#"{"file":"a \"b\".scxml","line":1,"column":1,"severity":"error","code":"E001","message":""#)
        )
    }
}

enum Fixtures {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    static func files(in subfolder: String, extension suffix: String) -> [String] {
        let path = folder.appending(path: subfolder).path(percentEncoded: false)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix("." + suffix) }.map { String($0.dropLast(suffix.count + 1)) }.sorted()
    }

    static func data(_ path: String) throws -> Data { try Data(contentsOf: folder.appending(path: path)) }

    static func text(_ path: String) throws -> String { String(decoding: try data(path), as: UTF8.self) }

    /// Compares a text with a file, or writes the file if requested.
    static func expect(_ text: String, in path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] != nil {
            try Data(text.utf8).write(to: folder.appending(path: path))
        }
        #expect(try self.text(path) == text, sourceLocation: sourceLocation)
    }
}
