import Foundation

/// A passage that people read.
struct Passage {
    enum Kind {
        case comment
        /// A string literal. An interpolation counts as one word.
        case text
        case document
        /// The sentence that names a test.
        case testName
    }

    let kind: Kind
    let path: String
    /// The line where it begins, counted from 1.
    let line: Int
    let words: String

    /// The words of each sentence. The text between backticks is one word. A colon, a semicolon, a parenthesis and the
    /// border of a cell also end a sentence.
    var sentences: [[Substring]] {
        var sentences: [[Substring]] = [[]]
        var isCode = false
        for word in words.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" }) {
            if word == "|" {
                sentences.append([])
                continue
            }
            if word.hasPrefix("("), !isCode { sentences.append([]) }
            let wasCode = isCode
            if word.utf8.count(where: { $0 == UInt8(ascii: "`") }) % 2 == 1 { isCode.toggle() }
            if !wasCode { sentences[sentences.count - 1].append(word.utf8.contains(UInt8(ascii: "`")) ? "`" : word) }
            let end = word.utf8.last { !"\"'`*".utf8.contains($0) }
            if !isCode, let end, ".!?:;)".utf8.contains(end) { sentences.append([]) }
        }
        return sentences.filter { !$0.isEmpty }
    }
}

extension Passage {
    /// The comments, the string literals and the names of tests in a Swift file.
    static func swift(_ path: String, _ source: String) -> [Passage] {
        let code = BareCode(source)
        let bytes = Array(source.utf8)
        var (line, index) = (1, 0)
        func lineNumber(of place: Int) -> Int {
            line += bytes[index..<place].count { $0 == UInt8(ascii: "\n") }
            index = place
            return line
        }
        let passages = code.prose.map { range, isComment in
            let text = String(decoding: bytes[range], as: UTF8.self)
            return Passage(
                kind: isComment ? .comment : .text,
                path: path,
                line: lineNumber(of: range.lowerBound),
                words: isComment ? uncommented(text) : plain(text)
            )
        }
        return joined(passages.filter { $0.kind == .comment }) + passages.filter { $0.kind == .text }
            + testNames(path, source)
    }

    /// The comments of a script, a configuration or an interface definition.
    static func script(_ path: String, _ source: String) -> [Passage] {
        joined(
            source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
                let line = line.drop { $0 == " " }
                guard line.hasPrefix("#"), !line.hasPrefix("#!") else { return nil }
                return Passage(kind: .comment, path: path, line: index + 1, words: uncommented(line))
            }
        )
    }

    /// The comments of a chart.
    static func chart(_ path: String, _ source: String) -> [Passage] {
        source.matches(of: #/<!--(.*?)-->/#.dotMatchesNewlines()).map { match in
            let line = 1 + source[..<match.range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") }
            return Passage(kind: .comment, path: path, line: line, words: String(match.output.1))
        }
    }

    /// The paragraphs, the items of lists and the rows of tables of a document, without its code.
    static func document(_ path: String, _ source: String) -> [Passage] {
        var isCode = false
        var lines: [Passage] = []
        for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
            let words = isCode || line.hasPrefix("    ") ? "" : line.trimmingCharacters(in: .whitespaces)
            lines.append(Passage(kind: .document, path: path, line: index + 1, words: words))
        }
        return joined(lines)
    }

    /// Joins consecutive lines into one passage. A passage ends at an empty line, a heading, an item of a list or a
    /// row.
    private static func joined(_ lines: [Passage]) -> [Passage] {
        var passages: [Passage] = []
        var end = 0
        for next in lines where !next.words.isEmpty {
            let begins = ["- ", "* ", "#", "|", ">"].contains { next.words.hasPrefix($0) }
            if next.line == end + 1, !begins, let before = passages.popLast() {
                let words = "\(before.words) \(next.words)"
                passages.append(Passage(kind: next.kind, path: next.path, line: before.line, words: words))
            } else {
                passages.append(next)
            }
            end = next.line
        }
        return passages
    }

    private static func uncommented(_ text: some StringProtocol) -> String {
        String(text.drop { "/#* ".contains($0) })
    }

    /// The text of a literal, in which a word stands for each interpolation.
    private static func plain(_ literal: String) -> String {
        var words = ""
        var (depth, isEscaped) = (0, false)
        for character in literal where character != "#" && character != "\"" {
            switch (depth, isEscaped, character) {
            case (0, true, "("): depth = 1
            case (0, true, _): words.append(" ")
            case (0, false, "\\"): break
            case (0, false, _): words.append(character)
            case (_, _, "("): depth += 1
            case (1, _, ")"):
                depth = 0
                words.append("`")
                words.append("`")
            case (_, _, ")"): depth -= 1
            default: break
            }
            isEscaped = !isEscaped && character == "\\"
        }
        return words
    }

    private static func testNames(_ path: String, _ source: String) -> [Passage] {
        guard path.contains("Tests/") else { return [] }
        return source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard let begin = line.range(of: "func `"), let end = line[begin.upperBound...].firstIndex(of: "`") else {
                return nil
            }
            return Passage(kind: .testName, path: path, line: index + 1, words: String(line[begin.upperBound..<end]))
        }
    }
}
