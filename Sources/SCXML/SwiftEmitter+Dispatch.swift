import Statecharts

// MARK: - From numbers to functions

extension SwiftEmitter {
    /// The three requirements of `Behavior`, which call the chart's own functions.
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
        // There is only one call site. Inlined there, the event is copied only for functions that receive its payload.
        out.line("@inline(__always)")
        out.open("\(access)func holds(_ guardID: \(name).Guard, _ event: \(name).Event?) -> Bool {")
        if chart.names.guards.isEmpty {
            out.line("preconditionFailure(\"\(name) has no guards\")")
        } else {
            let names = chart.names.guards
            emitSwitch(names, uses.guards, subject: "guardID", wrong: "guard \\(guardID)", answers: true) {
                "\($0)(\($1 ?? ""))"
            }
        }
        out.close()
    }

    private mutating func emitDelay() {
        out.doc("Returns a delay by its number.")
        out.open("\(access)func delay(_ delayID: \(name).Delay) -> Duration {")
        if chart.names.delays.isEmpty {
            out.line("preconditionFailure(\"\(name) has no named delays\")")
        } else {
            out.line("switch delayID {")
            for delay in chart.names.delays { out.line("case .\(delay): \(delay)()") }
            out.line("}")
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
        if chart.names.actions.isEmpty {
            out.line("preconditionFailure(\"\(name) has no actions\")")
        } else {
            let names = chart.names.actions
            emitSwitch(names, uses.actions, subject: "actionID", wrong: "action \\(actionID)", answers: false) {
                "\($0)(\($1.map { $0 + ", " } ?? "")&effects)"
            }
        }
        out.close()
    }

    /// Emits a case per name. A function with a payload can be reached by one event only; any other event means a wrong
    /// table. Reading the event copies it, so only cases with a payload read it.
    private mutating func emitSwitch(
        _ names: [String],
        _ uses: [String: FunctionUse],
        subject: String,
        wrong: String,
        answers: Bool,
        call: (String, String?) -> String
    ) {
        let answer = answers ? "return " : ""
        out.line("switch \(subject) {")
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
