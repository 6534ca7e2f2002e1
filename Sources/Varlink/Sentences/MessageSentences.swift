/// Why a message, a call or a value in it is not accepted.
enum MessageSentences {
    static func tooLong(_ lengthMax: Int) -> String { "a message is longer than \(lengthMax) bytes" }

    static func notJSON(_ error: JSONError) -> String { "not JSON: \(error)" }

    static func noSuchMember(ofCallWith members: Set<String>) -> String {
        "a call has no such member; its members are \(members.sorted().joined(separator: ", "))"
    }

    static func noSuchMember(ofValueWith members: [String]) -> String {
        members.isEmpty
            ? "unknown; the method has no parameters" : "unknown; the members are \(members.joined(separator: ", "))"
    }

    /// - Parameters:
    ///   - wanted: The required type, with an article.
    ///   - value: The found value; nil: the value is missing.
    static func otherType(wanted: String, found value: JSONValue?) -> String {
        value.map { "expected \(wanted), found \($0.kindName)" } ?? "expected \(wanted), but it is missing"
    }

    static let noUpgrade = "no method of this service supports upgrade"
    static let onewayAndMore = "a call cannot be both 'oneway' and 'more'"
}
