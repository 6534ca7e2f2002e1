import Statecharts

/// Writes a chart as Swift: an enum with states, events, names and tables, and a protocol. The protocol has one
/// function for every guard, delay and action that the chart names.
///
/// The output depends only on the chart. It has the format of `swift format`.
public struct SwiftEmitter {
    /// The access level of the generated code.
    public enum Access: String, Sendable {
        case `public`
        case package
        case `internal`
    }

    /// The version of the generator. The output contains this number.
    public static let version = 1

    let chart: LoweredChart
    let uses: FunctionUses
    let access: String
    let source: String
    let digest: String
    var out = SwiftWriter()

    var name: String { chart.names.chart }

    /// The Swift text of a chart.
    ///
    /// - Parameter source: the path of the chart's file, relative to its package. The output contains this path.
    public static func emit(_ chart: LoweredChart, source: String, digest: String, access: Access = .package) -> String
    {
        var emitter = SwiftEmitter(chart, source: source, digest: digest, access: access)
        emitter.emitFile()
        return emitter.out.text
    }

    private init(_ chart: LoweredChart, source: String, digest: String, access: Access) {
        self.chart = chart
        self.source = source
        self.digest = digest
        self.access = access == .internal ? "" : access.rawValue + " "
        uses = FunctionUses(chart)
    }

    private mutating func emitFile() {
        out.line("// Generated from \(source) (sha256 \(digest.prefix(12))) by chartc \(Self.version). Do not edit.")
        out.line()
        for module in Set(chart.document.imports + ["Statecharts"]).sorted() { out.line("import \(module)") }
        out.line()
        out.doc(chart.document.comment.isEmpty ? "The chart \(name)." : chart.document.comment)
        out.open("\(access)enum \(name): ChartDefinition {")
        emitStates()
        emitInputs()
        let timed = "The events that the chart's timers deliver; raw values are event numbers."
        emitNumbers("Timer", cases(of: chart.events.timed), timed)
        let raised = "The events that the chart sends itself without delay; raw values are event numbers."
        emitNumbers("Raised", cases(of: chart.events.raised), raised)
        emitNumbers("Guard", cases(of: chart.names.guards), "The conditions that the chart names.")
        emitNumbers("Delay", cases(of: chart.names.delays), "The delays that the chart names.")
        emitNumbers("Action", cases(of: chart.names.actions), "The actions that the chart names.")
        emitEvent()
        emitEventNumber()
        emitKeeps()
        emitTable()
        emitChartNames()
        out.doc("The chart's file.")
        out.line("\(access)static let source = \(SwiftWriter.quoted(source))")
        out.line()
        out.doc("The SHA-256 of that file.")
        out.line("\(access)static let digest = \(SwiftWriter.quoted(digest))")
        out.close()
        out.line()
        emitProtocol()
        out.line()
        emitDispatch()
    }

    // MARK: Types

    private mutating func emitStates() {
        out.doc("Every state that can be active; raw values are document numbers.")
        out.open("\(access)enum State: UInt8, ChartNumber, CaseIterable {")
        for (number, state) in chart.document.states.enumerated() where state.kind != .root && !state.isHistory {
            if !state.comment.isEmpty { out.doc(state.comment) }
            out.line("case \(Names.declared(Names.camelCase(state.id))) = \(number)")
        }
        out.line()
        out.doc("The state's name as the chart spells it.")
        out.line("\(access)var name: String { \(name).names.states[Int(rawValue)] }")
        out.line()
        out.doc("Whether the state has no child states.")
        out.line("\(access)var isLeaf: Bool { \(name).table.isLeaf(Int(rawValue)) }")
        out.close()
        out.line()
    }

    private mutating func emitInputs() {
        let inputs = chart.document.inputs
        out.doc("The inputs of the chart.")
        out.open("\(access)enum Input: Sendable, Equatable {")
        for input in inputs {
            let payload = input.payload.map { "(\($0))" } ?? ""
            out.doc(input.comment.isEmpty ? "`\(input.name)`." : "`\(input.name)`: \(input.comment)")
            out.line("case \(Names.declared(Names.camelCase(input.name)))\(payload)")
        }
        out.close()
        out.line()
    }

