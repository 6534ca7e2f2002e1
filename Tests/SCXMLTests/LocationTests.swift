import SCXML
import Testing

/// Assignable locations, and values as JSON.
@Suite struct LocationTests {
    @Test(arguments: [
        ("x", "1", "5", "5"), ("x", "{\"a\":1}", "[]", "[]"), ("x.y", "{}", "5", "{\"y\":5}"),
        ("x['y z']", "{\"a\":1}", "true", "{\"a\":1,\"y z\":true}"), ("x.y", "{\"y\":1}", "null", "{\"y\":null}"),
        ("x.y.z", "{\"y\":{\"a\":1}}", "2", "{\"y\":{\"a\":1,\"z\":2}}"), ("x[0]", "[1,2]", "9", "[9,2]"),
        ("x[2]", "[1,2]", "3", "[1,2,3]"), ("x[3]", "[1]", "4", "[1,null,null,4]"), ("x['1']", "[1,2]", "9", "[1,9]"),
        ("x[x.length]", "[1]", "2", "[1,2]"), ("x[k]", "{}", "1", "{\"key\":1}"), ("x[0]", "{}", "1", "{\"0\":1}"),
        ("x[0].a[1]", "[{\"a\":[1]}]", "2", "[{\"a\":[1,2]}]"), ("x.length", "[1,2,3]", "1", "[1]"),
        ("x.length", "[1]", "3", "[1,null,null]"), ("(x)", "1", "2", "2"),
        ("x[1.5 * 2]", "[0,0,0,0]", "1", "[0,0,0,1]"),
    ])
    func `an assignment changes its location`(text: String, before: String, value: String, after: String) throws {
        var variables = Variables(["x": try ScriptValue(json: before), "k": .string("key")])
        let location = try ScriptLocation(text)
        try location.assign(try ScriptValue(json: value), in: &variables)
        #expect(variables.values["x"]?.json == after)
        #expect(variables.values["k"] == .string("key"))
        if !text.contains("length") { #expect(try location.value(in: variables).json == value) }
    }

    @Test(arguments: [
        // These are not locations.
        "1", "'x'", "x +", "foo()", "x.push(1)", "x = 1", "", "return", "true", "undefined", "[1][0]", "{}.a", "-x",
        "x y",
        "a ? x : y", "x++", "In('idle')", "this",
        // The variable or the member is missing.
        "absent", "absent.x", "x.none.y", "x[absent]", "x.none.y.z", "u.a", "n.a",
        // The value has no members, or not these members.
        "count.a", "text.a", "text[0]", "text.length", "list.a", "list[-1]", "list[0.5]", "list[10001]", "list[1e300]",
        "list[999999999]", "list.length",
        // These are system variables.
        "_event", "_event.data", "_event['name']", "_name", "_sessionid", "_ioprocessors", "_x", "_x.y",
    ])
    func `an invalid assignment throws and changes nothing`(text: String) throws {
        var variables = Variables([
            "x": .object([:]), "u": .undefined, "n": .null, "count": .number(1), "text": .string("abc"),
            "list": .array([.null]), "_event": .object(["name": .string("e")]), "_name": .string("chart"),
            "_sessionid": .string("s"), "_ioprocessors": .object([:]), "_x": .object([:]),
        ])
        let before = variables.values
        let location = try ScriptLocation(text)
        #expect(location.text == text)
        #expect(throws: ScriptError.self) { try location.assign(.string("-1"), in: &variables) }
        #expect(variables.values == before)
    }

    @Test(arguments: ["x", "1", "absent", "_event.data.x", "x.y.z"])
    func `reading a location without value throws or gives undefined`(text: String) throws {
        let variables = Variables(["x": .undefined, "_event": .object(["data": .object([:])])])
        let location = try ScriptLocation(text)
        if text == "x" || text == "_event.data.x" {
            #expect(try location.value(in: variables) == .undefined)
        } else {
            #expect(throws: ScriptError.self) { try location.value(in: variables) }
        }
    }

    @Test(arguments: ["f().x", "x[f()]", "x[y = 1]", "x[`a`]", "function () {}", "x?.y", "x[a, b]"])
    func `a location with an unsupported feature is refused`(text: String) {
        #expect(throws: UnsupportedSyntax.self) { try ScriptLocation(text) }
    }

    @Test func `the maximum index of an array is 10,000`() throws {
        var variables = Variables(["x": .array([])])
        try ScriptLocation("x[10000]").assign(.number(1), in: &variables)
        #expect(try variables.value("x.length") == .number(10_001))
        #expect(throws: ScriptError.self) { try ScriptLocation("x[10001]").assign(.null, in: &variables) }
        #expect(throws: ScriptError.self) { try ScriptLocation("x.length").assign(.number(.nan), in: &variables) }
    }

    @Test func `a scope may refuse an assignment`() throws {
        struct Constants: MutableScriptScope {
            func value(of name: String) -> ScriptValue? { .number(1) }
            func isActive(_ state: String) -> Bool { false }
            mutating func set(_ name: String, to value: ScriptValue) throws(ScriptError) {
                throw ScriptError("'\(name)' is constant")
            }
        }
        var constants = Constants()
        let error = #expect(throws: ScriptError.self) { try ScriptLocation("x").assign(.null, in: &constants) }
        #expect(error?.message == "'x' is constant")
    }
}

// MARK: - JSON

extension LocationTests {
    private static let read: [(String, ScriptValue)] = [
        ("true", .boolean(true)), ("1", .number(1)), ("0", .number(0)), ("false", .boolean(false)), ("null", .null),
        ("1.5e3", .number(1500)), ("\"a\\u00e9\\n\"", .string("aé\n")),
        ("[true,1]", .array([.boolean(true), .number(1)])),
        ("{\"b\":{},\"a\":[]}", .object(["a": .array([]), "b": .object([:])])), (" [ ] ", .array([])),
        ("\"[[[\"", .string("[[[")), ("\"\\\"[\"", .string("\"[")),
    ]

