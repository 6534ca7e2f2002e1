/// A value of the expression language.
///
/// Arrays and objects are values, not references. An assignment copies the value, and two values are equal if their
/// contents are equal. The members of an object have no order. The output sorts them by key.
public indirect enum ScriptValue: Sendable, Equatable {
    /// The value of a missing member.
    case undefined
    case null
    case boolean(Bool)
    /// A number. All numbers are doubles.
    case number(Double)
    /// A string. Its length and its indices count UTF-16 code units.
    case string(String)
    case array([ScriptValue])
    /// An object. It inherits no members.
    case object(NameTable<ScriptValue>)

    /// Whether two values are equal. Strings and keys are compared by their code units.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.undefined, .undefined), (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.isSame(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Whether a condition with this value holds (ECMAScript 5.1, 9.2 ToBoolean).
    public var isTruthy: Bool {
        switch self {
        case .undefined, .null: false
        case .boolean(let value): value
        case .number(let value): !(value == 0 || value.isNaN)
        case .string(let value): !value.isEmpty
        case .array, .object: true
        }
    }

    /// The result of `String(value)` (ECMAScript 5.1, 9.8 ToString; 15.4.4.5 for arrays).
    public var text: String {
        switch self {
        case .undefined: "undefined"
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let value): ScriptNumber.text(value)
        case .string(let value): value
        case .array(let elements):
            elements.map { $0 == .undefined || $0 == .null ? "" : $0.text }.joined(separator: ",")
        case .object: "[object Object]"
        }
    }

    /// The result of `Number(value)` (ECMAScript 5.1, 9.3 ToNumber).
    var asNumber: Double {
        switch self {
        case .undefined: .nan
        case .null: 0
        case .boolean(let value): value ? 1 : 0
        case .number(let value): value
        case .string(let value): ScriptNumber.value(of: value)
        case .array, .object: ScriptNumber.value(of: text)
        }
    }

    /// The value itself, or the text of an array or object (ECMAScript 5.1, 9.1 ToPrimitive).
    var primitive: ScriptValue {
        switch self {
        case .array, .object: .string(text)
        default: self
        }
    }

    /// The result of `typeof` (ECMAScript 5.1, 11.4.3).
    var typeName: String {
        switch self {
        case .undefined: "undefined"
        case .null, .array, .object: "object"
        case .boolean: "boolean"
        case .number: "number"
        case .string: "string"
        }
    }
}

extension ScriptValue {
    /// Throws if the value is too large or too deep. Copies share memory, so memory does not limit the size. A repeated
    /// `x = [x, x]` doubles the size each time but needs more memory only when the value is printed.
    func checkSize(_ sizeMax: Int = ScriptLimits.valueSizeMax) throws(ScriptError) {
        var budget = sizeMax
        try spend(&budget, depth: 0)
    }

    /// The size: each element or member counts 1, and each byte of strings and keys counts 1.
    var size: Int {
        switch self {
        case .undefined, .null, .boolean, .number: 1
        case .string(let value): 1 + value.utf8.count
        case .array(let elements): elements.reduce(1) { $0 + $1.size }
        case .object(let members): members.reduce(1) { $0 + $1.key.utf8.count + $1.value.size }
        }
    }

    private func spend(_ budget: inout Int, depth: Int) throws(ScriptError) {
        guard depth <= ScriptLimits.valueDepthMax else {
            throw ScriptError("the value nests deeper than \(ScriptLimits.valueDepthMax) arrays and objects")
        }
        budget -= 1
        switch self {
        case .undefined, .null, .boolean, .number: break
        case .string(let value): budget -= value.utf8.count
        case .array(let elements):
            for element in elements { try element.spend(&budget, depth: depth + 1) }
        case .object(let members):
            for (key, value) in members {
                budget -= key.utf8.count
                try value.spend(&budget, depth: depth + 1)
            }
        }
        guard budget >= 0 else { throw ScriptError("the value is larger than \(ScriptLimits.valueSizeMax)") }
    }
}
