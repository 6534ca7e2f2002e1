/// Finds what the parser of TOML cannot bear: at a header whose name begins as no key does, `[&a]`, at a date whose
/// time begins with no digit, `1979-05-27T:`, and at an array that a brace closes, `[}`, it ends the program where it
/// should refuse the text. So they are looked for before.
///
/// Texts, comments and the brackets of values are passed over as TOML 1.0 has them. In what is no TOML this may lose
/// its way, but only behind the place at which the parser stops.
struct TOMLTrapFinder {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    struct Trap: Error {
        /// Counted from 1.
        var line: Int
        var message: String
    }

    /// - Throws: the first of them.
    static func check(_ text: String) throws(Trap) {
        var finder = TOMLTrapFinder(bytes: Array(text.utf8))
        finder.position = text.utf8.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        while finder.position < finder.bytes.count { try finder.passExpression() }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Moves behind a header, or a key and its value, or an empty line.
    private mutating func passExpression() throws(Trap) {
        skipSpace()
        guard take("[") else { return try passKeyAndValue() }
        let hadSpace = skipSpace()
        if !hadSpace, take("[") { skipSpace() }
        // What is left out altogether, the parser says itself.
        if let first = peek, first != UInt8(ascii: "]"), !Self.beginsKey(first) {
            throw Trap(line: line, message: "the name of a section is expected behind '[', as in [camera]")
        }
        passLine()
    }

    /// To behind the end of the line on which no bracket is open.
    private mutating func passKeyAndValue() throws(Trap) {
        var open: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                passText(quote: byte)
                continue
            case UInt8(ascii: "#"):
                while let next = peek, next != Self.lineEnd { position += 1 }
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): open.append(byte)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if byte == UInt8(ascii: "}"), open.last == UInt8(ascii: "[") {
                    throw Trap(line: line, message: "']' is expected here, not '}'")
                }
                _ = open.popLast()
            case UInt8(ascii: "T"), UInt8(ascii: "t"): try checkTime()
            default: break
            }
            advance()
            if byte == Self.lineEnd, open.isEmpty { return }
        }
    }

    /// A `T` behind a date.
    private func checkTime() throws(Trap) {
        let pattern = Array("0000-00-00".utf8)
        let date = bytes[..<position].suffix(pattern.count)
        let fits = zip(date, pattern).allSatisfy { $1 == UInt8(ascii: "-") ? $0 == $1 : Self.isDigit($0) }
        let next = bytes[position...].dropFirst().first
        guard date.count == pattern.count, fits, let next, !Self.isDigit(next) else { return }
        throw Trap(line: line, message: "an hour is expected behind the '\(Unicode.Scalar(bytes[position]))' of a date")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    /// A text of one line ends with its line at the latest, one of several with three quotes, before which up to two
    /// more may stand.
    private mutating func passText(quote: UInt8) {
        let hasEscapes = quote == UInt8(ascii: "\"")
        let isLong = bytes[position...].starts(with: [quote, quote, quote])
        position += isLong ? 3 : 1
        while let byte = peek {
            if isLong ? bytes[position...].starts(with: [quote, quote, quote]) : byte == quote {
                position += isLong ? 3 : 1
                if isLong { for _ in 0..<2 where peek == quote { position += 1 } }
                return
            }
            if byte == Self.lineEnd, !isLong { return }
            advance()
            if hasEscapes, byte == UInt8(ascii: "\\"), peek != nil, isLong || peek != Self.lineEnd { advance() }
        }
    }

    private mutating func passLine() {
        while let byte = peek {
            advance()
            if byte == Self.lineEnd { return }
        }
    }

    private static let lineEnd = UInt8(ascii: "\n")

    private static func beginsKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        default: false
        }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func advance() {
        if bytes[position] == Self.lineEnd { line += 1 }
        position += 1
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Whether there was any.
    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while let byte = peek, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
        return position > start
    }
}
