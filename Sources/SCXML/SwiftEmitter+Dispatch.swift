import Statecharts

// MARK: - From numbers to functions

extension SwiftEmitter {
    /// Emits the three functions of `Behavior` that call the chart's own functions.
    mutating func emitDispatch() {
        out.open("extension \(name)Behavior {")
        emitHolds()
        out.line()
        emitDelay()
        out.line()
        emitPerform()
        out.close()
    }

    private mutating func emitHolds() {
        out.doc("Evaluates a guard by its number.")
        // The function has one caller. If it is inlined there, the event is copied only for functions with a payload.
        out.line("@inline(__always)")
        out.open("\(access)func holds(_ guardID: \(name).Guard, _ event: \(name).Event?) -> Bool {")
        emitSwitch(chart.names.guards, uses.guards, of: "guard", none: "guards", answers: true) { "\($0)(\($1 ?? ""))" }
        out.close()
    }

    private mutating func emitDelay() {
        out.doc("Returns a delay by its number.")
        out.open("\(access)func delay(_ delayID: \(name).Delay) -> Duration {")
        emitSwitch(chart.names.delays, uses.delays, of: "delay", none: "named delays", answers: false) { name, _ in
            "\(name)()"
        }
        out.close()
    }

    private mutating func emitPerform() {
        out.doc("Executes an action by its number.")
        out.line("@inline(__always)")
        out.open("\(access)mutating func perform(")
        out.line("_ actionID: \(name).Action,")
        out.line("_ event: \(name).Event?,")
        out.line("_ effects: inout [Effect]")
        out.closeAndOpen(") {")
        emitSwitch(chart.names.actions, uses.actions, of: "action", none: "actions", answers: false) {
            "\($0)(\($1.map { $0 + ", " } ?? "")&effects)"
        }
        out.close()
    }

    /// Emits one case for each name. Only one event can lead to a function with a payload. Any other event is an error
    /// in the table. Reading the event copies the event, so only the cases with a payload read it.
    private mutating func emitSwitch(
        _ names: [String],
        _ uses: [String: FunctionUse],
        of kind: String,
        none: String,
        answers: Bool,
        call: (String, String?) -> String
    ) {
        guard !names.isEmpty else { return out.line("preconditionFailure(\"\(self.name) has no \(none)\")") }
        let wrong = "\(kind) \\(\(kind)ID)"
        let answer = answers ? "return " : ""
        out.line("switch \(kind)ID {")
        for name in names {
            guard let input = uses[name]?.payload, let type = input.payload else {
                out.line("case .\(name): \(answer)\(call(name, nil))")
                continue
            }
            let parameter = Names.parameter(for: type)
            let event = Names.camelCase(input.name)
            out.open("case .\(name):")
            out.open("guard case .input(.\(event)(let \(parameter)))? = event else {")
            out.line("preconditionFailure(\"the table is wrong: \(wrong) on \\(String(describing: event))\")")
            out.close()
            out.line(answer + call(name, parameter))
            out.dedent()
        }
        out.line("}")
    }
}
