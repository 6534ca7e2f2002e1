import Foundation
import SCXML
import Testing

/// Valid JSON (RFC 8259) and similar invalid texts.
@Suite struct JSONReaderTests {
    private static let read: [(String, ScriptValue)] = [
        ("-0", .number(-0.0)), ("1E+2", .number(100)), ("0.5e-1", .number(0.05)), (" {} ", .object([:])),
        (#""\ud83d\ude00\u00e9\/\b\f\n\r\t\"\\""#, .string("😀é/\u{8}\u{C}\n\r\t\"\\")),
        ("{\"\": [[], {\"a\": null}]}", .object(["": .array([.array([]), .object(["a": .null])])])),
        ("\"\u{7F}\u{2028}\"", .string("\u{7F}\u{2028}")), ("\t[1 ,\r\n2]", .array([.number(1), .number(2)])),
    ]

    @Test(arguments: read) func `valid JSON is read`(text: String, expected: ScriptValue) throws {
        #expect(try ScriptValue(json: text) == expected)
    }

    @Test(
        arguments: [
            ("[1,]", "byte 3: expected a value"), ("{\"a\":1,}", "byte 7: expected a member name"),
            ("{\"a\":1,\"a\":2}", "byte 7: the member 'a' occurs twice"), ("[,1]", "byte 1: expected a value"),
            ("[1 2]", "byte 3: expected ',' or ']'"), ("{\"a\" 1}", "byte 5: expected ':'"),
            ("{\"a\":1 \"b\":2}", "byte 7: expected ',' or '}'"), ("01", "byte 0: a number begins with 0"),
            ("1.", "byte 2: expected a digit"), (".5", "byte 0: expected a value"),
            ("+1", "byte 0: expected a value"), ("-", "byte 0: expected a value"),
            ("1e", "byte 2: expected a digit"), ("0x10", "byte 1: text follows the value"),
            ("1e999", "byte 0: a number is too large"), ("\"\u{1}\"", "byte 1: a control character in a string"),
            (#""\x""#, "byte 2: an unknown escape"), (#""\u12"#, "byte 2: an escape is not complete"),
            (#""\ud800""#, "half of a surrogate pair"), (#""\udc00\ud800""#, "half of a surrogate pair"),
            (#""\ud800\u0041""#, "half of a surrogate pair"), ("\"a", "byte 2: a string is not closed"),
            ("\u{FEFF}1", "byte 0: expected a value"), ("\u{A0}1", "byte 0: expected a value"),
            ("1 // one", "byte 2: text follows the value"), ("tru", "byte 0: expected a value"),
            ("[1", "byte 2: expected ',' or ']'"), ("", "byte 0: expected a value, found the end of the text"),
        ]
    )
    func `invalid JSON is refused with its position`(text: String, problem: String) throws {
        let error = #expect(throws: ScriptError.self) { try ScriptValue(json: text) }
        #expect(error?.message.contains(" is not JSON: ") == true)
        #expect(error?.message.hasSuffix(problem) == true, "\(String(describing: error?.message))")
    }

    @Test func `events and journals that are not UTF-8 are refused`() throws {
        let bytes = Data(#"[{"name":"a"#.utf8) + [0xFF] + Data(#""}]"#.utf8)
        let refusal = #expect(throws: RunScript.Refusal.self) { try RunScript.read(bytes) }
        #expect(refusal?.message.hasSuffix("it is not UTF-8") == true)
        let journal = Data("{\"replay\":1,\"digest\":\"\",\"source\":\"s\"}\n".utf8)
        #expect(throws: Never.self) { try RunJournal.Recording(reading: journal) }
        let (before, after) = (Data(#"{"at":1,"input":"a"#.utf8), Data("\"}\n".utf8))
        #expect(throws: Never.self) { try RunJournal.Recording(reading: journal + before + after) }
        let error = #expect(throws: RunJournal.Refusal.self) {
            try RunJournal.Recording(reading: journal + before + [0xFF] + after)
        }
        #expect(error?.message.hasSuffix("it is not UTF-8") == true)
    }

    @Test(arguments: [#"[{"name":"e"},]"#, #"[{"name":"e","name":"f"}]"#])
    func `events in a similar syntax are refused`(text: String) {
        #expect(throws: RunScript.Refusal.self) { try RunScript.read(Data(text.utf8)) }
    }
}
