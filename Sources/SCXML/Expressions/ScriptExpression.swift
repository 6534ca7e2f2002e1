/// An expression of the supported subset of ECMAScript. This subset contains the parts of W3C SCXML B.2 that charts
/// need for conditions and counters.
///
/// An expression has literals (including arrays and objects), variables, members, operators without side effects, and
/// `In('id')`. A text that is not an expression is stored and throws when it is evaluated, because SCXML defines this
/// as a run-time error. Unsupported ECMAScript is refused at once.
public struct ScriptExpression: Sendable, Equatable, ScriptText {
    /// The text as written.
    public let text: String
    private let tree: Result<ScriptNode, ScriptError>

    /// Parses an expression. Throws if the text uses an unsupported feature, nests more than 64 deep, or is longer than
    /// 64 KiB. Does not throw if the text is not ECMAScript.
    public init(_ text: String) throws(UnsupportedSyntax) {
        self.text = text
        do throws(ScriptSyntaxFailure) {
            let parsed = try ScriptParser.parse(text)
            if let outside = parsed.outside { throw ScriptSyntaxFailure.unsupported(outside) }
            tree = .success(parsed.node)
        } catch {
            tree = .failure(try error.kept(for: text, as: "expression"))
        }
    }

    /// An expression that is only shown, never evaluated.
    init(unread text: String) {
        self.text = text
        tree = .failure(ScriptError("\(text.quotedShort) is not parsed"))
    }

    /// The name of the variable if the expression is only a variable; otherwise nil.
    public var identifier: String? {
        if case .success(.name(let name)) = tree { name } else { nil }
    }

    /// Evaluates the expression without side effects. Throws if the text is not an expression, or if a variable is not
    /// declared. Throws also for a member of `undefined` or `null`, and for a value that is too large.
    public func value(in scope: some ScriptScope) throws(ScriptError) -> ScriptValue {
        try ScriptEvaluation(scope: scope).value(of: tree.get())
    }

    /// Expressions are equal if their texts are equal.
    public static func == (first: Self, second: Self) -> Bool { first.text.isSame(as: second.text) }
}

/// A text in the expression language, as the value of an attribute.
protocol ScriptText {
    init(_ text: String) throws(UnsupportedSyntax)
    /// A text that is only shown, never used.
    init(unread text: String)
}
