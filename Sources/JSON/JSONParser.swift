/// Why bytes are not acceptable JSON.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset of the byte at which reading stopped.
    package var offset: Int
    /// The error, or what was expected.
    package var reason: String

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    package var description: String { "byte \(offset): \(reason)" }
}

extension JSONValue {
    /// The maximum nesting depth of arrays and objects.
    package static let depthMax = 32

    /// Reads one JSON value (RFC 8259) with only white space around it.
    ///
    /// Rejects some values that the standard allows: nesting deeper than ``depthMax``, repeated member names (readers
    /// would treat them differently), numbers outside `Int64` and `Double`, the character U+0000.
    package init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
        var parser = JSONParser(bytes: Array(bytes))
        self = try parser.parseDocument()
    }
}

/// A top-down JSON parser that reads each byte once.
private struct JSONParser {
    let bytes: [UInt8]
    var offset = 0
    var depth = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func parseDocument() throws(JSONError) -> JSONValue {
        let value = try parseValue()
        skipSpace()
        guard offset == bytes.count else { throw fault("the value is followed by other text") }
        return value
    }

    private mutating func parseValue() throws(JSONError) -> JSONValue {
        skipSpace()
        guard let byte = peek() else { throw fault("expected a value, found the end of the message") }
        switch byte {
        case UInt8(ascii: "{"): return try nested { (parser) throws(JSONError) in try parser.parseObject() }
        case UInt8(ascii: "["): return try nested { (parser) throws(JSONError) in try parser.parseArray() }
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parse(word: "true", as: .bool(true))
        case UInt8(ascii: "f"): return try parse(word: "false", as: .bool(false))
        case UInt8(ascii: "n"): return try parse(word: "null", as: .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
        default: throw fault("expected a value")
        }
    }

    private mutating func nested(
        _ parse: (inout JSONParser) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONValue {
        guard depth < JSONValue.depthMax else { throw fault("nested deeper than \(JSONValue.depthMax)") }
        depth += 1
        let value = try parse(&self)
        depth -= 1
        return value
    }

    private mutating func parseObject() throws(JSONError) -> JSONValue {
        offset += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard peek() == UInt8(ascii: "\"") else { throw fault("expected a member name") }
            let start = offset
            let name = try parseString()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw fault("expected ':'") }
            let value = try parseValue()
            guard members.updateValue(value, forKey: name) == nil else {
                throw JSONError(offset: start, reason: "the member \"\(name)\" occurs twice")
            }
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw fault("expected ',' or '}'") }
        }
    }

    private mutating func parseArray() throws(JSONError) -> JSONValue {
        offset += 1
        var values: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(values) }
        while true {
            values.append(try parseValue())
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { throw fault("expected ',' or ']'") }
        }
    }

    private mutating func parse(word: StaticString, as value: JSONValue) throws(JSONError) -> JSONValue {
        let matches = word.withUTF8Buffer { bytes[offset...].starts(with: $0) }
        guard matches else { throw fault("expected a value") }
        offset += word.utf8CodeUnitCount
        return value
    }

    private mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = offset
        _ = take(UInt8(ascii: "-"))
        let leadingZero = peek() == UInt8(ascii: "0")
        let whole = skipDigits()
        guard whole > 0, !(leadingZero && whole > 1) else { throw fault("expected a number") }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            guard skipDigits() > 0 else { throw fault("expected a digit") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isInteger = false
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard skipDigits() > 0 else { throw fault("expected a digit") }
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .int(value) }
        guard !isInteger, let value = Double(text), value.isFinite else {
            throw JSONError(offset: start, reason: "the number is too large")
        }
        return .double(value)
    }

    private mutating func parseString() throws(JSONError) -> String {
        let start = offset
        offset += 1
        var text: [UInt8] = []
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw JSONError(offset: start, reason: "the string is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): try parseEscape(into: &text)
            case 0..<0x20: throw fault("a control character inside a string")
            default:
                text.append(byte)
                offset += 1
            }
        }
        throw JSONError(offset: start, reason: "the string has no end")
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws(JSONError) {
        offset += 1
        guard let byte = peek() else { throw fault("the string has no end") }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            text.append(contentsOf: String(Character(try parseUnicodeEscape())).utf8)
            return
        default: throw fault("an unknown escape")
        }
        offset += 1
    }

    /// Reads `u` and four digits. After the first half of a surrogate pair, it also reads the second half.
    private mutating func parseUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let start = offset
        var code = try parseHexadecimal()
        if 0xD800...0xDBFF ~= code, take(UInt8(ascii: "\\")), peek() == UInt8(ascii: "u") {
            let low = try parseHexadecimal()
            guard 0xDC00...0xDFFF ~= low else { throw JSONError(offset: start, reason: "half a surrogate pair") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard code != 0 else { throw JSONError(offset: start, reason: "the character U+0000 is not allowed") }
        guard let scalar = Unicode.Scalar(code) else {
            throw JSONError(offset: start, reason: "half a surrogate pair")
        }
        return scalar
    }

    private mutating func parseHexadecimal() throws(JSONError) -> UInt32 {
        let digits = bytes[(offset + 1)...].prefix(4)
        guard digits.count == 4, digits.allSatisfy(Self.isHexadecimal),
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("expected four hexadecimal digits") }
        offset += 5
        return code
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        offset += 1
        return true
    }

    private mutating func skipDigits() -> Int {
        let start = offset
        while let byte = peek(), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
        return offset - start
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private func fault(_ reason: String) -> JSONError { JSONError(offset: offset, reason: reason) }
}
