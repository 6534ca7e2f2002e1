/// A parsed expression. A sequence of operators with equal precedence is one node. The members in `a.b.c` are also one
/// node. So the tree is only as deep as the nesting of the text.
indirect enum ScriptNode: Sendable {
    /// A number, a string, `true`, `false` or `null`.
    case literal(ScriptValue)
    case name(String)
    /// `[a, b]`. A missing element is `undefined`.
    case array([ScriptNode])
    /// `{a: b}`. If two keys are equal, the later one applies.
    case object([Entry])
    /// `!a`.
    case prefix(PrefixOperator, ScriptNode)
    /// `a + b - c`, left-associative.
    case chain(ScriptNode, [Link])
    /// `a ? b : c`.
    case conditional(ScriptNode, ScriptNode, ScriptNode)
    /// `a.b[c]`. The keys of the members are expressions too.
    case path(ScriptNode, [ScriptNode])
    /// `In(a)`.
    case isActive(ScriptNode)

    struct Entry: Sendable {
        let key: String
        let value: ScriptNode
    }

    /// A binary operator and its right operand.
    struct Link: Sendable {
        let operation: BinaryOperator
        let operand: ScriptNode
    }

    /// Whether ECMAScript allows the expression on the left side of `=`.
    var isReference: Bool {
        switch self {
        case .name, .path: true
        default: false
        }
    }
}

/// The operators before one operand (ECMAScript 5.1, 11.4).
enum PrefixOperator: String, Sendable {
    case not = "!"
    case minus = "-"
    case plus = "+"
    case complement = "~"
    case typeName = "typeof"
    case void
}

/// The operators between two operands (ECMAScript 5.1, 11.5 to 11.11).
enum BinaryOperator: String, Sendable {
    case or = "||"
    case and = "&&"
    case bitOr = "|"
    case bitXor = "^"
    case bitAnd = "&"
    case equal = "=="
    case notEqual = "!="
    case same = "==="
    case notSame = "!=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains = "in"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case shiftRightUnsigned = ">>>"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"

    /// The precedence of the operator. A higher number binds more tightly.
    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .bitOr: 3
        case .bitXor: 4
        case .bitAnd: 5
        case .equal, .notEqual, .same, .notSame: 6
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .contains: 7
        case .shiftLeft, .shiftRight, .shiftRightUnsigned: 8
        case .add, .subtract: 9
        case .multiply, .divide, .remainder: 10
        }
    }
}
