/// The common part of both readers: initial elements, histories and transitions.
protocol ElementReader {
    var document: ChartDocument { get set }
    var bag: DiagnosticBag { get set }

    /// The element's attributes; adds a diagnostic for each missing or forbidden one.
    mutating func checked(_ element: ChartElement) -> [String: String]
    /// Whether `child` is allowed in `parent`; adds a diagnostic if not.
    mutating func isAllowed(_ child: ChartElement, in parent: ChartElement) -> Bool
    mutating func readTransition(_ element: ChartElement, role: ChartDocument.Transition.Role, source: Int)
}

extension ElementReader {
    mutating func readInitial(_ element: ChartElement, of state: Int) {
        _ = checked(element)
        document.states[state].initialElements += 1
        if document.states[state].initialElements == 2 {
            let title = document.states[state].title
            bag.error("E008", element, "a second <initial> in state \(title): keep one")
        }
        let transitions = element.children.filter { isAllowed($0, in: element) }
        if transitions.count != 1 {
            bag.error("E008", element, "<initial> needs one transition, but has \(transitions.count)")
        }
        for child in transitions {
            let number = document.transitions.count
            readTransition(child, role: .initial, source: state)
            if document.states[state].initialTransition == nil { document.states[state].initialTransition = number }
        }
    }

    mutating func historyKind(_ type: String?, _ element: ChartElement) -> ChartDocument.State.Kind {
        switch type {
        case nil, "shallow": return .shallowHistory
        case "deep": return .deepHistory
        case let other?:
            bag.error("E003", element, "history type '\(other)': write 'shallow' or 'deep'")
            return .shallowHistory
        }
    }

    mutating func isInternal(_ type: String?, _ element: ChartElement) -> Bool {
        switch type {
        case nil, "external": return false
        case "internal": return true
        case let other?:
            bag.error("E003", element, "transition type '\(other)': write 'internal' or 'external'")
            return false
        }
    }

    /// Checks the required and forbidden attributes of each kind of transition.
    mutating func checkRole(
        _ attributes: [String: String],
        _ element: ChartElement,
        role: ChartDocument.Transition.Role
    ) {
        let (code, name) = role == .initial ? ("E008", "<initial>") : ("E009", "<history>")
        let hasTarget = attributes["target"]?.contains { !$0.isWhitespace } == true
        let problem: (code: String, message: String)? =
            if role == .normal {
                if attributes["target"] != nil, !hasTarget {
                    ("E003", "target is empty: omit it, or name a state")
                } else if attributes["event"] == nil, attributes["cond"] == nil, attributes["target"] == nil {
                    ("E014", "a transition without event, cond and target would repeat without end")
                } else {
                    nil
                }
            } else if attributes["event"] != nil || attributes["cond"] != nil {
                (code, "the transition of \(name) is always taken: remove its event and cond")
            } else if !hasTarget {
                (code, "the transition of \(name) needs a target")
            } else {
                nil
            }
        if let problem { bag.error(problem.code, element.position, problem.message) }
    }
}
