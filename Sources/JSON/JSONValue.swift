/// A JSON value. Integers and floating-point numbers differ by their notation: `5` is an integer, `5.0` is not.
///
/// The project has its own JSON code, because every user with access to the socket can send JSON. The time per message
/// must grow linearly and slowly, nesting must be limited, and every error must have its position. Foundation's decoder
/// tries one type after another by throwing errors, and needs several megabytes of memory.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    /// The number is always finite.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package static let emptyObject = JSONValue.object([:])

    /// The member of an object; nil if the member is missing or this is not an object.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    package var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    package var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    package var intValue: Int? {
        guard case .int(let value) = self else { return nil }
        return Int(exactly: value)
    }

    /// The number, with an integer converted to floating point; nil: not a number.
    package var doubleValue: Double? {
        switch self {
        case .double(let value): value
        case .int(let value): Double(value)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    package var arrayValue: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    package var objectValue: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    package var isNull: Bool { self == .null }

    /// The JSON name of this kind of value, for messages.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .int: "an integer"
        case .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue {
    /// An object with the members that have a value. Members without a value are omitted, as Varlink does for optional
    /// fields.
    package static func object(leavingOutNil members: [String: JSONValue?]) -> JSONValue {
        .object(members.compactMapValues { $0 })
    }

    package static func int(_ value: Int) -> JSONValue { .int(Int64(value)) }

    package static func strings(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as JSON text on one line, members sorted by name.
    package var description: String { String(decoding: encoded(), as: UTF8.self) }
}
