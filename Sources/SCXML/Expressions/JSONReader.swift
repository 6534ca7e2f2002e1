/// A strict JSON parser (RFC 8259).
struct JSONReader {
    private let bytes: [UInt8]
    private var index = 0

    /// Parses a text. Throws if the text is not JSON or nests too deeply.
    static func value(of bytes: [UInt8]) throws(ScriptError) -> ScriptValue {
        // Valid UTF-8 in the whole text means valid UTF-8 in every string.
        guard String(validating: bytes, as: UTF8.self) != nil else { throw ScriptError("it is not UTF-8") }
        var reader = Self(bytes: bytes)
        reader.skipSpace()
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.error("text follows the value") }
        return value
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func error(_ problem: String) -> ScriptError { ScriptError("byte \(index): \(problem)") }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
    }

    /// Skips a byte and the white space after it. Returns false if the next byte is another one.
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        skipSpace()
        return true
    }

    private mutating func value(depth: Int) throws(ScriptError) -> ScriptValue {
        switch next.map(Unicode.Scalar.init) {
        case "{": return try object(depth)
        case "[": return try array(depth)
        case "\"": return .string(try string())
        case "t": return try word("true", .boolean(true))
        case "f": return try word("false", .boolean(false))
        case "n": return try word("null", .null)
        case nil: throw error("expected a value, found the end of the text")
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: ScriptValue) throws(ScriptError) -> ScriptValue {
        let isThere = word.withUTF8Buffer { bytes[index...].starts(with: $0) }
        guard isThere else { throw error("expected a value") }
        index += word.utf8CodeUnitCount
        return value
    }

    private mutating func array(_ depth: Int) throws(ScriptError) -> ScriptValue {
        try enter("[", depth)
        var elements: [ScriptValue] = []
        if skipClosing("]") { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if skipClosing("]") { return .array(elements) }
            guard skip(",") else { throw error("expected ',' or ']'") }
        }
    }

    private mutating func object(_ depth: Int) throws(ScriptError) -> ScriptValue {
        try enter("{", depth)
        var members: NameTable<ScriptValue> = [:]
        if skipClosing("}") { return .object(members) }
        while true {
            guard next == UInt8(ascii: "\"") else { throw error("expected a member name") }
            let start = index
            let name = try string()
            guard members[name] == nil else {
                index = start
                throw error("the member \(name.quotedShort) occurs twice")
            }
            skipSpace()
            guard skip(":") else { throw error("expected ':'") }
            members[name] = try value(depth: depth + 1)
            skipSpace()
            if skipClosing("}") { return .object(members) }
            guard skip(",") else { throw error("expected ',' or '}'") }
        }
    }

    private mutating func enter(_ bracket: Unicode.Scalar, _ depth: Int) throws(ScriptError) {
        guard depth < ScriptLimits.valueDepthMax else {
            throw error("arrays and objects nest deeper than \(ScriptLimits.valueDepthMax)")
        }
        _ = skip(bracket)
    }

    /// Skips the closing bracket of an array or object, but not the white space after it.
    private mutating func skipClosing(_ bracket: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: bracket) else { return false }
        index += 1
        return true
    }
}

// MARK: - Numbers and strings

extension JSONReader {
    private mutating func number() throws(ScriptError) -> Double {
        let start = index
        if next == UInt8(ascii: "-") { index += 1 }
        let first = next
        let whole = digits()
        guard whole == 1 || (whole > 1 && first != UInt8(ascii: "0")) else {
            index = start
            throw error(whole == 0 ? "expected a value" : "a number begins with 0")
        }
        if next == UInt8(ascii: ".") {
            index += 1
            guard digits() > 0 else { throw error("expected a digit") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            guard digits() > 0 else { throw error("expected a digit") }
        }
        guard let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)), value.isFinite else {
            index = start
            throw error("a number is too large")
        }
        return value
    }

    private mutating func digits() -> Int {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index - start
    }

    private mutating func string() throws(ScriptError) -> String {
        index += 1
        var text: [UInt8] = []
        var start = index
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += bytes[start..<index]
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += bytes[start..<index]
                index += 1
                text += Array(String(try escaped()).utf8)
                start = index
            case 0..<0x20: throw error("a control character in a string")
            default: index += 1
            }
        }
        throw error("a string is not closed")
    }

    /// Parses an escape sequence after its backslash.
    private mutating func escaped() throws(ScriptError) -> Unicode.Scalar {
        let simple: [UInt8: Unicode.Scalar] = [
            UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
            UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
        ]
        guard let byte = next else { throw error("a string is not closed") }
        if let scalar = simple[byte] {
            index += 1
            return scalar
        }
        guard byte == UInt8(ascii: "u") else { throw error("an unknown escape") }
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // The code unit is a high surrogate, so a low surrogate must follow.
        guard first < 0xDC00, next == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "u")
        else { throw error("half of a surrogate pair") }
        index += 1
        let second = try codeUnit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw error("half of a surrogate pair") }
        return scalar
    }

    /// Parses the letter `u` and four hexadecimal digits.
    private mutating func codeUnit() throws(ScriptError) -> UInt16 {
        let end = index + 5
        guard end <= bytes.count, bytes[index + 1..<end].allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let unit = UInt16(String(decoding: bytes[index + 1..<end], as: UTF8.self), radix: 16)
        else { throw error("an escape is not complete") }
        index = end
        return unit
    }
}
