import Statecharts

// MARK: - The table

extension SwiftEmitter {
    mutating func emitTable() {
        out.doc("The chart in the form that the engine runs. Comments have the names of the numbers.")
        out.open("\(access)static let table = ChartTable<SmallSet>(")
        out.line("name: \(SwiftWriter.quoted(name)),")
        emitRows("states", chart.states.indices.map { (stateRow($0), stateNote($0)) })
        emitRows("transitions", chart.transitions.indices.map { (transitionRow($0), transitionNote($0)) })
        emitRows("blocks", chart.blocks.indices.map { (block($0), blockNote($0)) })
        out.line("eventCount: \(chart.names.events.count)")
        out.close(")")
        out.line()
    }

    /// Emits rows. Each note is on the line above its row, so that no line is too long.
    private mutating func emitRows(_ label: String, _ rows: [(text: [String], note: String)]) {
        guard !rows.isEmpty else { return out.line("\(label): [],") }
        out.open("\(label): [")
        for row in rows {
            out.line("// \(row.note)")
            out.call(row.text, suffix: rows.count > 1 ? "," : "")
        }
        out.close("],")
    }

    private func stateNote(_ number: Int) -> String {
        number == 0 ? "0, the root" : "\(number) \(chart.names.states[number])"
    }

    /// The parts of a row for `SwiftWriter.call`: the callee, its arguments and the end.
    private func stateRow(_ number: Int) -> [String] {
        let row = chart.states[number]
        var arguments = [".\(row.kind)", "parent: \(row.parent)"]
        if !row.initial.isEmpty { arguments.append("initial: \(row.initial)") }
        if let transition = row.initialTransition { arguments.append("initialTransition: \(transition)") }
        if !row.entry.isEmpty { arguments.append("entry: \(row.entry)") }
        if !row.exit.isEmpty { arguments.append("exit: \(row.exit)") }
        if let done = row.done { arguments.append("done: \(done)") }
        return ["StateRow("] + arguments + [")"]
    }

    private func transitionNote(_ number: Int) -> String {
        let transition = chart.document.transitions[number]
        let targets = transition.targets.map { chart.names.states[$0] }.joined(separator: " ")
        let source = chart.names.states[transition.source]
        var parts = ["\(number) \(source):"]
        if let descriptors = transition.descriptors { parts.append(descriptors.map(\.text).joined(separator: " ")) }
        switch transition.condition {
        case nil: break
        case .guardName(let name, let negated): parts.append("[\(negated ? "!" : "")\(name)]")
        case .script: preconditionFailure("only charts of the dialect are compiled")
        case .isIn(let name, let negated): parts.append("[\(negated ? "!" : "")In(\(name))]")
        }
        if !targets.isEmpty { parts.append("-> \(targets)") }
        return parts.joined(separator: " ")
    }

    private func transitionRow(_ number: Int) -> [String] {
        let row = chart.transitions[number]
        var arguments = ["from: \(row.source)"]
        switch row.trigger {
        case .events(let events): arguments.append("on: .events(\(events))")
        case .eventless: arguments.append("on: .eventless")
        case .never: arguments.append("on: .never")
        }
        switch row.condition {
        case .always: break
        case .holds(let number): arguments.append("if: .holds(\(number))")
        case .fails(let number): arguments.append("if: .fails(\(number))")
        case .active(let state): arguments.append("if: .active(\(state))")
        case .inactive(let state): arguments.append("if: .inactive(\(state))")
        case .evaluates: preconditionFailure("a compiled chart has no data model")
        }
        if !row.targets.isEmpty { arguments.append("to: \(row.targets)") }
        if row.isInternal { arguments.append("isInternal: true") }
        if !row.content.isEmpty { arguments.append("content: \(row.content)") }
        return ["TransitionRow("] + arguments + [")"]
    }

    private func blockNote(_ number: Int) -> String {
        if let state = chart.states.firstIndex(where: { $0.entry.contains(number) }) {
            return "\(number) on entering \(chart.names.states[state])"
        }
        if let state = chart.states.firstIndex(where: { $0.exit.contains(number) }) {
            return "\(number) on leaving \(chart.names.states[state])"
        }
        let transition = chart.transitions.firstIndex { $0.content.contains(number) }
        return transition.map { "\(number) of transition \($0)" } ?? "\(number)"
    }

    private func block(_ number: Int) -> [String] {
        ["["] + chart.blocks[number].map(operation) + ["]"]
    }

    private func operation(_ operation: Statecharts.Operation) -> String {
        switch operation {
        case .perform(let action): ".perform(\(action))"
        case .raise(let event): ".raise(\(event))"
        case .send(let event, let id): ".send(\(event), id: \(id.map(String.init) ?? "nil"))"
        case .sendAfter(let milliseconds, let event, let id):
            ".sendAfter(milliseconds: \(grouped(milliseconds)), \(event), id: \(id.map(String.init) ?? "nil"))"
        case .sendAfterDelay(let delay, let event, let id):
            ".sendAfterDelay(\(delay), \(event), id: \(id.map(String.init) ?? "nil"))"
        case .cancel(let id): ".cancel(\(id))"
        case .log(let line): ".log(\(line))"
        case .evaluate: preconditionFailure("a compiled chart has no data model")
        }
    }

    /// Groups the digits of long numbers, as swift-format requires.
    private func grouped(_ number: Int64) -> String {
        let digits = Array(String(number))
        guard digits.count > 6 else { return String(digits) }
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result.append("_") }
            result.append(digit)
        }
        return result
    }
}

// MARK: - The names

extension SwiftEmitter {
    mutating func emitChartNames() {
        let names = chart.names
        out.doc("Every name as the chart spells it, by number.")
        out.open("\(access)static let names = ChartNames(")
        let lists: [(String, [String])] = [
            ("states", names.states), ("events", names.events), ("guards", names.guards), ("delays", names.delays),
            ("actions", names.actions), ("sendIDs", names.sendIDs), ("logLines", names.logLines),
        ]
        let filled = lists.filter { !$0.1.isEmpty }
        out.line("chart: \(SwiftWriter.quoted(name)),")
        for (index, list) in filled.enumerated() {
            let comma = index + 1 < filled.count ? "," : ""
            out.list("\(list.0): [", list.1.map(SwiftWriter.quoted), "]" + comma)
        }
        out.close(")")
        out.line()
    }
}
