import Foundation
import Testing

/// Tests the references between documents, and from documents to programs.
@Suite struct DocumentTests {
    /// A link of a Markdown document to a path in this package.
    private struct Link {
        let document: String
        let target: String

        /// The file or folder, without the anchor.
        var url: URL {
            let path = target.prefix { $0 != "#" }
            return SourceFile.root.appending(path: document).deletingLastPathComponent().appending(path: path)
        }
    }

    private static func documents() throws -> [String] {
        let docs = try FileManager.default.subpathsOfDirectory(atPath: SourceFile.root.appending(path: "docs").path)
        let outside = ["README.md", "CONTRIBUTING.md", "Examples/TrafficLight/README.md"]
        return outside + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }

    /// All links `[text](target)`, except web addresses and anchors in the same document.
    private static func links() throws -> [Link] {
        try documents().flatMap { document in
            let text = try String(contentsOf: SourceFile.root.appending(path: document), encoding: .utf8)
            return text.matches(of: /\]\(([^)\s]+)\)/).map { Link(document: document, target: String($0.output.1)) }
        }.filter { !$0.target.contains("://") && !$0.target.hasPrefix("#") && !$0.target.hasPrefix("mailto:") }
    }

    @Test func `every link in the documents points to a file`() throws {
        let links = try Self.links()
        #expect(links.contains { $0.document == "README.md" }, "no links were found: this test tests nothing")
        for link in links where !FileManager.default.fileExists(atPath: link.url.path) {
            Issue.record("\(link.document): \(link.target) leads nowhere")
        }
    }

    @Test func `every test suite that a document names exists`() throws {
        let tests = SourceFile.root.appending(path: "Tests")
        let folders = [tests, SourceFile.root.appending(path: "Fuzz/Tests")]
        let files = try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
                .map { folder.appending(path: $0) }
        }
        let sources = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let suites = Set(sources.matches(of: /(?:struct|class) (\w+Tests)\b/).map { String($0.output.1) })
        let targets = try Set(FileManager.default.contentsOfDirectory(atPath: tests.path))
        let named = try Self.documents().flatMap { document in
            let text = try String(contentsOf: SourceFile.root.appending(path: document), encoding: .utf8)
            return text.matches(of: /`(\w+Tests)`/).map { (document, String($0.output.1)) }
        }
        #expect(!named.isEmpty, "no suites were found: this test tests nothing")
        for (document, name) in named where !suites.contains(name) && !targets.contains(name) {
            Issue.record("\(document) names \(name), which is not a suite")
        }
    }

    @Test func `all programs have the same version`() throws {
        let versions = try ["Sources/Controller/Version.swift", "Sources/ProgramOutput/ProgramVersion.swift"].map {
            path in
            let text = try String(contentsOf: SourceFile.root.appending(path: path), encoding: .utf8)
            let match = text.firstMatch(of: /static let current = "([^"]+)"/)
            return String(try #require(match, "\(path) has no version").output.1)
        }
        #expect(Set(versions).count == 1, "\(versions)")
    }
}
