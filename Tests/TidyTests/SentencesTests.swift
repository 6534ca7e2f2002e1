import Foundation
import Testing

/// Tests that texts for users are in the directories `Sentences` of the targets, and that each text has an example.
@Suite struct SentencesTests {
    private static let daemon = [
        "Controller", "Cameras", "PTP", "Exposure", "Flight", "Ledger", "Host", "Interface", "PictureReader",
        "Processes", "Varlink", "ProgramOutput", "bracketd",
    ]

    private static let lists = [
        "Tests/SentenceTests/Golden/sentences.txt", "Tests/BracketctlTests/Golden/sentences.txt",
    ]

    private static let programs = daemon + ["bracketctl", "camerasim"]

    @Test func `each text in a directory Sentences has an example`() throws {
        let lists = try Self.lists.map { path in
            try String(contentsOf: SourceFile.root.appending(path: path), encoding: .utf8)
        }
        let examples = lists.joined(separator: "\n")
        for file in try Self.files(where: { $0.contains("/Sentences/") }) {
            for literal in Self.literals(file) where Self.fixedParts(literal).joined().contains(where: \.isLetter) {
                let pattern = try NSRegularExpression(pattern: Self.pattern(of: literal))
                let isShown =
                    pattern.firstMatch(in: examples, range: NSRange(examples.startIndex..., in: examples)) != nil
                #expect(isShown, "\(file.path): no example of: \(literal)")
            }
        }
    }

    @Test func `whole sentences stand in a directory Sentences`() throws {
        // `camerasim` is a tool for developers: most of its other texts are help.
        for file in try Self.files(where: { !$0.contains("/Sentences/") && !$0.contains("/camerasim/") }) {
            for literal in Self.literals(file, isWhole: true) {
                Issue.record("\(file.path): belongs in a directory Sentences: \(literal)")
            }
        }
    }

    private static func files(where isWanted: (String) -> Bool) throws -> [SourceFile] {
        try SourceFile.all(under: programs.map { "Sources/\($0)" }).filter { isWanted($0.path) }
    }

    /// The calls whose texts are for developers, or stay beside their option.
    private static let stays = ["precondition", "assert", "fatalError"]
    /// Values of cameras that end with a point.
    private static let values = ["Spd Priority Cont."]
    /// The labels of help texts. Such a label may be some lines before its text.
    private static let ofHelp = ["help:", "file:", "abstract:", "discussion:"]

    /// The string literals without their delimiters, and without the ends of continued lines.
    private static func literals(_ file: SourceFile, isWhole: Bool = false) -> [String] {
        let source = file.lines.joined(separator: "\n")
        let bytes = Array(source.utf8)
        let code = BareCode(source)
        return code.prose.compactMap { range, isComment in
            guard !isComment else { return nil }
            let literal = text(String(decoding: bytes[range], as: UTF8.self))
            guard isWhole else { return literal }
            let isSentence = literal.hasSuffix(".") && literal.split(separator: " ").count > 2
            return isSentence && !values.contains(literal) && !mayStay(code.bytes[..<range.lowerBound]) ? literal : nil
        }
    }

    /// - Parameter code: the code before the literal. Earlier literals in it are spaces.
    private static func mayStay(_ code: ArraySlice<UInt8>) -> Bool {
        let before = String(decoding: code.suffix(2000), as: UTF8.self)
        let line = before.components(separatedBy: "\n").last ?? ""
        // A text in several pieces: only spaces and signs stand between its label and the piece.
        let label = before.replacing(/[\s+]+$/, with: "").replacing(/\s*ArgumentHelp\($/, with: "")
        return stays.contains(where: line.contains) || ofHelp.contains(where: label.hasSuffix)
    }

    private static func text(_ literal: String) -> String {
        let bare = literal.trimmingCharacters(in: CharacterSet(charactersIn: "\"#"))
        let joined = bare.replacing(/\\\n\s*/, with: "")
        let lines = joined.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.joined(separator: "\\n")
    }

    /// A pattern that matches the text with any values in its interpolations.
    private static func pattern(of literal: String) -> String {
        fixedParts(literal).map(NSRegularExpression.escapedPattern(for:)).joined(separator: ".*")
    }

    /// The text before, between and after the interpolations.
    private static func fixedParts(_ literal: String) -> [String] {
        var parts = [""]
        var rest = literal[...]
        while let first = rest.first {
            if rest.hasPrefix("\\(") {
                parts.append("")
                rest = rest.dropFirst(2)
                var depth = 1
                while depth > 0, let next = rest.popFirst() { depth += next == "(" ? 1 : next == ")" ? -1 : 0 }
            } else {
                // A sign of the text follows its backslash. The delimiters at the end are cut off already.
                if first == "\\", !rest.hasPrefix("\\n") { rest = rest.dropFirst() }
                if let sign = rest.popFirst() { parts[parts.count - 1].append(sign) }
            }
        }
        return parts
    }
}
