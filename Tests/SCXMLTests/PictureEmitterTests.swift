import Foundation
import SCXML
import Testing

/// Compares pictures in generated Swift with a stored file, which shows every change of the emitter.
@Suite struct PictureEmitterTests {
    private static func chart() throws -> (document: ChartDocument, digest: String) {
        let chart = Chart(reading: try Fixtures.data("Pictures/door.scxml"))
        #expect(chart.diagnostics.map { $0.line(file: "door.scxml") } == [])
        return (try #require(chart.document), chart.digest)
    }

    private static func emit() throws -> [Substring] {
        let chart = try chart()
        return PictureEmitter.emit(chart.document, source: "Pictures/door.scxml", digest: chart.digest)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test func `a chart gives exactly the expected Swift`() throws {
        let lines = try Self.emit()
        // The drawing itself is compared with files of its own.
        let start = try #require(lines.firstIndex { $0.contains("<svg ") })
        let end = try #require(lines.firstIndex { $0.hasSuffix("</svg>") })
        let text = (lines[..<start] + ["(the drawing)"] + lines[(end + 1)...]).joined(separator: "\n")
        try Fixtures.expect(text, in: "Pictures/door.swift.txt")
    }

    @Test func `the Swift contains the drawing line by line, with quotes and backslashes escaped`() throws {
        let drawing = ChartDrawing.svg(try Self.chart().document)
        #expect(drawing.contains(#"\closed"#))
        let lines = try Self.emit()
        let start = try #require(lines.firstIndex { $0.hasSuffix(#"svg: """"#) })
        let end = try #require(lines.lastIndex { $0.hasSuffix(#"""""#) })
        // The lines are read as Swift reads the literal: the indent of the last line is removed from each line.
        let read = lines[(start + 1)..<end].map { line in
            line.isEmpty ? "" : line.dropFirst(8).replacing(#"\""#, with: "\"").replacing(#"\\"#, with: #"\"#)
        }
        #expect(read.joined(separator: "\n") == drawing)
        #expect(lines[end] == #"        """"#)
    }

    @Test func `only lines of the drawing exceed the formatter's limit`() throws {
        let lines = try Self.emit().prefix { !$0.contains("<svg ") }
        #expect(lines.allSatisfy { $0.count <= 120 })
    }
}
