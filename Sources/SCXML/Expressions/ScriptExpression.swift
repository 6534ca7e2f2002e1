/// An expression of the small language: what W3C SCXML B.2 needs of ECMAScript in charts that only decide and count.
///
/// It has literals (also of arrays and objects), variables, members, the operators without side effect and `In('id')`.
/// Text that is no expression at all is kept and throws when evaluated, because that is a run-time error for SCXML;
/// ECMAScript that the language does not have is refused at once.
public struct ScriptExpression: Sendable, Equatable {
    /// The text as written.
    public let text: String
    private let tree: Result<ScriptNode, ScriptError>

    /// Parses an expression. Throws if it uses what the language does not have, nests more than 64 deep or is longer
    /// than 64 KiB; does not throw for text that is no ECMAScript at all.
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

    /// An expression that is shown and never evaluated.
    init(unread text: String) {
        self.text = text
        tree = .failure(ScriptError("\(text.quotedShort) was not read"))
    }

    /// The name, if the expression is nothing but one variable.
    public var identifier: String? {
        if case .success(.name(let name)) = tree { name } else { nil }
    }

    /// Evaluates the expression. It has no side effects. Throws if the text is no expression, for a variable nobody
    /// declared, for a member of `undefined` or `null`, and when the value becomes too large.
    public func value(in scope: some ScriptScope) throws(ScriptError) -> ScriptValue {
        try ScriptEvaluation(scope: scope).value(of: tree.get())
    }

    /// Two expressions are equal if their texts are.
    public static func == (first: Self, second: Self) -> Bool { first.text.isSame(as: second.text) }
}
