/// An assignable location: a variable or a member of a variable, as in `x`, `x.y`, `x['y']`, `x[0]`.
///
/// A text that is not a location is stored. It throws when it is used (W3C SCXML 5.9.2).
public struct ScriptLocation: Sendable, Equatable, ScriptText {
    /// The text as written.
    public let text: String
    private let place: Result<Place, ScriptError>

    private struct Place: Sendable {
        let variable: String
        let members: [ScriptNode]
    }

    /// The system variables of SCXML. A chart can only read them (W3C SCXML 5.10).
    static let systemVariables: NameSet = ["_event", "_name", "_sessionid", "_ioprocessors", "_x"]

    /// Parses a location. Throws for an unsupported feature, but not if the text is not a location.
    public init(_ text: String) throws(UnsupportedSyntax) {
        self.text = text
        do throws(ScriptSyntaxFailure) {
            let parsed = try ScriptParser.parse(text)
            if parsed.node.isReference, let outside = parsed.outside {
                throw ScriptSyntaxFailure.unsupported(outside)
            }
            switch parsed.node {
            case .name(let name): place = .success(Place(variable: name, members: []))
            case .path(.name(let name), let members): place = .success(Place(variable: name, members: members))
            default: throw ScriptSyntaxFailure.malformed("it does not name a variable or a member of one")
            }
        } catch {
            place = .failure(try error.kept(for: text, as: "location"))
        }
    }

    /// A location that is only shown, never used.
    init(unread text: String) {
        self.text = text
        place = .failure(ScriptError("\(text.quotedShort) is not parsed"))
    }

    /// Assigns a value. Creates a missing member of an object. If the index is after the end of an array (at most
    /// 10,000), `undefined` fills the gap. Throws, without a change, for a text that is not a location or for a missing
    /// inner member. Throws also for an undeclared variable, a system variable and a value that would be too large.
    public func assign(_ value: ScriptValue, in scope: inout some MutableScriptScope) throws(ScriptError) {
        let place = try self.place.get()
        if Self.systemVariables.contains(place.variable) {
            throw ScriptError("'\(place.variable)' is a system variable and cannot be assigned")
        }
        let evaluation = ScriptEvaluation(scope: scope)
        var variable = try evaluation.value(ofVariable: place.variable)
        var keys: [ScriptKey] = []
        for member in place.members { keys.append(ScriptKey(try evaluation.value(of: member))) }
        try variable.assign(value, at: keys[...])
        try variable.checkSize()
        try scope.set(place.variable, to: variable)
    }

    /// The value at this location, or `undefined` if the last member is missing. Throws if the text is not a location,
    /// if the variable is not declared, or if an inner member is missing.
    public func value(in scope: some ScriptScope) throws(ScriptError) -> ScriptValue {
        let place = try self.place.get()
        return try ScriptEvaluation(scope: scope).value(of: .path(.name(place.variable), place.members))
    }

    /// Locations are equal if their texts are equal.
    public static func == (first: Self, second: Self) -> Bool { first.text.isSame(as: second.text) }
}

extension ScriptValue {
    /// Assigns a value to the last member of a path. The path is never deeper than the maximum depth of values.
    fileprivate mutating func assign(_ value: ScriptValue, at keys: ArraySlice<ScriptKey>) throws(ScriptError) {
        guard let key = keys.first else {
            self = value
            return
        }
        guard keys.count <= ScriptLimits.valueDepthMax else { throw ScriptError("the location is too deep") }
        var inner = ScriptValue.undefined
        if keys.count > 1 { inner = try member(key) }
        try inner.assign(value, at: keys.dropFirst())
        try setMember(key, to: inner)
    }

    /// Sets one member of an object or one element of an array (ECMAScript 5.1, 8.12.5 and 15.4.5.1).
    private mutating func setMember(_ key: ScriptKey, to value: ScriptValue) throws(ScriptError) {
        switch (self, key) {
        case (.object(var members), _):
            members[key.text] = value
            self = .object(members)
        case (.array(var elements), .index(let index)):
            guard index <= ScriptLimits.arrayIndexMax || index < elements.count else {
                throw ScriptError("index \(index) is above \(ScriptLimits.arrayIndexMax)")
            }
            while elements.count <= index { elements.append(.undefined) }
            elements[index] = value
            self = .array(elements)
        case (.array(let elements), .name("length")):
            let length = value.asNumber
            guard length >= 0, length <= Double(ScriptLimits.arrayIndexMax), length == length.rounded() else {
                throw ScriptError("an array cannot have the length \(value.text.quotedShort)")
            }
            let missing = max(0, Int(length) - elements.count)
            self = .array(elements.prefix(Int(length)) + Array(repeating: .undefined, count: missing))
        default:
            throw ScriptError("\(noun) has no member \(key.text.quotedShort) that could be assigned")
        }
    }
}
