/// A failed evaluation: an undeclared name, a member of `undefined`, or a text that is not an expression. A running
/// chart raises `error.execution` for it (W3C SCXML 5.9.3, 5.9.2).
public struct ScriptError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The cause, as part of a sentence: "'x' is not declared".
    public let message: String

    /// An error with this message.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

/// Valid ECMAScript that the expression language does not support. A document that contains it is refused.
public struct UnsupportedSyntax: Error, Equatable, Sendable, CustomStringConvertible {
    /// The unsupported feature, as a noun: "a function", "the call 'Math.random(…)'".
    public let feature: String

    /// The whole sentence, with the supported alternatives.
    public var description: String {
        "\(feature) is not supported: expressions have literals, names, members, operators and In('id') only"
    }
}

/// Limits of expressions and values. With them, no document can exhaust the stack or the memory.
enum ScriptLimits {
    /// The maximum length of an expression, in bytes of UTF-8.
    static let textLengthMax = 64 * 1024
    /// The maximum nesting of brackets, prefix operators and branches in an expression.
    static let nestingMax = 64
    /// The maximum nesting of arrays and objects in a value.
    static let valueDepthMax = 128
    /// The maximum size of a value. Each element or member counts 1, and each byte of strings and keys counts 1.
    static let valueSizeMax = 1_000_000
    /// The highest index that an assignment is allowed to create in an array.
    static let arrayIndexMax = 10_000
}

extension String {
    /// The text in single quotes for messages. A long text is shortened.
    var quotedShort: String {
        let lengthMax = 60
        return count > lengthMax ? "'\(prefix(lengthMax))…'" : "'\(self)'"
    }
}
