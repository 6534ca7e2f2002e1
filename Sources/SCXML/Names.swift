/// The rules for names in charts and for the Swift names made from them.
enum Names {
    static let keywords: Set<String> = [
        "as", "associatedtype", "borrowing", "break", "case", "catch", "class", "consuming", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "self", "Self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
        "Any", "Type", "Protocol", "async", "await",
    ]

    /// Names of cases that Swift forbids even in backticks, or that every enum already has.
    static let impossibleCases: Set<String> = ["init", "self", "Self", "Type", "Protocol", "allCases", "none", "some"]

    /// Function names that the generated code or the engine's protocol already uses.
    static let takenFunctions: Set<String> = ["holds", "delay", "perform"]

    /// Whether a text is a Swift identifier of ASCII characters.
    static func isIdentifier(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) }
    }

    /// Whether a text is an event's name or a state's id: tokens with dots between them, and a letter at the start.
    static func isEventName(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { token in
            !token.isEmpty && token.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// Whether a text can be a Swift type, which contains letters, digits and the punctuation marks of types.
    static func isType(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "[") else { return false }
        let marks = Set("._<>[]:?, ".utf8)
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || marks.contains($0) }
    }

    /// The Swift name for a name in a chart: `camera.speedRead` gives `cameraSpeedRead`.
    static func camelCase(_ name: String) -> String {
        let parts = name.split { $0 == "." || $0 == "-" }
        guard let first = parts.first else { return "" }
        return parts.dropFirst().reduce(into: lowerFirst(first)) { $0 += upperFirst($1) }
    }

    /// The name as written in the declaration of an enum case.
    static func declared(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    /// The name of a payload's parameter: the final word of the payload's type. `ShutterSpeed` gives `speed`.
    static func parameter(for type: String) -> String {
        let base = type.hasSuffix("?") ? String(type.dropLast()) : type
        guard base.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }) else { return "value" }
        let last = base.split(separator: ".").last.map(String.init) ?? base
        let start = last.lastIndex { $0.isUppercase } ?? last.startIndex
        let word = last[start...].lowercased()
        return isIdentifier(word) && word.count > 1 && !keywords.contains(word) && word != "effects" ? word : "value"
    }

    static func suggestion(for name: String, among known: some Sequence<String>) -> String {
        let limit = max(1, name.count / 3)
        let length = name.count
        let nearest = known.lazy.filter { abs($0.count - length) <= limit }.map { (distance(name, $0), $0) }
            .filter { $0.0 <= limit }.min { $0 < $1 }
        return nearest.map { " — did you mean '\($0.1)'?" } ?? ""
    }

    /// The advice at the end of a sentence: the most similar known name, or a list of known names if none is similar.
    static func advice(for name: String, among known: [String], _ there: String) -> String {
        let hint = suggestion(for: name, among: known)
        guard hint.isEmpty, !known.isEmpty else { return hint }
        let shown = known.prefix(Self.shownMax).map { "'\($0)'" }.joined(separator: ", ")
        return "; \(there) \(shown)" + (known.count > Self.shownMax ? " …" : "")
    }

    private static let shownMax = 8

    private static func lowerFirst(_ text: Substring) -> String {
        text.prefix(1).lowercased() + text.dropFirst()
    }

    private static func upperFirst(_ text: Substring) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The edit distance of two names: the number of letters to add, remove, change or swap with a neighbour.
    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var rows = [Array(0...right.count)]
        for (index, letter) in left.enumerated() {
            var row = [index + 1]
            for (column, other) in right.enumerated() {
                var best = min(rows[index][column] + (letter == other ? 0 : 1), row[column] + 1)
                best = min(best, rows[index][column + 1] + 1)
                if index > 0, column > 0, letter == right[column - 1], left[index - 1] == other {
                    best = min(best, rows[index - 1][column - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
