/// An expression or a location that has no value: a name nobody declared, a member of `undefined`, text that is no
/// expression. In a running chart it becomes `error.execution` (W3C SCXML 5.9.3, 5.9.2).
public struct ScriptError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, as part of a sentence: "'x' is not declared".
    public let message: String

    /// An error with a message for people.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

/// Valid ECMAScript that the small expression language does not have. A document with it is refused as a whole.
public struct UnsupportedSyntax: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was met, as a noun: "a function", "the call 'Math.random(…)'".
    public let feature: String

    /// An error that names what is not supported.
    public init(feature: String) {
        self.feature = feature
    }

    /// The whole sentence, with what may be written instead.
    public var description: String {
        "\(feature) is not supported: expressions have literals, names, members, operators and In('id') only"
    }
}

/// What bounds expressions and the values they make, so that no document can exhaust stack or memory.
enum ScriptLimits {
    /// The longest text of an expression, in bytes of UTF-8.
    static let textLengthMax = 64 * 1024
    /// The deepest nesting of brackets, prefix operators and branches in an expression.
    static let nestingMax = 64
    /// The deepest nesting of arrays and objects in a value.
    static let valueDepthMax = 128
    /// The largest value: elements and members, each counted once, and the bytes of all strings and keys.
    static let valueSizeMax = 1_000_000
    /// The highest index that an assignment may create in an array.
    static let arrayIndexMax = 10_000
}

extension String {
    /// The text in single quotes, cut short when it is long: for messages.
    var quotedShort: String {
        let lengthMax = 60
        return count > lengthMax ? "'\(prefix(lengthMax))…'" : "'\(self)'"
    }
}
