import Statecharts

// MARK: - From numbers to functions

extension SwiftEmitter {
    /// The three requirements of `Behavior`, by way of the chart's own.
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
        out.doc("Asks a guard by its number.")
        out.open("\(access)func holds(_ guardID: \(name).Guard, _ event: \(name).Event?) -> Bool {")
        if chart.names.guards.isEmpty {
            out.line("preconditionFailure(\"\(name) has no guards\")")
        } else {
            emitSwitch(chart.names.guards, uses.guards, subject: "guardID", wrong: "guard \\(guardID)") {
                "\($0)(\($1 ?? ""))"
            }
        }
        out.close()
    }

    private mutating func emitDelay() {
        out.doc("Asks a delay by its number.")
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
        out.doc("Does an action by its number.")
        out.open("\(access)mutating func perform(")
        out.line("_ actionID: \(name).Action,")
        out.line("_ event: \(name).Event?,")
        out.line("_ effects: inout [Effect]")
        out.closeAndOpen(") {")
        if chart.names.actions.isEmpty {
            out.line("preconditionFailure(\"\(name) has no actions\")")
        } else {
            emitSwitch(chart.names.actions, uses.actions, subject: "actionID", wrong: "action \\(actionID)") {
                "\($0)(\($1.map { $0 + ", " } ?? "")&effects)"
            }
        }
        out.close()
    }

    /// A case per name. A function with a payload can be reached on one event only; anything else is a wrong table.
    private mutating func emitSwitch(
        _ names: [String],
        _ uses: [String: FunctionUse],
        subject: String,
        wrong: String,
        call: (String, String?) -> String
    ) {
        let hasPayloads = names.contains { uses[$0]?.payload != nil }
        out.line(hasPayloads ? "switch (\(subject), event) {" : "switch \(subject) {")
        for name in names {
            if let input = uses[name]?.payload, let type = input.payload {
                let parameter = Names.parameter(for: type)
                let event = Names.camelCase(input.name)
                out.line("case (.\(name), .input(.\(event)(let \(parameter)))?): \(call(name, parameter))")
            } else {
                out.line(hasPayloads ? "case (.\(name), _): \(call(name, nil))" : "case .\(name): \(call(name, nil))")
            }
        }
        if hasPayloads {
            out.line("default: preconditionFailure(\"the table is wrong: \(wrong) on \\(String(describing: event))\")")
        }
        out.line("}")
    }
}
