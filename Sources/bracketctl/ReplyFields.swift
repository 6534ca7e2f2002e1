import Varlink

/// The members of an object that the daemon answered with. A member that is missing or of another kind is a named
/// failure: it means that bracketctl and the daemon do not belong together.
struct ReplyFields {
    private let path: String
    private let members: [String: JSONValue]

    /// The object `name` of a reply.
    init(_ name: String, of reply: JSONValue) throws(Failure) {
        guard let members = reply[name]?.objectValue else { throw ReplyFields.mismatch(name, wanted: "an object") }
        path = name
        self.members = members
    }

    /// The objects in the list `name` of a reply.
    static func list(_ name: String, of reply: JSONValue) throws(Failure) -> [ReplyFields] {
        guard case .object(let members) = reply else { throw mismatch(name, wanted: "a list of objects") }
        return try ReplyFields(path: "reply", members: members).objects(name)
    }

    private init(path: String, members: [String: JSONValue]) {
        self.path = path
        self.members = members
    }

    func string(_ name: String) throws(Failure) -> String { try required(name, "a string", \.stringValue) }
    func int(_ name: String) throws(Failure) -> Int { try required(name, "an integer", \.intValue) }
    func double(_ name: String) throws(Failure) -> Double { try required(name, "a number", \.doubleValue) }
    func bool(_ name: String) throws(Failure) -> Bool { try required(name, "true or false", \.boolValue) }
    func strings(_ name: String) throws(Failure) -> [String] { try required(name, "a list of strings", \.strings) }
    func optionalString(_ name: String) throws(Failure) -> String? { try optional(name, "a string", \.stringValue) }
    func optionalInt(_ name: String) throws(Failure) -> Int? { try optional(name, "an integer", \.intValue) }

    /// As it came.
    var json: JSONValue { .object(members) }

    /// A list of lists of strings.
    func stringLists(_ name: String) throws(Failure) -> [[String]] {
        try required(name, "a list of lists of strings") { value in
            let lists = value.arrayValue?.map(\.strings)
            return lists?.contains(nil) == false ? lists?.compactMap(\.self) : nil
        }
    }

    /// An object.
    func object(_ name: String) throws(Failure) -> ReplyFields {
        ReplyFields(path: "\(path).\(name)", members: try required(name, "an object", \.objectValue))
    }

    /// A list of objects.
    func objects(_ name: String) throws(Failure) -> [ReplyFields] {
        let values = try required(name, "a list of objects") { value in
            let objects = value.arrayValue?.map(\.objectValue)
            return objects?.contains(nil) == false ? objects?.compactMap(\.self) : nil
        }
        return values.map { ReplyFields(path: "\(path).\(name)", members: $0) }
    }

    /// A list of objects that may be left out.
    func optionalObjects(_ name: String) throws(Failure) -> [ReplyFields]? {
        members[name]?.isNull ?? true ? nil : try objects(name)
    }

    private func required<Value>(
        _ name: String,
        _ wanted: String,
        _ read: (JSONValue) -> Value?
    ) throws(Failure) -> Value {
        guard let value = members[name].flatMap(read) else {
            throw ReplyFields.mismatch("\(path).\(name)", wanted: wanted)
        }
        return value
    }

    private func optional<Value>(
        _ name: String,
        _ wanted: String,
        _ read: (JSONValue) -> Value?
    ) throws(Failure) -> Value? {
        guard let value = members[name], !value.isNull else { return nil }
        return try required(name, wanted, read)
    }

    private static func mismatch(_ path: String, wanted: String) -> Failure {
        Failure(
            .error,
            name: "BrokenReply",
            "The daemon's reply lacks \(path) as \(wanted): bracketctl and bracketd are of different versions."
        )
    }
}

extension JSONValue {
    /// A list of strings; nil when this is anything else.
    fileprivate var strings: [String]? {
        let strings = arrayValue?.map(\.stringValue)
        return strings?.contains(nil) == false ? strings?.compactMap(\.self) : nil
    }
}
