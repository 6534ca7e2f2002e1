/// Finds the headers of tables that the parser of TOML cannot bear: at one whose name begins as no key does, `[&a]`, it
/// ends the program where it should refuse the text. So they are looked for before.
///
/// Texts, comments and the brackets of values are passed over as TOML 1.0 has them. In what is no TOML this may lose
/// its way, but only behind the place at which the parser stops.
struct TOMLHeaderScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    /// The line of the first such header, counted from 1; nil: there is none.
    static func firstBadLine(in text: String) -> Int? {
        var scanner = TOMLHeaderScanner(bytes: Array(text.utf8))
        scanner.position = text.utf8.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        while scanner.position < scanner.bytes.count {
            guard scanner.passExpression() else { return scanner.line }
        }
        return nil
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Moves behind a header, or a key and its value, or an empty line. False: here is a bad header.
    private mutating func passExpression() -> Bool {
        skipSpace()
        guard take("[") else {
            passKeyAndValue()
            return true
        }
        let hadSpace = skipSpace()
        if !hadSpace, take("[") { skipSpace() }
        // What is left out altogether, the parser says itself.
        guard let first = peek, first != UInt8(ascii: "]") else {
            passLine()
            return true
        }
        guard Self.beginsKey(first) else { return false }
        passLine()
        return true
    }

    /// To behind the end of the line on which no bracket is open.
    private mutating func passKeyAndValue() {
        var depth = 0
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                passText(quote: byte)
                continue
            case UInt8(ascii: "#"):
                while let next = peek, next != Self.lineEnd { position += 1 }
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            advance()
            if byte == Self.lineEnd, depth <= 0 { return }
        }
    }

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
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
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
