import Testing

@testable import Varlink

struct JSONTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0.5", "1.0", "9223372036854775807", "-9223372036854775808", "\"\"",
        #""a\"b\\c\n\t\r""#, "[]", "[1,[2,[]]]", "{}", #"{"a":1,"b":{"c":[null]}}"#, #""30″ ü 😀""#,
    ])
    func `written values are read back, and written the same again`(text: String) throws {
        #expect(try JSONValue(parsing: text.utf8).description == text)
    }

    @Test func `members are written in order of their names`() throws {
        #expect(try JSONValue(parsing: #" { "b" : 1 , "a" : 2 } "#.utf8).description == #"{"a":2,"b":1}"#)
    }

    @Test func `escapes are read`() throws {
        let value = try JSONValue(parsing: #""\u0041\u00fc\uD83D\uDE00\/\b\f""#.utf8)
        #expect(value == .string("Aü😀/\u{8}\u{C}"))
        #expect(value.description == #""Aü😀/\u0008\u000c""#)
    }

    @Test func `a number is an integer if it is written as one`() throws {
        #expect(try JSONValue(parsing: "5".utf8) == .int(5))
        #expect(try JSONValue(parsing: "5.0".utf8) == .double(5))
        #expect(try JSONValue(parsing: "5e0".utf8) == .double(5))
        #expect(JSONValue.int(5).doubleValue == 5)
        #expect(JSONValue.double(5).intValue == nil)
    }

    @Test(arguments: [
        ("", "byte 0: expected a value, found the end of the message"),
        ("{", "byte 1: expected a member name"),
        (#"{"a"}"#, "byte 4: expected ':'"),
        (#"{"a":1,}"#, "byte 7: expected a member name"),
        (#"{"a":1,"a":2}"#, #"byte 7: the member "a" occurs twice"#),
        ("[1 2]", "byte 3: expected ',' or ']'"),
        ("[1,]", "byte 3: expected a value"),
        ("tru", "byte 0: expected a value"),
        ("nullx", "byte 4: the value is followed by other text"),
        ("01", "byte 2: expected a number"),
        ("-", "byte 1: expected a number"),
        ("1.", "byte 2: expected a digit"),
        ("1e+", "byte 3: expected a digit"),
        ("1e999", "byte 0: the number is too large"),
        ("9223372036854775808", "byte 0: the number is too large"),
        ("NaN", "byte 0: expected a value"),
        ("\"a", "byte 0: the string has no end"),
        ("\"\u{1}\"", "byte 1: a control character inside a string"),
        (#""\x""#, "byte 2: an unknown escape"),
        (#""\u12g4""#, "byte 2: expected four hexadecimal digits"),
        (#""\u+123""#, "byte 2: expected four hexadecimal digits"),
        (#""\uD800""#, "byte 2: half a surrogate pair"),
        (#""\uD800\u0041""#, "byte 2: half a surrogate pair"),
        (#""\u0000""#, "byte 2: the character U+0000 is not allowed"),
    ])
    func `a fault is reported with its place`(text: String, message: String) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text.utf8) }
        #expect(error?.description == message)
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
            #expect(throws: JSONError(offset: 0, reason: "the string is not UTF-8")) { try JSONValue(parsing: bytes) }
        }
    }

    @Test func `nesting is accepted up to its bound and not beyond`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONValue(parsing: nested(JSONValue.depthMax).utf8)
        #expect(throws: JSONError(offset: JSONValue.depthMax, reason: "nested deeper than \(JSONValue.depthMax)")) {
            try JSONValue(parsing: nested(JSONValue.depthMax + 1).utf8)
        }
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 250_000).utf8) }
    }

    @Test func `an unprintable character is written as an escape, and read back unchanged`() throws {
        let text = "a\r\n\u{1B}\u{7F}\u{9B}\u{202E}\u{200B}\u{2028}\u{E0041}é30″"
        let encoded = JSONValue.string(text).encoded()
        let expected = #""a\r\n\u001b\u007f\u009b\u202e\u200b\u2028\udb40\udc41é30″""#
        #expect(String(decoding: encoded, as: UTF8.self) == expected)
        #expect(try JSONValue(parsing: encoded) == .string(text))
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `random bytes and damaged texts are refused or read`(seed: UInt64) throws {
        var random = Random(state: seed)
        let text = Array(#"{"method":"io.bracketd.Plan","parameters":{"plan":{"frames":5,"spacing":1.5}}}"#.utf8)
        for _ in 0..<200 {
            var bytes = text
            for _ in 0..<Int(random.next() % 4) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() % 256)
            }
            bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
            guard let value = try? JSONValue(parsing: bytes) else { continue }
            // A value that was read can be written, and reading the result gives the same value.
            #expect(try JSONValue(parsing: value.encoded()) == value)
        }
    }
}

/// A SplitMix64 generator for random numbers (Steele, Lea, Flood 2014).
struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
