/// A chart's parts in the words of its drawing, put together as a text has them:
/// `event [guard] → target / action, action`.
package struct ChartWords: Sendable {
    private let document: ChartDocument
    private let words: DrawingWords
    /// Events that come otherwise than from a timer.
    private let immediateEvents: NameSet

    /// Words for the parts of a chart; states and transitions are named by their numbers in it.
    package init(_ document: ChartDocument) {
        self.document = document
        words = DrawingWords(document: document)
        immediateEvents = ChartWords.immediateEvents(of: document)
    }

    /// The state's name; one without a name is called by its number.
    package func name(of state: Int) -> String { state == 0 ? document.name : words.name(state) }

    /// What the state is: `state`, `parallel`, `final`, `history` or `deep history`; `chart` for the root.
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

    /// The whole transition: `after 2s [mayRetry] → settingSpeed / countRetry`.
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
            // The event ends here: that is how a state keeps it from the states around it.
            parts.append("(ignored)")
        }
        return ChartWords.doing(parts.joined(separator: " "), actions)
    }

    /// `entry / action, action`: something, and what is done then.
    package static func doing(_ words: String, _ actions: [String]) -> String {
        actions.isEmpty ? words : "\(words) / \(actions.joined(separator: ", "))"
    }

    /// What must hold for the transition; nil if nothing must.
    package func condition(of transition: Int) -> String? { words.condition(document.transitions[transition]) }

    /// What the transition does, in order.
    package func actions(of transition: Int) -> [String] { words.actions(document.transitions[transition]) }

    /// What a state does on entry, which timers run while it is active, and what it does on exit.
    package struct Habits: Sendable {
        /// In order.
        package let entry: [String]
        /// `timeout.speed after 2s`: armed on entry and cancelled on exit.
        package let timers: [String]
        /// In order.
        package let exit: [String]
    }

    /// What a state does on entry, while it is active, and on exit.
    package func habits(of state: Int) -> Habits {
        let habits = words.habits(document.states[state])
        return Habits(
            entry: habits.entry,
            timers: habits.timers.map { "\($0.event) after \($0.delay)" },
            exit: habits.exit
        )
    }

    /// What the transition waits for: its descriptors, and `after 2s` for a timer of its own state; nil without any.
    private func trigger(of number: Int) -> String? {
        let transition = document.transitions[number]
        let timers = words.habits(document.states[transition.source]).timers
        return transition.descriptors?.map { descriptor in
            let event = descriptor.tokens.joined(separator: ".")
            let delays = timers.filter { $0.event.isSame(as: event) }.map(\.delay)
            // An event that also comes otherwise keeps its name: `after` would hide that.
            guard !delays.isEmpty, !immediateEvents.contains(event) else { return descriptor.text }
            return "after \(delays.joined(separator: " or "))"
        }.joined(separator: ", ")
    }

    private static func immediateEvents(of document: ChartDocument) -> NameSet {
        var events = NameSet(document.inputs.map(\.name))
        events.formUnion(immediateEvents(of: document.blocks.flatMap(\.block.content)))
        return events
    }

    private static func immediateEvents(of contents: [ChartDocument.Content]) -> NameSet {
        contents.reduce(into: NameSet()) { $0.formUnion(immediateEvents(of: $1)) }
    }

    private static func immediateEvents(of content: ChartDocument.Content) -> NameSet {
        switch content.kind {
        case .raise(let event), .send(let event, _, nil): return [event]
        case .interpreted(.dispatch(let send)):
            guard send.delay == nil, case .fixed(let event) = send.event else { return [] }
            return [event]
        case .interpreted(.choose(let branches)):
            return immediateEvents(of: branches.flatMap(\.content))
        case .interpreted(.forEach(_, _, _, let content)): return immediateEvents(of: content)
        default: return []
        }
    }
}
