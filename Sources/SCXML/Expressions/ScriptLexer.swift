/// The reason why a text cannot be parsed.
enum ScriptSyntaxFailure: Error {
    /// The text is not ECMAScript. This is an error only when the text is evaluated.
    case malformed(String)
    /// The text is valid ECMAScript, but the language does not support it.
    case unsupported(UnsupportedSyntax)

    /// Returns the error that every later use of a malformed text throws. Throws at once for unsupported syntax.
    func kept(for text: String, as noun: String) throws(UnsupportedSyntax) -> ScriptError {
        switch self {
        case .malformed(let reason): return ScriptError("\(text.quotedShort) is not a valid \(noun): \(reason)")
        case .unsupported(let error): throw error
        }
    }
}

enum ScriptToken: Equatable {
    case end
    /// An identifier or a reserved word.
    case name(String)
    case number(Double)
    /// A string literal whose escape sequences are resolved.
    case string(String)
    /// A punctuator such as `(` or `===`.
    case mark(String)

    /// The token's name in a message.
    var description: String {
        switch self {
        case .end: "the end"
        case .name(let name): name.quotedShort
        case .number(let value): "the number \(ScriptNumber.text(value))"
        case .string: "a string"
        case .mark(let mark): "'\(mark)'"
        }
    }
}

/// A lexer that splits text into tokens, one at a time (ECMAScript 5.1, section 7).
struct ScriptLexer {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private(set) var tokenStart = 0

    /// A lexer for a text. Throws if the text is longer than 64 KiB.
    init(_ text: String) throws(ScriptSyntaxFailure) {
        guard text.utf8.count <= ScriptLimits.textLengthMax else {
            throw .unsupported(UnsupportedSyntax(feature: "an expression of more than 64 KiB"))
        }
        scalars = Array(text.unicodeScalars)
    }

    func text(from start: Int, to end: Int) -> String { String(String.UnicodeScalarView(scalars[start..<end])) }

    /// Whether a character occurs after the current token on the same line.
    func hasAhead(_ scalar: Unicode.Scalar) -> Bool {
        scalars[position...].prefix { !Self.isLineEnd($0) }.contains(scalar)
    }

    /// The next token. Throws if the text starts no token, if a string is not closed, or if a literal is not supported.
    mutating func next() throws(ScriptSyntaxFailure) -> ScriptToken {
        try skipSpace()
        tokenStart = position
        guard let first = peek() else { return .end }
        if Self.isNameStart(first) { return .name(name()) }
        if Self.isDigit(first) || (first == "." && peek(1).map(Self.isDigit) == true) { return try number() }
        if first == "'" || first == "\"" { return try string(closedBy: first) }
        if let mark = mark() { return .mark(mark) }
        if first == "`", scalars[(position + 1)...].contains("`") { throw unsupported("a template literal") }
        if first == "\\", peek(1) == "u" { throw unsupported("an escape in a name") }
        throw .malformed("unexpected '\(first)'")
    }

    private func unsupported(_ feature: String) -> ScriptSyntaxFailure {
        .unsupported(UnsupportedSyntax(feature: feature))
    }

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }
}

// MARK: - White space, names and marks

