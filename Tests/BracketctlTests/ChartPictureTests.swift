import Foundation
import Testing

@testable import SCXML
@testable import bracketctl

@Suite struct `The charts that bracketctl carries` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "statecharts")

    private static func chart(_ name: String) throws -> (document: ChartDocument, digest: String) {
        let chart = Chart(reading: try Data(contentsOf: folder.appending(path: "\(name).scxml")))
        return (try #require(chart.document), chart.digest)
    }

    @Test func `are those of the folder`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".scxml") }.map { String($0.dropLast(6)) }
        #expect(names.sorted() == ChartLibrary.names)
    }

    @Test(arguments: ChartLibrary.names)
    func `match the files`(name: String) throws {
        let picture = try ChartLibrary.chart(named: name)
        let chart = try Self.chart(picture.name)
        let made = ChartPicture(chart.document)
        #expect(picture.digest == chart.digest)
        #expect(picture.name == made.name)
        #expect(picture.sentence == made.sentence)
        #expect(picture.rows == made.rows)
        #expect(picture.svg == made.svg)
        #expect(picture.states.map(\.id) == made.states.map(\.id))
        #expect(picture.states.map(\.parent) == made.states.map(\.parent))
        #expect(picture.states.map(\.isLeaf) == made.states.map(\.isLeaf))
        #expect(picture.transitions.count == chart.document.transitions.count)
    }

    @Test(arguments: ChartLibrary.names)
    func `have a descriptive sentence`(name: String) throws {
        let picture = try ChartLibrary.chart(named: name)
        #expect(picture.sentence.hasSuffix("."))
        #expect(!picture.sentence.contains(". "))
    }

    @Test(arguments: ChartLibrary.names)
    func `are marked like a drawing made with the marks`(name: String) throws {
        let picture = try ChartLibrary.chart(named: name)
        let document = try Self.chart(picture.name).document
        // The layout takes most of the time. It does not depend on the marks, so it is computed once.
        let layout = ChartLayout(document)
        #expect(SVGDrawing(layout, active: []).text == ChartDrawing.svg(document))
        func drawn(_ active: Set<String>) -> String {
            let numbers = document.states.indices.dropFirst().filter { active.contains(document.states[$0].id) }
            let around = Set(numbers.flatMap(document.path).map { document.states[$0].id })
            return SVGDrawing(layout, active: around).text
        }
        for state in picture.states {
            #expect(picture.svg(active: [state.id]) == drawn([state.id]), "\(state.id)")
            #expect(picture.svg(active: [state.id]) != picture.svg, "\(state.id)")
        }
        let all = Set(picture.states.map(\.id))
        #expect(picture.svg(active: all) == drawn(all))
        #expect(picture.svg(active: []) == picture.svg)
        #expect(picture.svg(active: ["nosuch"]) == picture.svg)
    }
}