    private typealias Case = (name: String, number: Int, comment: String?)

    private func cases(of events: [Int]) -> [Case] {
        let names = chart.events.names
        return events.map { (Names.declared(Names.camelCase(names[$0])), $0, "`\(names[$0])`.") }
    }

    private func cases(of functions: [String]) -> [Case] { functions.enumerated().map { ($1, $0, nil) } }

    private mutating func emitNumbers(_ type: String, _ cases: [Case], _ comment: String) {
        out.doc(comment)
        if cases.isEmpty {
            out.line("\(access)typealias \(type) = NoNames")
        } else {
            out.open("\(access)enum \(type): UInt8, ChartNumber, CaseIterable {")
            for (name, number, comment) in cases {
                if let comment { out.doc(comment) }
                out.line("case \(name) = \(number)")
            }
            out.close()
        }
        out.line()
    }

    private mutating func emitEvent() {
        out.doc("An event that can trigger a transition.")
        out.open("\(access)enum Event: ChartEvent, Equatable {")
        out.doc("An input.")
        out.line("case input(Input)")
        out.doc("A timer of the chart expired.")
        out.line("case timer(Timer)")
        out.doc("An event that the chart sent itself.")
        out.line("case raised(Raised)")
        out.doc("A state finished.")
        out.line("case done(State)")
        out.close()
        out.line()
    }

    private mutating func emitEventNumber() {
        out.doc("The event number of an input.")
        out.line("@inline(__always)")
        out.open("\(access)static func number(of input: Input) -> Int {")
        if !chart.document.inputs.isEmpty {
            out.line("switch input {")
            for input in chart.document.inputs {
                out.line("case .\(Names.camelCase(input.name)): \(chart.events.number(input.name))")
            }
            out.line("}")
        } else {
            out.line("switch input {}")
        }
        out.close()
        out.line()
    }

    private mutating func emitKeeps() {
        let functions = Array(uses.guards.values) + Array(uses.actions.values)
        let kept = Set(functions.compactMap(\.payload).map { chart.events.number($0.name) }).sorted()
        out.doc("Whether a function receives the payload of an event.")
        out.line("@inline(__always)")
        out.open("\(access)static func keeps(_ event: Int) -> Bool {")
        if kept.isEmpty {
            out.line("false")
        } else {
            out.line("switch event {")
            out.line("case \(kept.map(String.init).joined(separator: ", ")): true")
            out.line("default: false")
            out.line("}")
        }
        out.close()
        out.line()
    }

    // MARK: Protocol

    private mutating func emitProtocol() {
        out.doc("The functions that the chart \(name) needs: one for each guard, delay and action that it names.")
        out.open("\(access)protocol \(name)Behavior: Behavior where Chart == \(name) {")
        var isFirst = true
        for guardName in chart.names.guards {
            separate(&isFirst)
            document(uses.guards[guardName], verb: "Evaluated")
            out.line("func \(guardName)(\(parameter(uses.guards[guardName]))) -> Bool")
        }
        for delay in chart.names.delays {
            separate(&isFirst)
            document(uses.delays[delay], verb: "Evaluated")
            out.line("func \(delay)() -> Duration")
        }
        for action in chart.names.actions {
            separate(&isFirst)
            document(uses.actions[action], verb: "Executed")
            let payload = parameter(uses.actions[action])
            let parameters = payload.isEmpty ? "" : payload + ", "
            out.line("mutating func \(action)(\(parameters)_ effects: inout [Effect])")
        }
        out.close()
    }

    private mutating func separate(_ isFirst: inout Bool) {
        if !isFirst { out.line() }
        isFirst = false
    }

    private mutating func document(_ use: FunctionUse?, verb: String) {
        guard let use else { return }
        for comment in use.comments { out.doc(comment) }
        if !use.comments.isEmpty { out.doc("") }
        out.doc("\(verb) \(use.places.joined(separator: ", ")).")
    }

    private func parameter(_ use: FunctionUse?) -> String {
        guard let type = use?.payload?.payload else { return "" }
        return "_ \(Names.parameter(for: type)): \(type)"
    }
}
