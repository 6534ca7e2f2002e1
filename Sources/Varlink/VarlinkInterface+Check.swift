import VarlinkIDL

/// The first place at which a value does not fit its type.
package struct VarlinkTypeFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path to the value, as in `plan.frames` or `sets[2]`.
    package var parameter: String
    package var reason: String

    package var description: String { "\(parameter): \(reason)" }
}

extension VarlinkInterface {
    /// Checks that a value fits a type: each part has the right type, no part is missing, and no part is unknown.
    package func check(_ value: JSONValue, against type: VarlinkType) throws(VarlinkTypeFault) {
        try check(value, type, at: "")
    }

    private func check(_ value: JSONValue, _ type: VarlinkType, at path: String) throws(VarlinkTypeFault) {
        switch (type, value) {
        case (.named(let name), _):
            guard let type = types[name] else { preconditionFailure("the parser checked that \(name) is defined") }
            try check(value, type, at: path)
        case (.optional, .null), (.bool, .bool), (.int, .int), (.float, .int), (.float, .double), (.string, .string):
            return
        case (.optional(let type), _): try check(value, type, at: path)
        case (.object, _) where value != .null: return
        case (.array(let element), .array(let values)):
            for (index, value) in values.enumerated() { try check(value, element, at: "\(path)[\(index)]") }
        case (.dictionary(let element), .object(let members)):
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                try check(value, element, at: Self.join(path, name))
            }
        case (.structure(let fields), .object(let members)): try check(members, fields, at: path)
        case (.enumeration(let names), .string(let name)) where names.contains(name): return
        default:
            throw VarlinkTypeFault(
                parameter: path.isEmpty ? "parameters" : path,
                reason: MessageSentences.otherType(wanted: expectation(of: type), found: value)
            )
        }
    }

    private func check(
        _ members: [String: JSONValue],
        _ fields: [VarlinkType.Field],
        at path: String
    ) throws(VarlinkTypeFault) {
        for field in fields {
            if let value = members[field.name] {
                try check(value, field.type, at: Self.join(path, field.name))
            } else if case .optional = field.type {
                continue
            } else {
                throw VarlinkTypeFault(
                    parameter: Self.join(path, field.name),
                    reason: MessageSentences.otherType(wanted: expectation(of: field.type), found: nil)
                )
            }
        }
        let known = fields.map(\.name)
        if let unknown = members.keys.filter({ !known.contains($0) }).min() {
            throw VarlinkTypeFault(
                parameter: Self.join(path, unknown),
                reason: MessageSentences.noSuchMember(ofValueWith: known)
            )
        }
    }

    private static func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private func expectation(of type: VarlinkType) -> String {
        switch type {
        case .bool: "a boolean"
        case .int: "an integer"
        case .float: "a number"
        case .string: "a string"
        case .object: "a value"
        case .named(let name): types[name].map { expectation(of: $0) } ?? name
        case .optional(let type): expectation(of: type)
        case .array: "an array"
        case .dictionary, .structure: "an object"
        case .enumeration(let names): "one of \(names.joined(separator: ", "))"
        }
    }
}
