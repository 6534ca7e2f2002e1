/// A value of a chart's data, for the data of random charts.
indirect enum NaiveValue: Equatable {
    case undefined
    case boolean(Bool)
    case number(Double)
    case string(String)
    case list([NaiveValue])
    case object([String: NaiveValue])
    /// The data of an error: a message. Its text is not compared.
    case message

    var json: String {
        switch self {
        case .undefined: "null"
        case .boolean(let value): "\(value)"
        case .number(let value): value.isNaN ? "null" : "\(Int(value))"
        case .string(let value): "\"\(value)\""
        case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.filter { $0.value != .undefined }.sorted { $0.key < $1.key }
                .map { "\"\($0.key)\":\($0.value.json)" }.joined(separator: ",") + "}"
        case .message: "\"?\""
        }
    }

    /// The value as part of a longer text.
    var text: String {
        switch self {
        case .undefined: "undefined"
        case .number(let value): value.isNaN ? "NaN" : "\(Int(value))"
        case .string(let value): value
        case .boolean, .list, .object, .message: preconditionFailure("no random chart makes a text of \(self)")
        }
    }

    var number: Double {
        if case .number(let value) = self { value } else { .nan }
    }

    var holds: Bool {
        switch self {
        case .undefined: false
        case .boolean(let value): value
        case .number(let value): value != 0 && !value.isNaN
        case .string(let value): !value.isEmpty
        case .list, .object, .message: true
        }
    }

    /// The value of a text that is written in an element (5.2).
    init(written text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        self = Double(words).map { .number($0) } ?? .string(words)
    }
}

/// An event with all fields of `_event`.
struct NaiveEvent {
    var name: String
    var type = "external"
    var data = NaiveValue.undefined
    var sendID: String?
}

/// An error and its event.
struct NaiveFailure: Error {
    var name = "error.execution"
    var sendID: String?

    var event: NaiveEvent { NaiveEvent(name: name, type: "platform", data: .message, sendID: sendID) }
}

/// Evaluates the few expressions that occur in random charts. It knows each expression as a whole.
struct NaiveExpressions {
    let event: NaiveEvent?
    let variables: [String: NaiveValue]
    let activeIDs: Set<String>

    func value(_ text: String) throws(NaiveFailure) -> NaiveValue {
        switch text {
        case "0", "1": return .number(text == "1" ? 1 : 0)
        case "'text'", "'i'", "'j'", "'bad'", "'#_internal'", "'scxml'":
            return .string(String(text.dropFirst().dropLast()))
        case "[]": return .list([])
        case "[1, 2, 3]": return .list([.number(1), .number(2), .number(3)])
        case "[7, 8, 9]": return .list([.number(7), .number(8), .number(9)])
        case "[n % 4, 1]": return .list([.number(try rest(4)), .number(1)])
        case "n + 1": return .number(try variable("n").number + 1)
        case "n + v": return .number(try variable("n").number + (try variable("v").number))
        case "n < 3": return .boolean(try variable("n").number < 3)
        case "n % 3 == 0": return .boolean(try rest(3) == 0)
        case "n % 2 == 1": return .boolean(try rest(2) == 1)
        case "n % 4 * 5 + 'ms'": return .string(NaiveValue.number(try rest(4) * 5).text + "ms")
        case "'x.' + n % 4", "'t.' + n % 4":
            return .string("\(text.dropFirst().prefix(2))\(NaiveValue.number(try rest(4)).text)")
        case "_event.name": return .string(try current().name)
        case "_event.type": return .string(try current().type)
        case "_event.sendid": return try current().sendID.map { .string($0) } ?? .undefined
        case "_event.data": return try current().data
        case "_event.data.p": return try member()
        case "_event.name == 'e'", "_event.name == 'x'":
            return .boolean(try current().name == (text.hasSuffix("'e'") ? "e" : "x"))
        case "_event.data.p == 1": return .boolean(try member() == .number(1))
        case "return", "1 +", "missing.x", "missing.x == 1": throw NaiveFailure()
        default: return text.contains("In('") ? try isIn(text) : try variable(text)
        }
    }

    private func variable(_ name: String) throws(NaiveFailure) -> NaiveValue {
        precondition(name.allSatisfy { $0.isLetter || $0.isNumber }, "no random chart has '\(name)'")
        guard let value = variables[name] else { throw NaiveFailure() }
        return value
    }

    private func rest(_ divisor: Double) throws(NaiveFailure) -> Double {
        try variable("n").number.truncatingRemainder(dividingBy: divisor)
    }

    private func current() throws(NaiveFailure) -> NaiveEvent {
        guard let event else { throw NaiveFailure() }
        return event
    }

    private func member() throws(NaiveFailure) -> NaiveValue {
        switch try current().data {
        case .undefined: throw NaiveFailure()
        case .object(let members): members["p"] ?? .undefined
        default: .undefined
        }
    }

    /// Evaluates `In('s')`, `!In('s')` or `In('s') && n % 2 == 0`.
    private func isIn(_ text: String) throws(NaiveFailure) -> NaiveValue {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        let isActive = activeIDs.contains(String(parts[1])) != text.hasPrefix("!")
        if parts[2] == ")" || !isActive { return .boolean(isActive) }
        precondition(parts[2] == ") && n % 2 == 0", "no random chart has '\(text)'")
        return .boolean(try rest(2) == 0)
    }
}
