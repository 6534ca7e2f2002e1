import Statecharts

/// The names that an expression can read: the chart's variables, system variables (5.10), and names from outside.
struct RunScope<Bits: StateSet>: MutableScriptScope {
    let program: RunProgram
    let given: RunNames
    let event: LoadedEvent?
    let active: Bits
    var variables: NameTable<ScriptValue>

    func value(of name: String) -> ScriptValue? {
        if let value = variables[name] { return value }
        if program.document.dataModel == .ecmascript, let value = systemVariable(name) { return value }
        if let answer = given.guards[name] { return .boolean(answer) }
        // In a chart without data, a name in a condition is a guard. A guard without a value is false.
        return program.document.dataModel == .ecmascript ? nil : .boolean(false)
    }

    func isActive(_ state: String) -> Bool {
        program.stateNumbers[state].map { active.contains($0) } ?? false
    }

    mutating func set(_ name: String, to value: ScriptValue) throws(ScriptError) {
        guard variables[name] != nil else {
            throw ScriptError("'\(name)' is not declared: declare it with <data>")
        }
        variables[name] = value
    }

    private func systemVariable(_ name: String) -> ScriptValue? {
        switch name {
        case "_event": event.map(Self.value)
        case "_name": .string(program.document.name)
        case "_sessionid": .string(RunNames.session)
        case "_ioprocessors":
            .object(
                NameTable(
                    [RunNames.processor, RunNames.processorShortName].map {
                        ($0, .object(["location": .string(RunNames.sessionAddress)]))
                    }
                )
            )
        case "_x": .object([:])
        default: nil
        }
    }

    /// W3C SCXML 5.10.1: an event has all fields of `_event`. An event that no `<send>` sent has an empty origin.
    private static func value(_ event: LoadedEvent) -> ScriptValue {
        var fields: NameTable<ScriptValue> = [
            "name": .string(event.name), "type": .string(event.origin.rawValue), "data": event.data,
            "sendid": .undefined, "origin": .undefined, "origintype": .undefined, "invokeid": .undefined,
        ]
        if let id = event.sendID { fields["sendid"] = .string(id) }
        if event.isSent {
            fields["origin"] = .string(RunNames.sessionAddress)
            fields["origintype"] = .string(RunNames.processor)
        }
        return .object(fields)
    }
}

/// A scope without names, for the evaluation of text content.
struct NoNames: ScriptScope {
    func value(of name: String) -> ScriptValue? { nil }
    func isActive(_ state: String) -> Bool { false }
}

/// The names that a run defines in addition to the chart's own names.
public struct RunNames: Sendable, Equatable {
    /// The values of names in conditions.
    public var guards: NameTable<Bool> = [:]
    /// The values of names in delays, in milliseconds. A value must not be negative.
    public var delays: NameTable<Int64> = [:]

    /// The names with these values.
    public init(guards: NameTable<Bool> = [:], delays: NameTable<Int64> = [:]) {
        self.guards = guards
        self.delays = delays
    }

    /// The maximum delay, in milliseconds: a hundred years.
    public static let delayMax: Int64 = 36_600 * 86_400_000

    /// The name of the only session. It is the same in every run.
    static let session = "session"
    static let sessionAddress = "#_scxml_session"
    /// The only supported event processor, which W3C SCXML C.1 describes.
    static let processor = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"
    static let processorNames: Set = [processor, processor + "/", processorShortName]
    static let processorShortName = "scxml"

    static func canBeVariable(_ name: String) -> Bool {
        guard !ScriptLocation.systemVariables.contains(name), let expression = try? ScriptExpression(name) else {
            return false
        }
        return expression.identifier == name
    }

    /// Parses a CSS 2 time with the units of the W3C schema. A number without a unit is in milliseconds.
    static func delay(_ text: String) -> Duration? {
        let units: [(suffix: String, milliseconds: Double)] = [
            ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("", 1),
        ]
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let body = words.first, body.contains(where: \.isNumber) else { return nil }
        guard let unit = units.first(where: { body.hasSuffix($0.suffix) }) else { return nil }
        let digits = body.dropLast(unit.suffix.count)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
            let number = Double(digits.hasPrefix(".") ? "0" + digits : String(digits))
        else { return nil }
        let milliseconds = number * unit.milliseconds
        guard milliseconds <= Double(delayMax) else { return nil }
        // Records have whole milliseconds. The delay is rounded up, because a timer must never expire early.
        return .milliseconds(Int64(milliseconds.rounded(.up)))
    }
}

/// A failure of an element of content (R16).
struct RunError: Error, Equatable {
    enum Kind: String {
        case execution = "error.execution"
        case communication = "error.communication"
    }

    let kind: Kind
    let message: String
    let sendID: String?

    init(_ kind: Kind, _ message: String, sendID: String? = nil) {
        self.kind = kind
        self.message = message
        self.sendID = sendID
    }

    /// The value of an evaluation. A `ScriptError` becomes an execution error.
    static func converting<Value>(_ value: @autoclosure () throws(ScriptError) -> Value) throws(RunError) -> Value {
        do throws(ScriptError) {
            return try value()
        } catch {
            throw RunError(.execution, error.message)
        }
    }
}
