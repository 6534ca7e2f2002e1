import Foundation
import SCXML
import Testing

/// The expression language, compared with ECMAScript 5.1.
@Suite struct ExpressionTests {
    private static let values: [(String, String)] = [
        // Literals
        ("1", "1"), ("1.5", "1.5"), (".5", "0.5"), ("5.", "5"), ("2e3", "2000"), ("25E-1", "2.5"), ("0x1F", "31"),
        ("0xffffffffffffffff", "18446744073709552000"), ("'a'", #""a""#), (#""it's""#, #""it's""#), ("''", #""""#),
        ("true", "true"), ("null", "null"), ("undefined", "undefined"), ("Infinity", "Infinity"), ("1e999", "Infinity"),
        (#"'\n\t\\\'\"\0\x41\u00e9'"#, #""\n\t\\'\"\u0000Aé""#), (#"'\uD83D\uDE00'"#, #""😀""#), (#"'\q'"#, #""q""#),
        ("'a\\\nb\\\r\nc'", #""abc""#), ("'é😀'", #""é😀""#), ("[]", "[]"), ("[1, 'a',]", #"[1,"a"]"#),
        ("[,1]", "[null,1]"), ("[,1][0]", "undefined"), ("[,].length", "1"), ("{}", "{}"),
        ("{a: 1, 'b c': [2], 3: {}, if: null,}", #"{"3":{},"a":1,"b c":[2],"if":null}"#), ("{a: 1, a: 2}", #"{"a":2}"#),
        ("/* one */ 1 // two", "1"), (" \t\r\n\u{A0}\u{FEFF}1 ", "1"),
        // Variables and members
        ("count", "3"), ("$d", #""dollar""#), ("größe", "7"), ("_event.data.speed", "125"),
        ("_event['name']", #""camera.idle""#), ("list[1]", #""b""#), ("list['1']", #""b""#), ("list[1e0]", #""b""#),
        ("list.length", "2"), ("list[9]", "undefined"), ("list['01']", "undefined"), ("list[-1]", "undefined"),
        ("list[1e300]", "undefined"), ("list[NaN]", "undefined"), ("list[0.5]", "undefined"),
        ("list.none", "undefined"),
        ("_event[undefined]", "undefined"), ("_event.data.none", "undefined"), ("'abc'.length", "3"),
        ("'😀'.length", "2"), ("'abc'[2]", #""c""#), ("'abc'[3]", "undefined"), ("count.x", "undefined"),
        ("true.x", "undefined"), ("1.5.x", "undefined"), ("[1, 2][1]", "2"), ("{a: {b: 1}}.a.b", "1"),
        ("{if: 5}.if", "5"), ("_event.data['sp' + 'eed']", "125"), ("[[1]] [0]\n[0]", "1"),
        // Operators
        ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("7 % 4", "3"), ("-7 % 4", "-3"), ("7 - 2 - 1", "4"),
        ("7 - (2 - 1)", "6"),
        ("8 / 4 / 2", "1"), ("1 / 0", "Infinity"), ("- - 1", "1"), ("-count", "-3"), ("+'12'", "12"),
        ("!count", "false"),
        ("!!''", "false"), ("void count", "undefined"), ("~5", "-6"), ("5 & 3 | 8 ^ 1", "9"), ("1 << 33", "2"),
        ("-1 >>> 0", "4294967295"), ("-8 >> 1", "-4"), ("4294967297 | 0", "1"), ("1e300 | 0", "0"), ("NaN >>> 0", "0"),
        ("-4294967297 | 0", "-1"), ("2147483648 | 0", "-2147483648"), ("1 << -1", "-2147483648"), ("-1.5 | 0", "-1"),
        ("1 < 2 == true", "true"), ("1 || 2 && 0", "1"), ("0 || 'x'", #""x""#), ("0 && absent", "0"),
        ("1 || absent", "1"), ("1 && 2 && 3", "3"), ("0 || '' || null", "null"), ("null && 1 || 2", "2"),
        ("true ? 1 : absent", "1"), ("false ? absent : 1", "1"), ("false ? 1 : true ? 2 : 3", "2"),
        ("(false ? 1 : 0) ? 'a' : 'b'", #""b""#), ("true?.5:1", "0.5"), ("'name' in _event", "true"),
        ("1 in list", "true"), ("2 in list", "false"), ("'length' in list", "true"), ("'x' in {}", "false"),
        // typeof
        ("typeof absent", #""undefined""#), ("typeof (absent)", #""undefined""#), ("typeof undefined", #""undefined""#),
        ("typeof null", #""object""#), ("typeof []", #""object""#), ("typeof {}", #""object""#),
        ("typeof 1", #""number""#),
        ("typeof ''", #""string""#), ("typeof !1", #""boolean""#), ("typeof typeof 1", #""string""#),
        ("typeof _event.nothing === 'undefined'", "true"),
        // In
        ("In('idle')", "true"), (#"In("idle")"#, "true"), ("In('nosuch')", "false"), ("In(undefined)", "false"),
        ("!In('idle') || In('id' + 'le')", "true"),
    ]

    @Test(arguments: values)
    func `an expression has the same value as in ECMAScript`(text: String, expected: String) throws {
        let value = try Variables.usual.value(text)
        // JSON cannot represent these values.
        let isOutsideJSON = value == .undefined || value == .number(.infinity)
        #expect((isOutsideJSON ? value.text : value.json) == expected)
    }

    private static let truths = [
        // Strings and numbers
        "'a' + 1 === 'a1'", "1 + 2 + 'a' === '3a'", "'a' + 1 + 2 === 'a12'", "1 + '2' === '12'",
        "'3' - 1 === 2", "'3' * '4' === 12", "true + 1 === 2", "null + 1 === 1", "'' + null === 'null'",
        "'' + undefined === 'undefined'", "'' + true === 'true'", "[1, [2, 3], null] + '' === '1,2,3,'",
        "{} + '' === '[object Object]'", "[] + [] === ''", "[1] + 1 === '11'", "+[] === 0", "+[7] === 7",
        "'b' > 'a'", "'10' < '9'", "'10' > 9", "'a' < 'ab'", "!('a' < 'a')", "'a' <= 'a'", "'Z' < 'a'",
        "!('a' < 1)", "!('a' >= 1)", "null >= 0", "!(undefined >= 0)", "!(NaN <= NaN)", "2 >= true",
        "'\\uFF61' > '😀'", "[2] > 1",
        // ToNumber of strings
        "+'' === 0", "+' \\n 12 ' === 12", "+'0x1f' === 31", "+'1e3' === 1000", "+'-1.5' === -1.5",
        "+'.5' === 0.5", "+'5.' === 5", "+'Infinity' === Infinity", "+'-Infinity' === -Infinity",
        "+'+1' === 1", "-'' === 0", "+'\\uFEFF\\u2028' === 0", "+true === 1",
        // == and ===
        "1 == '1'", "1 !== '1'", "0 == ''", "0 == false", "'1' == true", "'true' != true",
        "null == undefined", "null !== undefined", "null != 0", "undefined != false", "NaN != NaN",
        "NaN !== NaN", "0 === -0", "[1] == 1", "'1,2' == [1, 2]", "[] == false", "[0] == false",
        "{} != '{}'", "{} == '[object Object]'", "'a' === \"a\"", "'a' !== 'A'", "null == null",
        "undefined === undefined", "'\\u00e9' !== 'e\\u0301'", "'\\u00e9' != 'e\\u0301'", "[null] == 0",
        "list === list", "[1] !== [2]", "[] != {}", "true === true", "'' != null",
    ]

    @Test(arguments: truths) func `coercion follows ECMAScript`(text: String) throws {
        #expect(try Variables.usual.value(text) == .boolean(true))
    }

    @Test(arguments: ["x", "-", "1 2", "1e", "0x", "inf", "nan", "infinity", "0x1p3", "--1", "- 1", "1_0", "+0x1", "."])
    func `a string that is not a number is NaN`(text: String) throws {
        guard case .number(let number) = try Variables.usual.value("+'\(text)'") else {
            Issue.record("not a number at all")
            return
        }
        #expect(number.isNaN)
    }

    private static let numbers: [(Double, String)] = [
        (0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (100, "100"), (1.5, "1.5"), (0.1 + 0.2, "0.30000000000000004"),
        (9_007_199_254_740_992, "9007199254740992"), (1e20, "100000000000000000000"), (1e21, "1e+21"),
        (1.25e25, "1.25e+25"), (0x1p67, "147573952589676410000"), (0.000001, "0.000001"),
        (0.0000001, "1e-7"), (1.5e-7, "1.5e-7"), (.leastNonzeroMagnitude, "5e-324"), (.nan, "NaN"),
        (-.infinity, "-Infinity"),
        (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (0.00001234, "0.00001234"), (1e5, "100000"),
    ]

    @Test(arguments: numbers) func `numbers are printed as ECMAScript prints them`(number: Double, text: String) {
        #expect(ScriptValue.number(number).text == text)
    }

    private static let empty: [ScriptValue] = [
        .undefined, .null, .boolean(false), .number(0), .number(-0.0), .number(.nan), .string(""),
    ]

    @Test(arguments: empty) func `an empty value is false`(value: ScriptValue) {
        #expect(!value.isTruthy)
    }

    @Test(arguments: [.boolean(true), .number(-1), .string("0"), .array([]), .object([:])] as [ScriptValue])
    func `a value that is not empty is true`(value: ScriptValue) {
        #expect(value.isTruthy)
    }

    @Test func `only a single name is an identifier`() throws {
        #expect(try ScriptExpression(" mayRetry ").identifier == "mayRetry")
        for text in ["!mayRetry", "a.b", "undefined", "true", "In('a')", "1", "return", "", "a + b"] {
            #expect(try ScriptExpression(text).identifier == nil, "\(text)")
        }
    }
}

// MARK: - Errors

extension ExpressionTests {
    @Test(arguments: [
        "absent", "absent.x", "1 + absent", "_event.nothing.x", "undefined.x", "null[0]", "_event.data.speed.x.y",
        "typeof absent.x", "[absent]", "{a: absent}", "In(absent)", "In", "!absent", "list[absent]", "'a' in 'abc'",
        "1 in undefined", "undefined && 1 || absent",
    ])
    func `an expression without a value throws`(text: String) throws {
        let expression = try ScriptExpression(text)
        #expect(throws: ScriptError.self) { try expression.value(in: Variables.usual) }
    }

    private static let malformed = [
        "", "  ", "/* */", "return", "return 1", "1 +", ")", "(", "(1", "[1", "{a", "{a:", "{a:1", "1 2", "a b", "'abc",
        "\"abc", "'a\nb'", "'\\x1'", "'\\u12'", "'\\", "a.", "a.1", "a[", "a[]", "a[1", "1 = 2", "a ? b", "a ? : b",
        "a ? b :", "#", "@", "a;", ";", ",", "a,", "if", "if (x) y", "var x", "x.push(", "f(1", "f(,)", "&& a", "a &&",
        "1e", "0x", "1abc", "3in []", "/* open", "`open", "/open", "!", "typeof", "new", "function", "1++", "++1",
        "a b c()",
        "f() +", "in", "a in", "()", "{1}", "{'a'}", "{if}", "...a", "1 => 2", "\\", "💡", "a.💡", "a = ", "= 1",
        "x = = 1", "case", "a ! b", "a === = b", "not a", "a and b", "1..", "a..b", "{,}", "[1 2]", "delete", "1null",
        "function.x", "class(",
    ]

    @Test(arguments: malformed) func `text that is not an expression is stored and throws when evaluated`(
        text: String
    ) throws {
        let expression = try ScriptExpression(text)
        #expect(expression.text == text)
        #expect(throws: ScriptError.self) { try expression.value(in: Variables.usual) }
    }

    private static let foreign = [
        ("function () {}", "a function"), ("function f(x) { return x }", "a function"), ("class {}", "a class"),
        ("x => x", "a function with '=>'"), ("() => 1", "a function with '=>'"), ("(a) => 1", "a function with '=>'"),
        ("new Date()", "the operator 'new'"), ("new Foo", "the operator 'new'"), ("`a`", "a template literal"),
        ("/a+/", "a regular expression"), ("/a/.test(x)", "a regular expression"), ("/=/", "a regular expression"),
        ("Math.random()", "the call 'Math.random(…)'"), ("x.push(1)", "the call 'x.push(…)'"),
        ("f()", "the call 'f(…)'"),
        ("x['a'](1, 2)", "the call 'x['a'](…)'"), ("In()", "the call 'In(…)'"), ("In('a', 'b')", "the call 'In(…)'"),
        ("In('a')()", "the call 'In('a')(…)'"), ("x++", "the operator '++'"), ("--x", "the operator '--'"),
        ("x = 1", "the assignment '=' within an expression"), ("x.y += 1", "the assignment '+=' within an expression"),
        ("a, b", "the comma operator"), ("delete x.y", "the operator 'delete'"), ("a ?? b", "the operator '??'"),
        ("a?.b", "the operator '?.'"), ("a?.[0]", "the operator '?.'"), ("a ** b", "the operator '**'"),
        ("a instanceof Array", "the operator 'instanceof'"), ("this.x", "'this'"),
        ("[...a]", "the spread operator '...'"),
        ("f(...a)", "the spread operator '...'"), ("{...a}", "the spread operator '...'"),
        ("{a}", "a key without a value"),
        ("{[a]: 1}", "a computed key"), ("{f() {}}", "a method"), ("{get x() {}}", "a getter or setter"),
        ("010", "a number that begins with '01'"), ("0b1", "a number that begins with '0b'"),
        ("1n", "a number with 'n'"),
        ("1_000", "a number with '_'"), ("'\\1'", "an octal escape"), ("'\\u{61}'", "the escape '\\u{…}'"),
        ("\\u0061", "an escape in a name"),
    ]

    @Test(arguments: foreign) func `an unsupported feature is refused while parsing`(
        text: String,
        feature: String
    ) {
        let error = #expect(throws: UnsupportedSyntax.self) { try ScriptExpression(text) }
        #expect(error?.feature == feature)
        #expect(error?.description.hasPrefix("\(feature) is not supported: ") == true)
    }

    @Test func `messages name the text, shortened, and the reason`() throws {
        let error = #expect(throws: ScriptError.self) { try Variables.usual.value("1 + return") }
        #expect(error?.message == "'1 + return' is not a valid expression: unexpected 'return'")
        let long = #expect(throws: ScriptError.self) {
            try Variables.usual.value(String(repeating: "a ", count: 10_000))
        }
        #expect((long?.message.count ?? .max) < 150)
    }
}

/// Variables in a dictionary. The only active state is `idle`.
struct Variables: MutableScriptScope {
    var values: [String: ScriptValue]

    static let usual = Variables([
        "count": .number(3), "$d": .string("dollar"), "größe": .number(7),
        "list": .array([.string("a"), .string("b")]),
        "_event": .object(["name": .string("camera.idle"), "data": .object(["speed": .number(125)])]),
    ])

    init(_ values: [String: ScriptValue]) {
        self.values = values
    }

    func value(of name: String) -> ScriptValue? { values[name] }
    func isActive(_ state: String) -> Bool { state == "idle" }

    mutating func set(_ name: String, to value: ScriptValue) throws(ScriptError) {
        values[name] = value
    }

    /// The value of an expression that uses these variables.
    func value(_ text: String) throws -> ScriptValue { try ScriptExpression(text).value(in: self) }
}
