import Controller
import Foundation
import Host
import Testing

/// The texts that `journalctl -x` shows below the daemon's entries.
@Suite struct CatalogTests {
    private struct Entry {
        let id: String
        let headers: [String: String]
        let text: String
    }

    /// The entries in the form in which journald reads them (systemd's "Message Catalogs"): `-- ID`, headers, an empty
    /// line, the text.
    private static func entries() throws -> [Entry] {
        let parts = try Installation.source("bracketd.catalog").split(separator: "\n-- ").dropFirst()
        return try parts.map { part in
            let id = part.prefix { $0 != "\n" }
            let rest = part.dropFirst(id.count + 1)
            let gap = try #require(rest.firstRange(of: "\n\n"), "\(id) has no empty line below its headers")
            let headers = rest[..<gap.lowerBound].split(separator: "\n").map { line in
                let colon = line.firstRange(of: ": ")
                let name = colon.map { String(line[..<$0.lowerBound]) } ?? String(line)
                return (name, colon.map { String(line[$0.upperBound...]) } ?? "")
            }
            return Entry(
                id: String(id),
                headers: Dictionary(headers) { first, _ in first },
                text: String(rest[gap.upperBound...])
            )
        }
    }

    @Test func `every MESSAGE_ID has a text, and every text a MESSAGE_ID`() throws {
        let texts = try Self.entries().map(\.id)
        #expect(texts.sorted() == JournalEntry.Kind.allCases.map(\.messageID).sorted())
    }

    @Test func `every text has its headers and advice`() throws {
        for entry in try Self.entries() {
            #expect(Set(entry.headers.keys) == ["Subject", "Defined-By", "Support"], "\(entry.id)")
            #expect(entry.headers.values.allSatisfy { !$0.isEmpty }, "\(entry.id)")
            let paragraphs = entry.text.split(separator: "\n\n").count
            #expect(paragraphs >= 2, "\(entry.id): what happened, and below it what to do")
        }
    }

    @Test func `every command that a text names exists`() throws {
        let sources = Installation.sources.deletingLastPathComponent().appending(path: "Sources/bracketctl").path
        let programs = try FileManager.default.subpathsOfDirectory(atPath: sources).filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOfFile: "\(sources)/\($0)", encoding: .utf8) }.joined()
        let named = try Installation.source("bracketd.catalog").matches(of: /bracketctl\s([a-z]+)/).map(\.output.1)
        #expect(named.count > 20, "few commands were found: this test tests nothing")
        for command in Set(named) where !programs.contains("commandName: \"\(command)\"") {
            Issue.record("there is no bracketctl \(command)")
        }
    }

    @Test func `the texts fit beside the journal's own margin`() throws {
        for line in try Installation.source("bracketd.catalog").split(separator: "\n") where line.count > 120 {
            Issue.record("\(line.count) columns: \(line)")
        }
        for line in try Self.entries().flatMap({ $0.text.split(separator: "\n") }) where line.count > 86 {
            Issue.record("\(line.count) columns: \(line)")
        }
    }

    @Test func `journald accepts the whole catalog`() throws {
        let installation = try Installation()
        let update = try Command("journalctl", ["--update-catalog", "--root", installation.root])
        #expect(update.isSilentSuccess, "\(update)")
        let list = try Command("journalctl", ["--list-catalog", "--root", installation.root])
        #expect(list.status == 0, "\(list)")
        let listed = list.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
        #expect(listed.sorted() == JournalEntry.Kind.allCases.map(\.messageID).sorted())
        for entry in try Self.entries() {
            let dump = try Command("journalctl", ["--dump-catalog", "--root", installation.root, entry.id])
            #expect(dump.output.contains(entry.text.trimmingCharacters(in: .newlines)), "\(entry.id): \(dump)")
        }
    }
}
