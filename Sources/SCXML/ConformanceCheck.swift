import Statecharts

/// A check for unused functions: those in the conformance to a chart's behavior that the chart does not name.
///
/// The Swift compiler reports a missing function, but not an unused one. A reader would assume that an unused function
/// has a purpose. So the conformance is in a separate extension without other content, which the build tool checks:
///
///     extension ShootingModel: ShootingBehavior { … }
public struct ConformanceCheck {
    /// An error in a conformance.
    public struct Finding: Sendable, Equatable {
        /// The position in the source file.
        public var position: SourcePosition
        /// The error and how to correct it.
        public var message: String

        /// `FILE:LINE:COLUMN: error: …`.
        public func line(file: String) -> String {
            "\(file):\(position.line):\(position.column): error: \(message)"
        }
    }

    private let chart: LoweredChart
    private let tokens: [SwiftToken]

    /// The errors that a Swift file has in its conformances to a chart's behavior.
    public static func findings(in source: String, for chart: LoweredChart) -> [Finding] {
        // Most Swift files do not mention the chart.
        guard source.contains("\(chart.names.chart)Behavior") else { return [] }
        var scanner = SwiftScanner(Array(source.utf8))
        return ConformanceCheck(chart: chart, tokens: scanner.tokens()).findings
    }

    private var findings: [Finding] {
        var result: [Finding] = []
        var index = 0
        while index < tokens.count {
            if let body = conformance(at: index) {
                if tokens[index].text == "extension" {
                    result += surplus(in: body)
                } else {
                    let message =
                        "conform to \(behavior) in a separate extension: the check cannot distinguish other functions"
                    result.append(Finding(position: tokens[index].position, message: message))
                }
            }
            index += 1
        }
        return result
    }

    private var behavior: String { "\(chart.names.chart)Behavior" }

    /// The index of the first token in the body of a conformance; nil: no conformance starts at `start`.
    private func conformance(at start: Int) -> Int? {
        guard ["extension", "struct", "enum", "class", "actor"].contains(tokens[start].text) else { return nil }
        var isBehindColon = false
        var conforms = false
        var angles = 0
        for index in tokens.indices.dropFirst(start + 1) {
            switch tokens[index].text {
            case "<": angles += 1
            case ">": angles -= 1
            case ":" where angles == 0: isBehindColon = true
            // Names after `where` are requirements. With this depth, they do not count as conformances.
            case "where": angles = .max / 2
            case behavior where angles == 0: conforms = conforms || isBehindColon
            case "{": return conforms ? index + 1 : nil
            case "}", ";": return nil
            default: break
            }
        }
        return nil
    }

    /// The errors for the functions at the top level of a body that the chart does not name.
    private func surplus(in body: Int) -> [Finding] {
        let known = Set(chart.names.functions)
        var result: [Finding] = []
        var depth = 1
        for index in tokens.indices.dropFirst(body) {
            switch tokens[index].text {
            case "{", "(", "[": depth += 1
            case "}", ")", "]": depth -= 1
            case "func" where depth == 1 && index + 1 < tokens.count && !known.contains(tokens[index + 1].text):
                let name = tokens[index + 1].text
                let hint = Names.suggestion(for: name, among: chart.names.functions)
                let message = "the chart \(chart.names.chart) does not use '\(name)'\(hint)"
                result.append(Finding(position: tokens[index + 1].position, message: message))
            default: break
            }
            if depth == 0 { break }
        }
        return result
    }
}

/// An identifier, keyword or punctuation mark of Swift source. Comments and literals have no tokens.
private struct SwiftToken {
    var text: String
    var position: SourcePosition

}

/// A scanner for the identifiers, keywords and braces of Swift source.
private struct SwiftScanner {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func tokens() -> [SwiftToken] {
        var result: [SwiftToken] = []
        while index < bytes.count {
            let position = SourcePosition(line: line, column: index - lineStart + 1)
            if starts("//") {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { advance() }
            } else if starts("/*") {
                skipComment()
            } else if let hashes = hashesOfLiteral() {
                skipLiteral(hashes: hashes)
            } else if isWord(bytes[index]) {
                let start = index
                while index < bytes.count, isWord(bytes[index]) { advance() }
                result.append(
                    SwiftToken(text: String(decoding: bytes[start..<index], as: UTF8.self), position: position)
                )
            } else {
                let mark = String(decoding: [bytes[index]], as: UTF8.self)
                // Backticks only quote the name between them, so they are not tokens.
                if "{}()[]<>:;".contains(mark) { result.append(SwiftToken(text: mark, position: position)) }
                advance()
            }
        }
        return result
    }

    private mutating func advance() {
        if bytes[index] == UInt8(ascii: "\n") {
            line += 1
            lineStart = index + 1
        }
        index += 1
    }

    private mutating func advance(by count: Int) {
        for _ in 0..<count where index < bytes.count { advance() }
    }

    private func isWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte >= 0x80 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private func starts(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    /// Skips a comment. Comments nest in Swift.
    private mutating func skipComment() {
        var depth = 0
        while index < bytes.count {
            if starts("/*") {
                depth += 1
                advance(by: 2)
            } else if starts("*/") {
                depth -= 1
                advance(by: 2)
                if depth == 0 { return }
            } else {
                advance()
            }
        }
    }

    /// The number of `#` before a string literal that starts here; nil: no literal starts here.
    private func hashesOfLiteral() -> Int? {
        let hashes = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
        let quote = index + hashes
        return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? hashes : nil
    }

    /// Skips a literal. Interpolations count as text. A quote inside an interpolation ends a single-line literal early,
    /// but the next quote starts a literal again. So the result is the same.
    private mutating func skipLiteral(hashes: Int) {
        advance(by: hashes)
        let quotes = starts("\"\"\"") ? 3 : 1
        advance(by: quotes)
        let end = Array((String(repeating: "\"", count: quotes) + String(repeating: "#", count: hashes)).utf8)
        while index < bytes.count {
            if hashes == 0, bytes[index] == UInt8(ascii: "\\") {
                advance(by: 2)
            } else if bytes[index...].starts(with: end) {
                return advance(by: end.count)
            } else if quotes == 1, bytes[index] == UInt8(ascii: "\n") {
                return
            } else {
                advance()
            }
        }
    }
}
