import Bodies
import Foundation
import Testing
import Worlds

/// The deliberate bugs of `Mutants/`. These tests show that each bug can still be applied to the sources. `./test
/// --mutants` shows that a test or a rule finds each bug, which takes long.
@Suite struct MutantTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let names: [String] = {
        let folder = root.appending(path: "Mutants").path(percentEncoded: false)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".mutant") }.sorted()
    }()

    /// The header lines of a mutant, by their names.
    private static func head(of name: String) throws -> [String: String] {
        let text = try String(contentsOf: root.appending(path: "Mutants/\(name)"), encoding: .utf8)
        let lines = text.split(separator: "\n").prefix { !$0.hasPrefix("<<<<<<<") }
        return Dictionary(
            lines.compactMap { line in
                line.firstMatch(of: /^([A-Z][a-z-]+): (.+)$/).map { (String($0.output.1), String($0.output.2)) }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test func `there are deliberate bugs, and their numbers are unique`() {
        #expect(Self.names.count >= 15)
        #expect(Set(Self.names.map { $0.prefix(2) }).count == Self.names.count)
    }

    @Test(arguments: names) func `a deliberate bug applies to the present sources`(name: String) throws {
        let apply = Process()
        let errors = Pipe()
        apply.executableURL = Self.root.appending(path: "Mutants/apply")
        apply.arguments = ["--check", "Mutants/\(name)"]
        apply.currentDirectoryURL = Self.root
        apply.standardOutput = FileHandle.nullDevice
        apply.standardError = errors
        try apply.run()
        let failure = try errors.fileHandleForReading.readToEnd() ?? Data()
        apply.waitUntilExit()
        #expect(apply.terminationStatus == 0, "\(String(decoding: failure, as: UTF8.self))")
    }

    @Test(arguments: names) func `a deliberate bug describes the error and the rule that catches it`(
        name: String
    ) throws {
        let head = try Self.head(of: name)
        let bug = try #require(head["Bug"])
        let rule = try #require(head["Caught-by"])
        let seed = try #require(head["Seed"])
        #expect(Invariant(rawValue: rule) != nil, "\(rule) is no invariant")
        let levels = Scenario.Level.allCases.map(\.rawValue)
        let match = try #require(seed.wholeMatch(of: /([0-9]+) --faults ([a-z]+)/), "\(seed)")
        #expect((1...10_000).contains(Int(match.output.1) ?? 0) && levels.contains(String(match.output.2)))
        #expect(head["Maker"].map { BodyMaker.named($0) != nil } ?? true)
        #expect(bug.hasSuffix("."))
    }

    /// The bugs that a test finds: the bug, the test's suite and the test's name. See Mutants/caught-by-tests.tsv.
    private static let caughtByTest: [(bug: String, suite: String, name: String)] = {
        let text = try? String(contentsOf: root.appending(path: "Mutants/caught-by-tests.tsv"), encoding: .utf8)
        return (text ?? "").matches(of: /\n([^#\t\n]+)\t([A-Za-z]+Tests)\t([^\t\n]+)/).map { match in
            (String(match.output.1), String(match.output.2), String(match.output.3))
        }
    }()

    @Test func `each bug that no seed catches is caught by a test`() {
        #expect(Self.caughtByTest.count >= 20)
    }

    @Test(arguments: caughtByTest)
    func `the test that catches a bug exists`(bug: String, suite: String, name: String) throws {
        let tests = Self.root.appending(path: "Tests")
        let folders = try FileManager.default.contentsOfDirectory(atPath: tests.path(percentEncoded: false))
        let files = folders.map { tests.appending(path: "\($0)/\(suite).swift") }
        let texts = files.compactMap { try? String(contentsOf: $0, encoding: .utf8) }
        #expect(texts.contains { $0.contains("func `\(name)`") }, "\(suite) has no such test: \(name)")
    }
}