    @Test(arguments: read) func `JSON distinguishes true and 1`(text: String, expected: ScriptValue) throws {
        #expect(try ScriptValue(json: text) == expected)
    }

    @Test(arguments: ["", "x", "{", "[1", "{'a':1}", "1 2", "undefined", "NaN", "\"a", "{a:1}", "]", "hello world"])
    func `invalid JSON is refused`(text: String) {
        #expect(throws: ScriptError.self) { try ScriptValue(json: text) }
    }

    @Test func `JSON is bounded in depth and size`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try ScriptValue(json: nested(128)).json == nested(128))
        #expect(throws: ScriptError.self) { try ScriptValue(json: nested(130)) }
        #expect(throws: ScriptError.self) { try ScriptValue(json: nested(200_000)) }
        #expect(throws: ScriptError.self) {
            try ScriptValue(json: "\"" + String(repeating: "a", count: 1_000_001) + "\"")
        }
    }

    private static let written: [(ScriptValue, String)] = [
        (.undefined, "null"), (.number(1), "1"), (.number(-0.0), "0"), (.number(1.5), "1.5"), (.number(.nan), "null"),
        (.number(.infinity), "null"), (.string("a\"\n"), #""a\"\n""#), (.boolean(true), "true"),
        (.number(9_007_199_254_740_991), "9007199254740991"),
        (.array([.undefined, .null, .string("")]), #"[null,null,""]"#),
        (.object(["b": .number(1), "a": .undefined, "B": .null, "c": .array([])]), #"{"B":null,"b":1,"c":[]}"#),
    ]

    @Test(arguments: written) func `JSON is written with sorted keys and without unsupported values`(
        value: ScriptValue,
        text: String
    ) {
        #expect(value.json == text)
    }
}