extension ScriptLexer {
    /// Whether a character is white space or a line terminator (ECMAScript 5.1, 7.2 and 7.3).
    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\u{0B}", "\u{0C}", "\u{FEFF}": true
        default: isLineEnd(scalar) || scalar.properties.generalCategory == .spaceSeparator
        }
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "$" || scalar == "_" || scalar.properties.isIDStart
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "$" || scalar.properties.isIDContinue || scalar == "\u{200C}" || scalar == "\u{200D}"
    }

    private mutating func skipSpace() throws(ScriptSyntaxFailure) {
        while let scalar = peek() {
            if Self.isSpace(scalar) {
                position += 1
            } else if scalar == "/", peek(1) == "/" {
                while let next = peek(), !Self.isLineEnd(next) { position += 1 }
            } else if scalar == "/", peek(1) == "*" {
                position += 2
                while peek() != "*" || peek(1) != "/" {
                    guard peek() != nil else { throw .malformed("a comment is not closed") }
                    position += 1
                }
                position += 2
            } else {
                return
            }
        }
    }

    private mutating func name() -> String {
        let start = position
        while let scalar = peek(), Self.isNamePart(scalar) { position += 1 }
        return text(from: start, to: position)
    }

    private static let marks: NameSet = [
        "{", "}", "(", ")", "[", "]", ";", ",", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "?", ":",
        "=", ".", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
        "|=", "^=", "<<", ">>", "**", "...", "===", "!==", ">>>", "<<=", ">>=", "**=", "&&=", "||=", "??=", ">>>=",
    ]

    /// Reads the longest punctuator at this position; nil: there is none.
    private mutating func mark() -> String? {
        for length in stride(from: min(4, scalars.count - position), to: 0, by: -1) {
            let candidate = text(from: position, to: position + length)
            guard Self.marks.contains(candidate) else { continue }
            // In `a?.5:b` the `?` is the conditional operator, and `.5` is a number.
            if candidate == "?.", peek(2).map(Self.isDigit) == true { continue }
            position += length
            return candidate
        }
        return nil
    }
}

// MARK: - Numbers and strings

extension ScriptLexer {
    private mutating func number() throws(ScriptSyntaxFailure) -> ScriptToken {
        if peek() == "0", let second = peek(1), "oObB0123456789_".unicodeScalars.contains(second) {
            throw unsupported("a number that begins with '0\(second)'")
        }
        let literal =
            ScriptNumber.hexadecimal(in: scalars, at: position) ?? ScriptNumber.decimal(in: scalars, at: position)
        guard let literal else { throw .malformed("a number is not complete") }
        position = literal.end
        if let next = peek() {
            let endsThere = peek(1).map(Self.isNamePart) != true
            if next == "_" || (next == "n" && endsThere) { throw unsupported("a number with '\(next)'") }
            if Self.isNamePart(next) || next == "\\" { throw .malformed("'\(next)' directly follows a number") }
        }
        return .number(literal.value)
    }

    /// Parses a string literal. It collects UTF-16 code units, because escape sequences give code units.
    private mutating func string(closedBy quote: Unicode.Scalar) throws(ScriptSyntaxFailure) -> ScriptToken {
        position += 1
        var units: [UInt16] = []
        while let scalar = peek() {
            position += 1
            switch scalar {
            case quote: return .string(String(decoding: units, as: UTF16.self))
            case "\\": try escape(into: &units)
            case "\n", "\r": throw .malformed("a string is not closed on its line")
            default: units += UTF16.encode(scalar).map(Array.init) ?? []
            }
        }
        throw .malformed("a string is not closed")
    }

    private static let simpleEscapes: [Unicode.Scalar: UInt16] = [
        "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13,
    ]

    /// Parses an escape sequence after its backslash (ECMAScript 5.1, 7.8.4).
    private mutating func escape(into units: inout [UInt16]) throws(ScriptSyntaxFailure) {
        guard let scalar = peek() else { throw .malformed("a string is not closed") }
        position += 1
        if let unit = Self.simpleEscapes[scalar] {
            units.append(unit)
        } else if scalar == "x" {
            units.append(try hexadecimal(digits: 2))
        } else if scalar == "u", peek() == "{" {
            throw unsupported("the escape '\\u{…}'")
        } else if scalar == "u" {
            units.append(try hexadecimal(digits: 4))
        } else if Self.isLineEnd(scalar) {
            if scalar == "\r", peek() == "\n" { position += 1 }
        } else if Self.isDigit(scalar) {
            guard scalar == "0", peek().map(Self.isDigit) != true else { throw unsupported("an octal escape") }
            units.append(0)
        } else {
            units += UTF16.encode(scalar).map(Array.init) ?? []
        }
    }

    private mutating func hexadecimal(digits count: Int) throws(ScriptSyntaxFailure) -> UInt16 {
        let end = position + count
        guard end <= scalars.count, scalars[position..<end].allSatisfy(\.properties.isASCIIHexDigit),
            let value = UInt16(text(from: position, to: end), radix: 16)
        else { throw .malformed("an escape is not complete") }
        position = end
        return value
    }
}
