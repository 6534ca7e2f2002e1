import Controller
import Foundation
import SCXML
import Statecharts
import Testing

/// Tests that charts, their Swift code and the generated tables match each other.
@Suite struct ChartFilesTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden")

    /// The names of the functions that conform to a chart's behavior. They follow the comment that says so.
    private func conformance(of chart: String) throws -> [String] {
        let mark = "// This extension has only the functions that the chart names"
        let folder = Self.root.appendingPathComponent("Sources/Controller")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var functions: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let name = file.deletingPathExtension().lastPathComponent
            guard name == chart || name.hasPrefix("\(chart)+") else { continue }
            let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: mark).dropFirst()
            for part in parts {
                let body = part.components(separatedBy: "\n}").first ?? ""
                functions += body.matches(of: /func (\w+)/).map { String($0.output.1) }
            }
        }
        return functions.sorted()
    }

    /// The names of the functions that conform to a chart's behavior in one extension of a file.
    private func conformance(of chart: String, in path: String) throws -> [String] {
        let text = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
        let body = try #require(
            text.components(separatedBy: ": \(chart)Behavior {").last?.components(separatedBy: "\n}").first
        )
        return body.matches(of: /func (\w+)/).map { String($0.output.1) }.sorted()
    }

    @Test func `the behavior of a chart has exactly the functions that the chart names`() throws {
        #expect(try conformance(of: "Shooting") == Shooting.names.functions)
        #expect(try conformance(of: "Connection") == Connection.names.functions)
        #expect(try conformance(of: "Network") == Network.names.functions)
        #expect(try conformance(of: "Transfer") == Transfer.names.functions)
        #expect(try conformance(of: "Metering") == Metering.names.functions)
        #expect(try conformance(of: "Recording") == Recording.names.functions)
        #expect(try conformance(of: "Settings") == Settings.names.functions)
        #expect(try conformance(of: "Search") == Search.names.functions)
        #expect(try conformance(of: "Connect") == Connect.names.functions)
        #expect(try conformance(of: "Property") == Property.names.functions)
        #expect(try conformance(of: "Candidate") == Candidate.names.functions)
        #expect(try conformance(of: "Button") == Button.names.functions)
        #expect(try conformance(of: "Service") == Service.names.functions)
    }

    @Test func `the engine's benchmark has the functions of the whole shooting chart`() throws {
        let tally = try conformance(of: "Shooting", in: "Benchmarks/Engine/ShootingTally.swift")
        #expect(tally == Shooting.names.functions)
    }

    /// With UPDATE_GOLDEN=1 in the environment this test writes the golden files again, so that they can be reviewed as
    /// a change.
    @Test(arguments: [
        "button", "candidate", "connect", "connection", "metering", "network", "property", "recording", "search",
        "service",
        "settings", "shooting", "transfer",
    ])
    func `the Swift code that is generated from a chart is the reviewed code`(name: String) throws {
        let source = Self.root.appendingPathComponent("statecharts/\(name).scxml")
        let chart = Chart(reading: try Data(contentsOf: source))
        #expect(chart.diagnostics.isEmpty)
        let lowered = try #require(chart.lowered)
        let text = SwiftEmitter.emit(lowered, source: "statecharts/\(name).scxml", digest: chart.digest)
        let file = Self.golden.appendingPathComponent("\(name).swift.golden")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "the chart changed: UPDATE_GOLDEN=1 ./test")
    }

    @Test func `the compiled chart equals its file`() throws {
        let source = Self.root.appendingPathComponent("statecharts/shooting.scxml")
        #expect(Chart(reading: try Data(contentsOf: source)).digest == Shooting.digest)
    }
}
