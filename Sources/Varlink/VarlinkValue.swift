/// The Swift value of a type in the interface language. The structures are generated from the interface's text.
package protocol VarlinkValue: Hashable, Sendable {
    /// - Parameter path: The path to the value, for the error.
    init(_ value: JSONValue, at path: String) throws(VarlinkMismatch)
    var json: JSONValue { get }
    /// The name of the type: with an article, and in the plural.
    static var kind: (one: String, several: String) { get }
}

/// The error for a value that has another type than the interface requires.
package struct VarlinkMismatch: Error, Hashable, Sendable {
    /// The path to the value, as in `status.charts.name`.
    package var path: String
    /// The required type, with an article.
    package var wanted: String
}

/// A value that has members.
package protocol VarlinkStructure: VarlinkValue {
    init(_ members: VarlinkMembers) throws(VarlinkMismatch)
}

extension VarlinkStructure {
    package init(_ value: JSONValue, at path: String = "") throws(VarlinkMismatch) {
        guard case .object(let members) = value else { throw VarlinkMismatch(path: path, wanted: Self.kind.one) }
        try self.init(VarlinkMembers(path: path, members: members))
    }

    package static var kind: (one: String, several: String) { ("an object", "objects") }
}

/// The parameters of a method.
package protocol VarlinkMethod: VarlinkStructure {
    associatedtype Reply: VarlinkStructure
    /// The name with the interface, as in `io.bracketd.GetStatus`.
    static var name: String { get }
}

/// The parameters of an error.
package protocol VarlinkErrorParameters: VarlinkStructure {
    /// The name with the interface, as in `io.bracketd.NotNow`.
    static var name: String { get }
}

extension VarlinkErrorParameters {
    /// - Returns: nil if the error has another name, or if its parameters do not fit the interface.
    package init?(_ error: VarlinkError) {
        guard error.name == Self.name, let parameters = try? Self(error.parameters) else { return nil }
        self = parameters
    }

    package var error: VarlinkError { VarlinkError(name: Self.name, parameters: json) }
}

/// Reads the members of an object for a structure, and ignores members that the interface does not have.
package struct VarlinkMembers {
    private let path: String
    private let members: [String: JSONValue]

    fileprivate init(path: String, members: [String: JSONValue]) {
        self.path = path
        self.members = members
    }

    package func required<Value: VarlinkValue>(_ name: String) throws(VarlinkMismatch) -> Value {
        let path = path.isEmpty ? name : "\(path).\(name)"
        guard let value = members[name] else { throw VarlinkMismatch(path: path, wanted: Value.kind.one) }
        return try Value(value, at: path)
    }

    package func optional<Value: VarlinkValue>(_ name: String) throws(VarlinkMismatch) -> Value? {
        guard let value = members[name], !value.isNull else { return nil }
        return try required(name)
    }
}

/// A value that has no parts.
package protocol VarlinkScalar: VarlinkValue {
    /// Reads the value. Returns nil if the value has another type.
    static func value(of json: JSONValue) -> Self?
}

extension VarlinkScalar {
    package init(_ value: JSONValue, at path: String) throws(VarlinkMismatch) {
        guard let value = Self.value(of: value) else { throw VarlinkMismatch(path: path, wanted: Self.kind.one) }
        self = value
    }
}

extension Bool: VarlinkScalar {
    package static func value(of json: JSONValue) -> Bool? { json.boolValue }
    package var json: JSONValue { .bool(self) }
    package static var kind: (one: String, several: String) { ("true or false", "booleans") }
}

extension Int: VarlinkScalar {
    package static func value(of json: JSONValue) -> Int? { json.intValue }
    package var json: JSONValue { .int(self) }
    package static var kind: (one: String, several: String) { ("an integer", "integers") }
}

extension Double: VarlinkScalar {
    package static func value(of json: JSONValue) -> Double? { json.doubleValue }
    package var json: JSONValue { .double(self) }
    package static var kind: (one: String, several: String) { ("a number", "numbers") }
}

extension String: VarlinkScalar {
    package static func value(of json: JSONValue) -> String? { json.stringValue }
    package var json: JSONValue { .string(self) }
    package static var kind: (one: String, several: String) { ("a string", "strings") }
}

extension Array: VarlinkValue where Element: VarlinkValue {
    package init(_ value: JSONValue, at path: String) throws(VarlinkMismatch) {
        guard let values = value.arrayValue else { throw VarlinkMismatch(path: path, wanted: Self.kind.one) }
        self.init()
        reserveCapacity(values.count)
        for value in values {
            do throws(VarlinkMismatch) {
                append(try Element(value, at: path))
            } catch {
                throw error.path == path ? VarlinkMismatch(path: path, wanted: Self.kind.one) : error
            }
        }
    }

    package var json: JSONValue { .array(map(\.json)) }
    package static var kind: (one: String, several: String) {
        ("a list of \(Element.kind.several)", "lists of \(Element.kind.several)")
    }
}
