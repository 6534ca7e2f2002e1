/// The texts for a chart's parts as its drawing shows them: `event [guard] → target / action, action`.
package struct ChartLabels: Sendable {
    private let document: ChartDocument
    private let words: DrawingLabels
    /// The inputs, and the events that the chart raises or sends without delay.
    private let immediateEvents: NameSet

    /// The texts for a chart. The functions take the numbers of states and transitions.
    package init(_ document: ChartDocument) {
        self.document = document
        words = DrawingLabels(document: document)
        immediateEvents = ChartLabels.immediateEvents(of: document)
    }

    package func name(of state: Int) -> String { state == 0 ? document.name : words.name(state) }

    /// The kind of a state: `state`, `parallel`, `final`, `history` or `deep history`; `chart` for the root.
    package func kind(of state: Int) -> String {
        switch document.states[state].kind {
        case .root: "chart"
        case .state: "state"
        case .parallel: "parallel"
        case .final: "final"
        case .shallowHistory: "history"
        case .deepHistory: "deep history"
        }
    }

    /// The text of a whole transition: `after 2s [mayRetry] → settingSpeed / countRetry`.
    package func transition(_ number: Int) -> String {
        let transition = document.transitions[number]
        let actions = actions(of: number)
        var parts = [trigger(of: number), condition(of: number).map { "[\($0)]" }].compactMap(\.self)
        switch transition.role {
        case .normal: break
        case .initial: parts.append("initial")
        case .history: parts.append("default")
        }
        if !transition.targets.isEmpty {
            parts += ["→", transition.targets.map(name).joined(separator: ", ")]
            if transition.isInternal { parts.append("(internal)") }
        } else if actions.isEmpty {
            // This transition only hides the event from the states around its source state.
            parts.append("(ignored)")
        }
        return ChartLabels.doing(parts.joined(separator: " "), actions)
    }

    /// A text and the actions after it: `entry / action, action`.
    package static func doing(_ words: String, _ actions: [String]) -> String {
        actions.isEmpty ? words : "\(words) / \(actions.joined(separator: ", "))"
    }

    package func condition(of transition: Int) -> String? { words.condition(document.transitions[transition]) }

    package func actions(of transition: Int) -> [String] { words.actions(document.transitions[transition]) }

    package struct StateActions: Sendable {
        package let entry: [String]
        /// The timers that start on entry and are cancelled on exit: `timeout.speed after 2s`.
        package let timers: [String]
        package let exit: [String]
    }

    package func habits(of state: Int) -> StateActions {
        let habits = words.habits(document.states[state])
        return StateActions(
            entry: habits.entry,
            timers: habits.timers.map { "\($0.event) after \($0.delay)" },
            exit: habits.exit
        )
    }

    /// The trigger of a transition: its descriptors, or `after 2s` for a timer of its own state; nil: no trigger.
    private func trigger(of number: Int) -> String? {
        let transition = document.transitions[number]
        let timers = words.habits(document.states[transition.source]).timers
        return transition.descriptors?.map { descriptor in
            let event = descriptor.tokens.joined(separator: ".")
            let delays = timers.filter { $0.event.isSame(as: event) }.map(\.delay)
            // `after 2s` would be wrong for an event that can also occur without a timer. So the event's name is shown.
            guard !delays.isEmpty, !immediateEvents.contains(event) else { return descriptor.text }
            return "after \(delays.joined(separator: " or "))"
        }.joined(separator: ", ")
    }

    private static func immediateEvents(of document: ChartDocument) -> NameSet {
        let contents = document.blocks.flatMap(\.block.content).flatMap { [$0] + $0.descendants }
        return NameSet(document.inputs.map(\.name) + contents.compactMap(immediateEvent))
    }

    private static func immediateEvent(_ content: ChartDocument.Content) -> String? {
        switch content.kind {
        case .raise(let event), .send(let event, _, nil): return event
        case .interpreted(.dispatch(let send)):
            if send.delay == nil, case .fixed(let event)? = send.event { return event }
            return nil
        default: return nil
        }
    }
}
