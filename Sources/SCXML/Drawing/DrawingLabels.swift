/// The texts of states and transitions in drawings. All formats use the same texts.
struct DrawingLabels {
    let document: ChartDocument

    /// A timer that runs while its state is active: it starts on entry and is cancelled on exit.
    struct Timer {
        var event: String
        var delay: String
    }

    struct StateActions {
        /// The texts of unsupported elements.
        var foreign: [String] = []
        var entry: [String] = []
        var timers: [Timer] = []
        var exit: [String] = []
    }

    /// A state's name, or `#` and its number if it has no name, as in `scxml run`.
    func name(_ state: Int) -> String {
        let id = document.states[state].id
        return id.isEmpty ? "#\(state)" : id
    }

    func events(_ transition: ChartDocument.Transition) -> [String] {
        transition.descriptors?.map(\.text) ?? []
    }

    func condition(_ transition: ChartDocument.Transition) -> String? {
        switch transition.condition {
        case nil: nil
        case .guardName(let name, let negated): negated ? "not \(name)" : name
        case .isIn(let state, let negated): negated ? "not in \(state)" : "in \(state)"
        case .script(let expression): expression.text
        }
    }

    func actions(_ transition: ChartDocument.Transition) -> [String] {
        transition.content?.content.map(words) ?? []
    }

    /// The text `event [guard] / action, action`. Empty if the transition has none of these parts.
    func label(_ transition: ChartDocument.Transition) -> String {
        var parts: [String] = []
        let events = events(transition)
        if !events.isEmpty { parts.append(events.joined(separator: ", ")) }
        if let condition = condition(transition) { parts.append("[\(condition)]") }
        let actions = actions(transition)
        if !actions.isEmpty { parts.append("/ " + actions.joined(separator: ", ")) }
        return parts.joined(separator: " ")
    }

    /// A state's actions and timers. A timer that starts on entry and is cancelled on exit is listed once.
    func habits(_ state: ChartDocument.State) -> StateActions {
        let exits = state.exit.flatMap(\.content)
        let cancelled = NameSet(exits.compactMap(cancelledID))
        var habits = StateActions(foreign: state.foreign)
        var timed = NameSet()
        for content in state.entry.flatMap(\.content) {
            if let (id, timer) = timer(content), cancelled.contains(id) {
                habits.timers.append(timer)
                _ = timed.insert(id)
            } else {
                habits.entry.append(words(content))
            }
        }
        for content in exits {
            if let id = cancelledID(content), timed.contains(id) { continue }
            habits.exit.append(words(content))
        }
        return habits
    }

    private func timer(_ content: ChartDocument.Content) -> (id: String, timer: Timer)? {
        switch content.kind {
        case .send(let event, let id?, let delay?):
            return (id, Timer(event: event, delay: words(delay)))
        case .interpreted(.dispatch(let send)):
            guard let id = send.id, let delay = send.delay, case .fixed(let event) = send.event else { return nil }
            return (id, Timer(event: event, delay: words(delay)))
        default: return nil
        }
    }

    private func cancelledID(_ content: ChartDocument.Content) -> String? {
        switch content.kind {
        case .cancel(let id), .interpreted(.cancel(.fixed(let id))): id
        default: nil
        }
    }

    func words(_ content: ChartDocument.Content) -> String {
        switch content.kind {
        case .perform(let name): name
        case .raise(let event): "raise \(event)"
        case .send(let event, _, nil): "send \(event)"
        case .send(let event, _, let delay?): "send \(event) after \(words(delay))"
        case .cancel(let id): "cancel \(id)"
        case .log(let line): "log \"\(line)\""
        case .interpreted(let content): words(content)
        }
    }

    private func words(_ delay: ChartDocument.Delay) -> String {
        switch delay {
        case .named(let name): return name
        case .milliseconds(let milliseconds):
            guard milliseconds >= 1_000 else { return "\(milliseconds)ms" }
            let rest = milliseconds % 1_000
            guard rest > 0 else { return "\(milliseconds / 1_000)s" }
            var digits = String(1_000 + rest).dropFirst()
            while digits.hasSuffix("0") { digits.removeLast() }
            return "\(milliseconds / 1_000).\(digits)s"
        }
    }
}

extension ChartDocument {
    /// The children and histories of a state, in document order.
    func contents(of state: Int) -> [Int] {
        (states[state].children + states[state].histories).sorted()
    }

    /// The child that is entered by default, if an arrow from a dot can show this. Any other default needs a row.
    func plainInitial(of state: Int) -> Int? {
        let found = states[state]
        guard !found.children.isEmpty, found.kind == .state || found.kind == .root, found.initial.count == 1,
            let target = found.initial.first, found.children.contains(target)
        else { return nil }
        return target
    }
}
