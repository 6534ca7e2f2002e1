import Foundation
import Testing

/// The rules of CONTRIBUTING.md for everything that people read.
@Suite struct WordsTests {
    /// The places where a banned word or a long sentence is right, each with the reason.
    private static let exceptions: [(path: String, words: String, reason: String)] = []

    private static let folders = ["Sources", "Tests", "Plugins", "Fuzz", "Benchmarks", "Examples"]

    private static let scripts = ["test", "demo", ".ci/run", "Mutants/apply", "Benchmarks/run"]

    /// Whether the tests read a file. Decisions are a record of their day, fixtures are data, and these tests quote
    /// what they find.
    private static func isRead(_ path: String) -> Bool {
        !path.contains(".build") && !path.hasPrefix("docs/adr") && !path.contains("Fixtures/")
            && !path.hasPrefix("Tests/TidyTests/")
    }

    /// Everything that people read in this package.
    private static func passages() throws -> [Passage] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: SourceFile.root.path)
            .filter { path in
                isRead(path)
                    && (!path.contains("/") || scripts.contains(path)
                        || (folders + ["docs", "deploy", "statecharts"]).contains { path.hasPrefix("\($0)/") })
            }
        return try files.sorted().flatMap { path -> [Passage] in
            let url = SourceFile.root.appending(path: path)
            func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }
            return switch url.pathExtension {
            case "swift": Passage.swift(path, try text())
            case "md": Passage.document(path, try text())
            case "scxml": Passage.chart(path, try text())
            case "toml", "varlink", "py": Passage.script(path, try text())
            default: scripts.contains(path) ? Passage.script(path, try text()) : []
            }
        }
    }

    /// Whether a literal is data. A literal of several lines is SQL, XML or a table. A literal of a test is input or
    /// output.
    private static func isData(_ passage: Passage) -> Bool {
        passage.kind == .text && (passage.words.contains("\n") || passage.path.contains("Tests/"))
    }

    private static func isExcepted(_ passage: Passage) -> Bool {
        exceptions.contains { passage.path.hasPrefix($0.path) && passage.words.contains($0.words) }
    }

    @Test func `comments, texts and documents have no banned word`() throws {
        let passages = try Self.passages()
        #expect(passages.count > 10_000, "few passages were found: this test tests nothing")
        for passage in passages where !Self.isExcepted(passage) {
            for word in passage.sentences.flatMap(BannedWords.found) {
                Issue.record("\(passage.path):\(passage.line): '\(word)' is banned, in: \(passage.words.prefix(120))")
            }
        }
    }

    @Test func `a sentence has at most 25 words, in a program's text 20`() throws {
        for passage in try Self.passages() where !Self.isExcepted(passage) && !Self.isData(passage) {
            let limit = passage.kind == .text ? 20 : 25
            for sentence in passage.sentences where sentence.count > limit {
                let words = sentence.joined(separator: " ")
                Issue.record("\(passage.path):\(passage.line): \(sentence.count) words in a sentence: \(words)")
            }
        }
    }

    @Test func `a long sentence, a banned word and a banned phrase are found`() {
        let source = """
            /// Somebody looks. `nobody`
            func short() {
                print("let go of \\(whom) at once")
            }
            """
        let found = Passage.swift("Example.swift", source).flatMap(\.sentences).flatMap(BannedWords.found)
        #expect(found == ["somebody", "looks", "let go"])
        let long = Passage(kind: .comment, path: "", line: 1, words: String(repeating: "word ", count: 26))
        #expect(long.sentences.map(\.count) == [26])
    }

    /// The last commit that is older than these rules.
    private static let oldCommit = "6c4b539"

    @Test func `the subject of a commit has at most 72 columns`() throws {
        let git = Process()
        git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        git.arguments = ["git", "-C", SourceFile.root.path, "log", "--format=%h %s", "\(Self.oldCommit)..HEAD"]
        let output = Pipe()
        git.standardOutput = output
        git.standardError = FileHandle.nullDevice
        try git.run()
        let log = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        git.waitUntilExit()
        // A package that is not a clone, or is a shallow clone, has no history to check.
        for line in log.split(separator: "\n") {
            let subject = line.drop { $0 != " " }.dropFirst()
            if subject.count > 72 { Issue.record("\(line): \(subject.count) columns") }
        }
    }
}
