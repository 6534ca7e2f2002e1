/// A parser for expressions, by recursive descent (ECMAScript 5.1, section 11).
///
/// The parser records an unsupported feature and skips the feature if that is simple. So it still detects invalid text
/// after the feature. Otherwise parsing ends at the feature.
struct ScriptParser {
    private var lexer: ScriptLexer
    private(set) var token = ScriptToken.end
    /// The number of open brackets, prefix operators and branches. The outermost expression does not count.
    private var depth = -1
    private var outside: UnsupportedSyntax?

    /// Returns the tree and the first unsupported feature in the text. With such a feature, the tree has no meaning.
    static func parse(_ text: String) throws(ScriptSyntaxFailure) -> (node: ScriptNode, outside: UnsupportedSyntax?) {
        var parser = Self(lexer: try ScriptLexer(text))
        try parser.advance()
        if parser.token == .end { throw .malformed("it is empty") }
        let node = try parser.sequence()
        guard parser.token == .end else { throw parser.unexpected }
        return (node, parser.outside)
    }

    // MARK: Tokens

    var place: Int { lexer.tokenStart }

    var unexpected: ScriptSyntaxFailure {
        .malformed(token == .end ? "it ends too early" : "unexpected \(token.description)")
    }

    mutating func advance() throws(ScriptSyntaxFailure) {
        token = try lexer.next()
    }

    mutating func skip(_ mark: String) throws(ScriptSyntaxFailure) -> Bool {
        guard token == .mark(mark) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ mark: String) throws(ScriptSyntaxFailure) {
        guard try skip(mark) else { throw unexpected }
    }

    func source(from start: Int) -> String { lexer.text(from: start, to: place) }

    /// Whether a regular expression that starts at the current token could end on the same line.
    var closesRegularExpression: Bool { lexer.hasAhead("/") }

    // MARK: Unsupported features

    /// Records an unsupported feature if none is recorded yet.
    mutating func note(_ feature: String) {
        outside = outside ?? UnsupportedSyntax(feature: feature)
    }

    func unsupported(_ feature: String) -> ScriptSyntaxFailure {
        .unsupported(outside ?? UnsupportedSyntax(feature: feature))
    }

    private mutating func descend() throws(ScriptSyntaxFailure) {
        depth += 1
        guard depth <= ScriptLimits.nestingMax else {
            throw unsupported("an expression that nests deeper than \(ScriptLimits.nestingMax)")
        }
    }

    // MARK: From low to high precedence

    /// Parses up to a closing bracket or the end of the text: one expression, or several with commas between them.
    mutating func sequence() throws(ScriptSyntaxFailure) -> ScriptNode {
        let node = try assignment()
        guard token == .mark(",") else { return node }
        note("the comma operator")
        while try skip(",") { _ = try assignment() }
        return .literal(.undefined)
    }

    private static let assignments: Set = [
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", "**=", "&&=", "||=", "??=",
    ]

    /// Parses one expression without commas.
    mutating func assignment() throws(ScriptSyntaxFailure) -> ScriptNode {
        try descend()
        defer { depth -= 1 }
        let mayBeginArrow = token == .mark("(")
        let node = try conditional()
        guard case .mark(let mark) = token else { return node }
        if mark == "=>" {
            if case .name = node { throw unsupported("a function with '=>'") }
            throw mayBeginArrow ? unsupported("a function with '=>'") : unexpected
        }
        guard Self.assignments.contains(mark) else { return node }
        guard node.isReference else { throw unexpected }
        note("the assignment '\(mark)' within an expression")
        try advance()
        _ = try assignment()
        return .literal(.undefined)
    }

    private mutating func conditional() throws(ScriptSyntaxFailure) -> ScriptNode {
        let condition = try binary(atLeast: 1)
        guard try skip("?") else { return condition }
        let positive = try assignment()
        try expect(":")
        return .conditional(condition, positive, try assignment())
    }

    /// Parses operands and the operators between them. The operators have at least this precedence.
    private mutating func binary(atLeast minimum: Int) throws(ScriptSyntaxFailure) -> ScriptNode {
        var first = try prefixed()
        var links: [ScriptNode.Link] = []
        while let operation = binaryOperator, operation.precedence >= minimum {
            if let last = links.last, last.operation.precedence != operation.precedence {
                first = .chain(first, links)
                links = []
            }
            noteForeignOperator()
            try advance()
            links.append(.init(operation: operation, operand: try binary(atLeast: operation.precedence + 1)))
        }
        return links.isEmpty ? first : .chain(first, links)
    }

    /// The operator at the current token; nil: none. Replaces an unsupported one by one of equal precedence.
    private var binaryOperator: BinaryOperator? {
        switch token {
        case .mark("**"): .multiply
        case .mark("??"): .or
        case .name("instanceof"): .contains
        case .mark(let text), .name(let text): BinaryOperator(rawValue: text)
        default: nil
        }
    }

    private mutating func noteForeignOperator() {
        switch token {
        case .mark("**"), .mark("??"), .name("instanceof"): note("the operator \(token.description)")
        default: break
        }
    }

    /// Parses an operand and the prefix operators before it.
    mutating func prefixed() throws(ScriptSyntaxFailure) -> ScriptNode {
        let text: String
        switch token {
        case .mark(let mark): text = mark
        case .name(let name): text = name
        default: return try member()
        }
        let operation = PrefixOperator(rawValue: text)
        let isStep = text == "++" || text == "--"
        guard operation != nil || isStep || text == "delete" || text == "new" else { return try member() }
        try descend()
        defer { depth -= 1 }
        if text == "delete" || text == "new" { note("the operator '\(text)'") }
        try advance()
        let operand = try prefixed()
        if let operation { return .prefix(operation, operand) }
        guard operand.isReference || !isStep else { throw .malformed("'\(text)' needs a variable") }
        note("the operator '\(text)'")
        return .literal(.undefined)
    }
}
