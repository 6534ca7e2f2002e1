import Foundation
import Testing

/// Compares `docs/glossary.md` with the interface.
@Suite struct GlossaryTests {
    /// The names in backticks in the fourth column of the glossary's tables of six columns.
    private static func named() throws -> Set<String> {
        let text = try String(contentsOf: SourceFile.root.appending(path: "docs/glossary.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").map { $0.split(separator: "|", omittingEmptySubsequences: false) }
        let cells = rows.filter { $0.count == 8 }.map { $0[4] }
        return Set(cells.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.output.1) } })
    }

    /// Every type, method, error and field of `io.bracketd`.
    private static func exported() throws -> Set<String> {
        let file = SourceFile.root.appending(path: "Sources/Interface/io.bracketd.varlink")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let code = lines.map { $0.prefix { $0 != "#" } }.joined(separator: "\n")
        let members = code.matches(of: /\b(?:type|method|error) (\w+)/).map { String($0.output.1) }
        return Set(members + code.matches(of: /(\w+):/).map { String($0.output.1) })
    }

    @Test func `each exported name of the interface is in the glossary`() throws {
        let exported = try Self.exported()
        #expect(exported.count > 150, "few names were found: this test tests nothing")
        #expect(exported.subtracting(try Self.named()).sorted() == [])
    }
}
