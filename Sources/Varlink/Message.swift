import NIOCore

/// A message of a client: one call of a method.
package struct VarlinkCall: Hashable, Sendable {
    /// Interface and method, as in `io.bracketd.GetStatus`.
    package var method: String
    /// The parameters; always an object.
    package var parameters: JSONValue
    /// Whether the client accepts several replies.
    package var more: Bool
    /// Whether the client wants no reply.
    package var oneway: Bool
    /// Whether the client asks to leave the protocol after the reply.
    package var upgrade: Bool

    package init(
        method: String,
        parameters: JSONValue = .emptyObject,
        more: Bool = false,
        oneway: Bool = false,
        upgrade: Bool = false
    ) {
        self.method = method
        self.parameters = parameters
        self.more = more
        self.oneway = oneway
        self.upgrade = upgrade
    }

    package var message: JSONValue {
        .object(leavingOutNil: [
            "method": .string(method),
            "parameters": parameters == .emptyObject ? nil : parameters,
            "more": more ? true : nil,
            "oneway": oneway ? true : nil,
            "upgrade": upgrade ? true : nil,
        ])
    }

    package init(parsing frame: ByteBuffer) throws(MessageError) {
        let message = try MessageReader(frame, members: ["method", "parameters", "more", "oneway", "upgrade"])
        guard case .string(let method) = message["method"] else {
            throw MessageError(member: "method", reason: message.found("method", wanted: "a string"))
        }
        self.method = method
        parameters = try message.parameters()
        more = try message.flag("more")
        oneway = try message.flag("oneway")
        upgrade = try message.flag("upgrade")
    }
}

/// A message of a service: a reply to the oldest call that has no reply yet.
package struct VarlinkReply: Hashable, Sendable {
    /// The parameters; always an object.
    package var parameters: JSONValue
    /// Whether more replies to the same call follow.
    package var continues: Bool
    /// Interface and name of the error, as in `io.bracketd.NotNow`; nil: the call succeeded.
    package var error: String?

    package init(parameters: JSONValue = .emptyObject, continues: Bool = false, error: String? = nil) {
        self.parameters = parameters
        self.continues = continues
        self.error = error
    }

    package var message: JSONValue {
        .object(leavingOutNil: [
            "parameters": parameters,
            "continues": continues ? true : nil,
            "error": error.map { .string($0) },
        ])
    }

    package init(parsing frame: ByteBuffer) throws(MessageError) {
        let message = try MessageReader(frame, members: nil)
        parameters = try message.parameters()
        continues = try message.flag("continues")
        switch message["error"] {
        case nil, .null: error = nil
        case .string(let name): error = name
        case .some: throw MessageError(member: "error", reason: message.found("error", wanted: "a string"))
        }
    }
}

/// An error that a service sent as its answer.
package struct VarlinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Interface and name, as in `io.bracketd.NotNow`.
    package var name: String
    /// The parameters; always an object.
    package var parameters: JSONValue

    package init(name: String, parameters: JSONValue = .emptyObject) {
        self.name = name
        self.parameters = parameters
    }

    /// The sentence of the error; without a sentence, the error's name and parameters.
    package var description: String {
        if let sentence = parameters["sentence"]?.stringValue { return sentence }
        return parameters == .emptyObject ? name : "\(name) \(parameters)"
    }
}

/// Why the bytes between two end marks are not a call, or not a reply.
package struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The invalid member, or `message` if the error concerns the whole message.
    package var member: String
    package var reason: String

    package var description: String { "\(member): \(reason)" }
}

/// Reads the members of a message and throws an error for an invalid member.
private struct MessageReader {
    private let members: [String: JSONValue]

    /// - Parameter known: the only allowed members; nil: other members are ignored.
    init(_ frame: ByteBuffer, members known: Set<String>?) throws(MessageError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: frame.readableBytesView)
        } catch {
            throw MessageError(member: "message", reason: MessageSentences.notJSON(error))
        }
        guard case .object(let members) = value else {
            let reason = MessageSentences.otherType(wanted: "an object", found: value)
            throw MessageError(member: "message", reason: reason)
        }
        if let known, let unknown = members.keys.filter({ !known.contains($0) }).min() {
            throw MessageError(member: unknown, reason: MessageSentences.noSuchMember(ofCallWith: known))
        }
        self.members = members
    }

    subscript(_ name: String) -> JSONValue? { members[name] }

    func flag(_ name: String) throws(MessageError) -> Bool {
        switch members[name] {
        case nil, .null: return false
        case .bool(let value): return value
        case .some: throw MessageError(member: name, reason: found(name, wanted: "a boolean"))
        }
    }

    func parameters() throws(MessageError) -> JSONValue {
        switch members["parameters"] {
        case nil, .null: return .emptyObject
        case .object(let members): return .object(members)
        case .some: throw MessageError(member: "parameters", reason: found("parameters", wanted: "an object"))
        }
    }

    func found(_ name: String, wanted: String) -> String {
        MessageSentences.otherType(wanted: wanted, found: members[name])
    }
}
