import Testing

@testable import Varlink

struct InterfaceTests {
    private let interface = """
        # A comment.
        interface org.example-1.x

        type Kind (red, green)
        type Thing (name: string, kind: ?Kind, size: float, tags: []string, more: ?[string]Thing, any: ?object)
        method Make(thing: Thing, count: ?int) -> (things: [](thing: Thing, new: bool))
        method Nothing() -> ()
        error Wrong (why: string)
        """

    @Test func `an interface is read in full`() throws {
        let interface = try VarlinkInterface(parsing: interface)
        #expect(interface.name == "org.example-1.x")
        #expect(interface.types["Kind"] == .enumeration(["red", "green"]))
        #expect(interface.methods["Nothing"] == .init(input: .structure([]), output: .structure([])))
        #expect(interface.errors["Wrong"] == .structure([.init("why", .string)]))
        #expect(
            interface.methods["Make"]?.output
                == .structure([
                    .init("things", .array(.structure([.init("thing", .named("Thing")), .init("new", .bool)])))
                ])
        )
    }

    @Test(arguments: [
        ("", "line 1: expected 'interface' at the end of the text"),
        ("interface Bracketd", "line 1: expected a name such as io.bracketd at 'Bracketd'"),
        (
            "interface a.b\ntype thing ()",
            "line 2: expected a name that begins with a capital letter at 'thing'"
        ),
        ("interface a.b\nmethod M(a: int)", "line 2: expected '->' at the end of the text"),
        ("interface a.b\nmethod M(a int) -> ()", "line 2: expected ':' at 'int'"),
        ("interface a.b\n\nmethod M(a: Thing) -> ()", "line 3: the type Thing is not defined"),
        ("interface a.b\ntype A ()\ntype A ()", "line 3: A is defined twice"),
        ("interface a.b\ntype A (a: int, a: int)", "line 2: a occurs twice at ':'"),
        ("interface a.b\ntype A (a: ??int)", "line 2: a type can have only one '?' at '?'"),
        ("interface a.b\ntype A (a: [int]int)", "line 2: expected ']' at 'int'"),
        ("interface a.b\nfunction A ()", "line 2: expected 'type', 'method' or 'error' at 'function'"),
    ])
    func `a fault is reported with its line`(text: String, message: String) {
        let error = #expect(throws: VarlinkInterfaceError.self) { try VarlinkInterface(parsing: text) }
        #expect(error?.description == message)
    }

    @Test func `types inside each other have a bound`() {
        let text = "interface a.b\ntype A (a: \(String(repeating: "[]", count: 10_000))int)"
        #expect(throws: VarlinkInterfaceError.self) { try VarlinkInterface(parsing: text) }
    }

    @Test(arguments: [
        #"{"thing":{"name":"a","size":1,"tags":[]}}"#,
        #"{"thing":{"name":"a","size":1.5,"tags":["x"],"kind":"red","any":{"x":1},"#
            + #""more":{"y":{"name":"","size":0,"tags":[]}}},"count":3}"#,
        #"{"thing":{"name":"a","size":1,"tags":[],"kind":null},"count":null}"#,
    ])
    func `parameters that match the type are accepted`(text: String) throws {
        let interface = try VarlinkInterface(parsing: interface)
        let method = try #require(interface.methods["Make"])
        try interface.check(JSONValue(parsing: text.utf8), against: method.input)
    }

    @Test(arguments: [
        ("{}", "thing: expected an object, but it is missing"),
        (#"{"thing":1}"#, "thing: expected an object, found an integer"),
        (#"{"thing":null}"#, "thing: expected an object, found null"),
        (#"{"thing":{"name":"a","size":"1","tags":[]}}"#, "thing.size: expected a number, found a string"),
        (#"{"thing":{"name":"a","size":1,"tags":["a",2]}}"#, "thing.tags[1]: expected a string, found an integer"),
        (
            #"{"thing":{"name":"a","size":1,"tags":[],"kind":"blue"}}"#,
            "thing.kind: expected one of red, green, found a string"
        ),
        (
            #"{"thing":{"name":"a","size":1,"tags":[],"more":{"y":{}}}}"#,
            "thing.more.y.name: expected a string, but it is missing"
        ),
        (#"{"thing":{"name":"a","size":1,"tags":[]},"count":1.5}"#, "count: expected an integer, found a number"),
        (#"{"thing":{"name":"a","size":1,"tags":[]},"cuont":1}"#, "cuont: unknown; the members are thing, count"),
    ])
    func `the first parameter that does not match is named`(text: String, message: String) throws {
        let interface = try VarlinkInterface(parsing: interface)
        let method = try #require(interface.methods["Make"])
        let value = try JSONValue(parsing: text.utf8)
        let error = #expect(throws: VarlinkTypeFault.self) { try interface.check(value, against: method.input) }
        #expect(error?.description == message)
    }
}
