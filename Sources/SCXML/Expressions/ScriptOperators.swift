extension ScriptValue {
    /// The value of `self operation other`. The caller handles the short-circuit evaluation of `&&` and `||`.
    func combined(_ operation: BinaryOperator, with other: ScriptValue) throws(ScriptError) -> ScriptValue {
        switch operation {
        case .or: return isTruthy ? self : other
        case .and: return isTruthy ? other : self
        case .equal: return .boolean(looselyEquals(other))
        case .notEqual: return .boolean(!looselyEquals(other))
        // `===` (ECMAScript 5.1, 11.9.6). Unlike in ECMAScript, the contents of arrays and objects are compared.
        case .same: return .boolean(self == other)
        case .notSame: return .boolean(self != other)
        case .less: return .boolean(Self.ordered(self, other, numbers: <) { $0.lexicographicallyPrecedes($1) })
        case .greater: return .boolean(Self.ordered(self, other, numbers: >) { $1.lexicographicallyPrecedes($0) })
        case .lessOrEqual:
            return .boolean(Self.ordered(self, other, numbers: <=) { !$1.lexicographicallyPrecedes($0) })
        case .greaterOrEqual:
            return .boolean(Self.ordered(self, other, numbers: >=) { !$0.lexicographicallyPrecedes($1) })
        case .contains: return .boolean(try other.contains(ScriptKey(self)))
        case .add: return try adding(other)
        case .subtract, .multiply, .divide, .remainder, .bitOr, .bitXor, .bitAnd, .shiftLeft, .shiftRight,
            .shiftRightUnsigned:
            return .number(ScriptNumber.combined(asNumber, operation, other.asNumber))
        }
    }

    /// Concatenates if one of the values is a string. Otherwise adds (ECMAScript 5.1, 11.6.1).
    private func adding(_ other: ScriptValue) throws(ScriptError) -> ScriptValue {
        switch (primitive, other.primitive) {
        case (.string(let first), let second): try Self.joined(first, second.text)
        case (let first, .string(let second)): try Self.joined(first.text, second)
        case (let first, let second): .number(first.asNumber + second.asNumber)
        }
    }

    private static func joined(_ first: String, _ second: String) throws(ScriptError) -> ScriptValue {
        guard first.utf8.count + second.utf8.count <= ScriptLimits.valueSizeMax else {
            throw ScriptError("the string is longer than \(ScriptLimits.valueSizeMax) bytes")
        }
        return .string(first + second)
    }

    /// Compares two strings by their UTF-16 code units, and other values as numbers (ECMAScript 5.1, 11.8.5).
    private static func ordered(
        _ first: ScriptValue,
        _ second: ScriptValue,
        numbers: (Double, Double) -> Bool,
        strings: (String.UTF16View, String.UTF16View) -> Bool
    ) -> Bool {
        if case (.string(let first), .string(let second)) = (first.primitive, second.primitive) {
            return strings(first.utf16, second.utf16)
        }
        return numbers(first.asNumber, second.asNumber)
    }

    /// `==` (ECMAScript 5.1, 11.9.3).
    private func looselyEquals(_ other: ScriptValue) -> Bool {
        switch (self, other) {
        case (.undefined, .null), (.null, .undefined): true
        case (.undefined, _), (.null, _), (_, .undefined), (_, .null), (.string, .string), (.array, .array),
            (.array, .object), (.object, .array), (.object, .object):
            self == other
        case (.array, _), (.object, _), (_, .array), (_, .object):
            // The recursion converts booleans to numbers, and strings too unless both values are strings.
            primitive.looselyEquals(other.primitive)
        default: asNumber == other.asNumber
        }
    }
}

/// The key of a member, from `a.name`, `a['name']` or `a[0]`.
enum ScriptKey {
    /// An integer that can index an array, in any notation.
    case index(Int)
    case name(String)

    /// The key for a value: the value's text (ECMAScript 5.1, 11.2.1).
    init(_ value: ScriptValue) {
        let text = value.text
        // Nine digits are enough for the index of any array, and they fit in every Int.
        if text.utf8.count <= 9, let index = Int(text), index >= 0, String(index) == text {
            self = .index(index)
        } else {
            self = .name(text)
        }
    }

    var text: String {
        switch self {
        case .index(let index): String(index)
        case .name(let name): name
        }
    }
}

extension ScriptValue {
    /// The type of the value, for messages.
    var noun: String {
        switch self {
        case .undefined: "undefined"
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// A member; `undefined` if it is missing. Throws if `self` is `undefined` or `null` (ECMAScript 5.1, 11.2.1, 9.9).
    func member(_ key: ScriptKey) throws(ScriptError) -> ScriptValue {
        switch (self, key) {
        case (.undefined, _), (.null, _): throw ScriptError("\(noun) has no member \(key.text.quotedShort)")
        case (.object(let members), _): return members[key.text] ?? .undefined
        case (.array(let elements), .index(let index)): return index < elements.count ? elements[index] : .undefined
        case (.array(let elements), .name("length")): return .number(Double(elements.count))
        case (.string(let text), .index(let index)):
            guard let unit = text.utf16.dropFirst(index).first else { return .undefined }
            return .string(String(decoding: [unit], as: UTF16.self))
        case (.string(let text), .name("length")): return .number(Double(text.utf16.count))
        case (.array, _), (.string, _), (.number, _), (.boolean, _): return .undefined
        }
    }

    /// Evaluates `key in self` (ECMAScript 5.1, 11.8.7). Throws unless the value is an array or an object.
    fileprivate func contains(_ key: ScriptKey) throws(ScriptError) -> Bool {
        switch (self, key) {
        case (.object(let members), _): return members[key.text] != nil
        case (.array(let elements), .index(let index)): return index < elements.count
        case (.array, .name(let name)): return name == "length"
        default: throw ScriptError("'in' needs an array or an object, not \(noun)")
        }
    }
}

extension ScriptNumber {
    /// The result of an arithmetic or 32-bit operator (ECMAScript 5.1, 11.5, 11.6.2, 11.7, 11.10).
    static func combined(_ first: Double, _ operation: BinaryOperator, _ second: Double) -> Double {
        switch operation {
        case .subtract: first - second
        case .multiply: first * second
        case .divide: first / second
        case .remainder: first.truncatingRemainder(dividingBy: second)
        case .bitOr: Double(signed(first) | signed(second))
        case .bitXor: Double(signed(first) ^ signed(second))
        case .bitAnd: Double(signed(first) & signed(second))
        case .shiftLeft: Double(signed(first) &<< signed(second))
        case .shiftRight: Double(signed(first) &>> signed(second))
        case .shiftRightUnsigned: Double(unsigned(first) &>> unsigned(second))
        default: preconditionFailure("'\(operation.rawValue)' is no operator on two numbers")
        }
    }

    /// The integer part of a number modulo 2³². It is 0 if the number is not finite (ECMAScript 5.1, 9.6 ToUint32).
    static func unsigned(_ number: Double) -> UInt32 {
        guard number.isFinite else { return 0 }
        let modulus = 4_294_967_296.0
        let rest = number.rounded(.towardZero).truncatingRemainder(dividingBy: modulus)
        return UInt32(rest < 0 ? rest + modulus : rest)
    }

    /// The 32 bits of `unsigned` as a signed number (ECMAScript 5.1, 9.5 ToInt32).
    static func signed(_ number: Double) -> Int32 { Int32(bitPattern: unsigned(number)) }
}
