import SCXML

// Executable content and its data.

extension NaiveMachine {
    /// Runs a block. R16: an error ends only the block in which it occurs.
    mutating func run(_ block: ChartDocument.Block?) {
        do throws(NaiveFailure) {
            try execute(block?.content ?? [])
        } catch {
            raise(error.event)
        }
    }

    mutating func raise(_ event: NaiveEvent) {
        lines.append("raise \(event.name)")
        if isInStep {
            steps[steps.count - 1].raised.append(event.name)
        } else {
            raisedInChoosing.append(event.name)
        }
        internalQueue.append(event)
    }

    private mutating func execute(_ contents: [ChartDocument.Content]) throws(NaiveFailure) {
        for content in contents {
            switch content.kind {
            case .perform(let action):
                lines.append("do \(action)")
                steps[steps.count - 1].actions.append(action)
            case .raise(let event): raise(NaiveEvent(name: event, type: "internal"))
            case .log(let line): lines.append("log \(line)")
            case .send(let event, let id, nil): send(NaiveEvent(name: event, sendID: id), after: nil)
            case .send(let event, let id, .milliseconds(let delay)?):
                send(NaiveEvent(name: event, sendID: id), after: delay)
            case .send(_, _, .named?): break
            case .cancel(let id): cancel(id)
            case .interpreted(let element): try execute(element)
            }
        }
    }

    private mutating func send(_ event: NaiveEvent, after delay: Int64?) {
        lines.append("send \(event.name)")
        steps[steps.count - 1].sent.append((event.sendID, event.name, now + (delay ?? 0)))
        if let delay {
            order += 1
            pending.append((now + delay, order, event))
        } else {
            externalQueue.append(event)
        }
    }

    private mutating func cancel(_ id: String) {
        let count = pending.count { $0.event.sendID == id }
        lines.append("cancel \(id) \(count)")
        if count > 0 { steps[steps.count - 1].cancelled.append(id) }
        pending.removeAll { $0.event.sendID == id }
    }

    // MARK: Computing content

    private mutating func execute(_ element: ChartDocument.Interpreted) throws(NaiveFailure) {
        switch element {
        case .dispatch(let description): try dispatch(description)
        case .cancel(let id): cancel(try text(id) ?? "")
        case .log(let label, nil): logs.append("{\"log\":\"\(label ?? "")\"}")
        case .log(let label, let expression?):
            let label = label.map { ",\"label\":\"\($0)\"" } ?? ""
            logs.append("{\"log\":\(try value(expression).json)\(label)}")
        case .assign(let location, let source):
            let value = try value(source)
            if location.text == "_event" || variables[location.text] == nil { throw NaiveFailure() }
            variables[location.text] = value
        case .choose(let branches):
            for branch in branches where holds(branch.condition) { return try execute(branch.content) }
        case .forEach(let array, let item, let index, let content):
            try loop(try value(array), item, index, content)
        case .foreign: preconditionFailure("a chart that is run does not have these")
        }
    }

    /// Runs a loop (4.6). The list is evaluated once. The variables are declared even if the list is empty.
    private mutating func loop(
        _ array: NaiveValue,
        _ item: String,
        _ index: String?,
        _ content: [ChartDocument.Content]
    ) throws(NaiveFailure) {
        guard case .list(let elements) = array, item != "_event" else { throw NaiveFailure() }
        variables[item] = variables[item] ?? .undefined
        if let index { variables[index] = variables[index] ?? .undefined }
        for (number, element) in elements.enumerated() {
            variables[item] = element
            if let index { variables[index] = .number(Double(number)) }
            try execute(content)
        }
    }

    /// Sends an event (6.2). The error of a failed send contains the id of the send (5.10.1).
    private mutating func dispatch(_ description: ChartDocument.SendDescription) throws(NaiveFailure) {
        var event = NaiveEvent(name: "", sendID: description.id)
        let target: String?
        let type: String?
        var delay: Int64?
        do throws(NaiveFailure) {
            event.name = try text(description.event) ?? ""
            target = try text(description.target)
            type = try text(description.type)
            if let written = try text(description.delay) {
                delay = Int64(written.dropLast(2))
                if delay == nil { throw NaiveFailure() }
            }
        } catch {
            throw NaiveFailure(sendID: description.id)
        }
        event.data = carried(description.payload)
        if let type, type != "scxml" {
            throw NaiveFailure(sendID: description.id)
        }
        switch target {
        case nil: send(event, after: delay)
        case "#_internal"?:
            event.type = "internal"
            raise(event)
        case let name? where name.hasPrefix("#_"):
            // The event was sent and lost, so the block continues.
            raise(NaiveFailure(name: "error.communication", sendID: description.id).event)
        default: throw NaiveFailure(sendID: description.id)
        }
    }

    /// The data of an event (5.7). A parameter that fails is omitted and raises an error. The others are sent.
    mutating func carried(_ payload: ChartDocument.Payload) -> NaiveValue {
        if let content = payload.content {
            return attempt { machine throws(NaiveFailure) in try machine.value(content) } ?? .undefined
        }
        var members: [String: NaiveValue] = [:]
        for parameter in payload.parameters {
            members[parameter.name] = attempt { machine throws(NaiveFailure) in try machine.value(parameter.value) }
        }
        return members.isEmpty ? .undefined : .object(members)
    }

    // MARK: Values

    /// Initializes a variable if it was not initialized before.
    mutating func initialize(_ number: Int) {
        guard initialized.insert(number).inserted else { return }
        let item = chart.data[number]
        let value = attempt { machine throws(NaiveFailure) in try machine.value(item.value) }
        if let value { variables[item.id] = value }
    }

    /// Whether a condition holds (5.9.1). If it fails, it does not hold, and an error is raised.
    mutating func holds(_ condition: ScriptExpression?) -> Bool {
        guard let condition else { return true }
        return attempt { machine throws(NaiveFailure) in try machine.value(condition).holds } ?? false
    }

    private mutating func attempt<T>(_ body: (Self) throws(NaiveFailure) -> T) -> T? {
        do throws(NaiveFailure) {
            return try body(self)
        } catch {
            raise(error.event)
            return nil
        }
    }

    private func value(_ expression: ScriptExpression) throws(NaiveFailure) -> NaiveValue {
        let ids = active.map { chart.states[$0].id }.filter { !$0.isEmpty }
        return try NaiveExpressions(event: current, variables: variables, activeIDs: Set(ids)).value(expression.text)
    }

    private func value(_ source: ChartDocument.ValueSource) throws(NaiveFailure) -> NaiveValue {
        switch source {
        case .none: .undefined
        case .expression(let expression): try value(expression)
        case .text(let text): NaiveValue(written: text)
        }
    }

    private func text(_ source: ChartDocument.TextSource?) throws(NaiveFailure) -> String? {
        switch source {
        case nil: nil
        case .fixed(let text)?: text
        case .computed(let expression)?: try value(expression).text
        }
    }
}
