import Foundation
import Testing

/// Keeps a list of every text of the shipped programs, so that a reviewer sees them side by side and a change shows.
@Suite struct MessageListTests {
    private static let parts = [
        "Controller", "Cameras", "Exposure", "PTP", "Flight", "Ledger", "Host", "Varlink", "Interface", "PictureReader",
        "ProgramOutput", "bracketd", "bracketd-exif", "bracketctl", "camerasim",
    ]

    private static let list = SourceFile.root.appending(path: "Tests/TidyTests/Golden/messages.txt")

    /// Where a text is for a developer or for another program.
    private static let notForUsers = [
        "precondition", "assert", "fatalError", "SELECT ", "INSERT ", "UPDATE ", "CREATE ", "ALTER ", "DELETE ",
        "PRAGMA ", "DROP ",
    ]

    @Test func `the list of messages is up to date`() throws {
        let messages = try Self.parts.map { part in
            let files = try SourceFile.all(under: ["Sources/\(part)"]).map { file in
                let texts = Self.messages(in: file.lines.joined(separator: "\n"))
                return texts.isEmpty ? "" : "\n\(file.path)\n" + texts.map { "- \($0)\n" }.joined()
            }
            return "# \(part)\n" + files.joined()
        }.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try messages.write(to: Self.list, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOf: Self.list, encoding: .utf8)
        let difference = messages.components(separatedBy: "\n").difference(from: kept.components(separatedBy: "\n"))
        for change in difference {
            switch change {
            case .insert(_, let line, _): Issue.record("not in the list: \(line)")
            case .remove(_, let line, _): Issue.record("not in the sources: \(line)")
            }
        }
    }

    /// The string literals of three words or more, with `{value}` for an interpolation.
    private static func messages(in source: String) -> [String] {
        let bytes = Array(source.utf8)
        return BareCode(source).prose.compactMap { range, isComment in
            guard !isComment else { return nil }
            let start = bytes[..<range.lowerBound].lastIndex(of: UInt8(ascii: "\n")) ?? 0
            let line = String(decoding: bytes[start..<range.upperBound], as: UTF8.self)
            let literal = String(decoding: bytes[range], as: UTF8.self)
            guard !notForUsers.contains(where: line.contains) else { return nil }
            let words = literal.split { " \n".contains($0) }.joined(separator: " ")
            guard words.split(separator: " ").count > 2, words.contains(where: \.isLetter) else { return nil }
            return words.trimmingCharacters(in: CharacterSet(charactersIn: "\"#")).trimmingCharacters(in: .whitespaces)
        }
    }
}
