import Foundation
import SCXML
import Testing

/// Tests that the evaluation of any text ends with a value or an error. It never traps, and its memory is bounded.
@Suite struct ExpressionBoundsTests {
    private static func nested(_ depth: Int, _ open: String, _ close: String, around inner: String = "1") -> String {
        String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }

    private static let brackets = [
        ("(", ")"), ("[", "]"), ("{a:", "}"), ("!", ""), ("- ", ""), ("typeof ", ""), ("list[", "]"), ("In(", ")"),
        ("1?", ":2"), ("0?1:", ""), ("0||1&&1|1^1&1==1<1<<1+1*(", ")"),
    ]

    @Test(arguments: brackets) func `at most 64 levels nest`(open: String, close: String) throws {
        _ = try Variables.usual.value(Self.nested(64, open, close))
        let error = #expect(throws: UnsupportedSyntax.self) { try ScriptExpression(Self.nested(65, open, close)) }
        #expect(error?.feature == "an expression that nests deeper than 64")
        #expect(throws: UnsupportedSyntax.self) { try ScriptExpression(Self.nested(5_000, open, close)) }
    }

    @Test func `the deepest nesting fits into half of a default stack`() throws {
        let finished = DispatchSemaphore(value: 0)
        let thread = Thread {
            for (open, close) in Self.brackets {
                if let expression = try? ScriptExpression(Self.nested(64, open, close)) {
                    _ = try? expression.value(in: Variables.usual)
                }
            }
            finished.signal()
        }
        thread.stackSize = 4 * 1024 * 1024
        thread.start()
        finished.wait()
    }

    @Test(arguments: [("1+", "1", "16001"), ("1&&", "2", "2"), ("''||", "3", "3"), ("1==", "1", "true")])
    func `a row of operators may be as long as the text`(item: String, last: String, expected: String) throws {
        #expect(try Variables.usual.value(String(repeating: item, count: 16_000) + last).json == expected)
    }

    @Test func `a path of members may be as long as the text`() throws {
        let path = "count" + String(repeating: ".x", count: 30_000)
        #expect(throws: ScriptError.self) { try Variables.usual.value(path) }
        var variables = Variables.usual
        let location = try ScriptLocation(path)
        #expect(throws: ScriptError.self) { try location.assign(.null, in: &variables) }
        #expect(throws: UnsupportedSyntax.self) { try ScriptExpression("x" + String(repeating: "=x", count: 30_000)) }
        #expect(throws: UnsupportedSyntax.self) { try ScriptExpression(String(repeating: "new ", count: 15_000) + "x") }
    }

    @Test func `the length of a text is bounded`() throws {
        _ = try ScriptExpression("'" + String(repeating: "a", count: 65_534) + "'")
        let error = #expect(throws: UnsupportedSyntax.self) {
            try ScriptExpression("'" + String(repeating: "a", count: 65_535) + "'")
        }
        #expect(error?.feature == "an expression of more than 64 KiB")
        #expect(throws: UnsupportedSyntax.self) { try ScriptLocation(String(repeating: "a", count: 65_537)) }
    }

    @Test(arguments: ["x + x", "[x, x]", "{a: x, b: x}", "[x] + [x]", "{left: [x], right: [x]}"])
    func `a value that doubles repeatedly gives an error`(text: String) throws {
        var variables = Variables(["x": .string("0123456789")])
        let (location, expression) = (try ScriptLocation("x"), try ScriptExpression(text))
        let error = #expect(throws: ScriptError.self) {
            for _ in 0..<100 { try location.assign(try expression.value(in: variables), in: &variables) }
        }
        #expect(error?.message.contains("1000000") == true)
        #expect(variables.values["x"]?.json.isEmpty == false)
    }

    @Test(arguments: ["[x]", "{a: x}"]) func `a value that nests repeatedly gives an error`(text: String) throws {
        var variables = Variables(["x": .null])
        let (location, expression) = (try ScriptLocation("x"), try ScriptExpression(text))
        #expect(throws: ScriptError.self) {
            for _ in 0..<1_000 { try location.assign(try expression.value(in: variables), in: &variables) }
        }
        #expect(variables.values["x"]?.json.count ?? 0 > 128)
    }

    @Test(arguments: ["x.a", "x.a.b"]) func `a value assigned into itself gives an error`(text: String) throws {
        var variables = Variables(["x": try ScriptValue(json: #"{"a":{}}"#)])
        let (location, expression) = (try ScriptLocation(text), try ScriptExpression("x"))
        #expect(throws: ScriptError.self) {
            for _ in 0..<1_000 { try location.assign(try expression.value(in: variables), in: &variables) }
        }
    }

    private static let tokens =
        #"""
        x list _event absent In In('idle') 'a' "b" 1 0 1e308 0x7fffffff 1e-320 .5 NaN Infinity null undefined true \
        ( ) [ ] { } : , . ? + - * / % ! ~ < > <= >= == === != !== && || & | ^ << >> >>> typeof void in new delete = => \
        ++ ... ?. ' " ` \\ /* // .length .data [0] return function é 😀 @ ;
        """#.split(separator: " ").map(String.init) + ["\n", " ", "\u{301}", "\0", "\u{2028}"]

    @Test(arguments: 1...40 as ClosedRange<UInt64>) func `no sequence of tokens causes a trap`(seed: UInt64) {
        var random = Numbers(seed: seed)
        var evaluated = 0
        for _ in 0..<250 {
            var text = ""
            for _ in 0..<(1 + random.below(14)) { text += random.pick(Self.tokens) + random.pick([" ", ""]) }
            var variables = Variables.usual
            if let expression = try? ScriptExpression(text), let value = try? expression.value(in: variables) {
                evaluated += value.text.isEmpty && value.json.isEmpty ? 0 : 1
            }
            if let location = try? ScriptLocation(text) { try? location.assign(.number(1), in: &variables) }
        }
        #expect(evaluated > 0, "no soup was an expression: this test tests little")
    }

    private static let operators = "|| && | ^ & == != === !== < <= > >= in << >> >>> + - * / %".split(separator: " ")
    private static let values: [ScriptValue] = [
        .undefined, .null, .boolean(true), .number(.nan), .number(-.infinity), .number(1e308), .number(-0.0),
        .number(.leastNonzeroMagnitude), .number(4_294_967_296), .number(-2_147_483_649), .string(""),
        .string("1e400"), .string("😀"), .array([]), .array([.undefined, .array([.null])]), .object([:]),
        .object(["a": .number(.nan)]),
    ]

    @Test(arguments: operators) func `no two values cause an operator to trap`(operation: Substring) throws {
        let expressions = try ["x \(operation) y", "-(x \(operation) y)", "x[y]"].map { try ScriptExpression($0) }
        let locations = try ["x[y]", "x.length"].map { try ScriptLocation($0) }
        for (first, second) in Self.values.flatMap({ first in Self.values.map { (first, $0) } }) {
            var variables = Variables(["x": first, "y": second])
            for expression in expressions { _ = try? expression.value(in: variables).json }
            for location in locations { try? location.assign(second, in: &variables) }
        }
    }
}

/// A SplitMix64 generator.
private struct Numbers {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15
    }

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }
}
