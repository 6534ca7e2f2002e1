/// The common part of both readers: it reads states, transitions and the order of content.
protocol ElementReader {
    var document: ChartDocument { get set }
    var bag: DiagnosticBag { get set }

    /// The values of an element's attributes, by name.
    typealias Attributes = [String: String]

    /// The element's attributes. Adds a diagnostic for each missing or forbidden attribute.
    mutating func checked(_ element: ChartElement) -> Attributes
    /// Whether `child` is allowed in `parent`. Adds a diagnostic if it is not.
    mutating func isAllowed(_ child: ChartElement, in parent: ChartElement) -> Bool
    mutating func readState(_ element: ChartElement, kind: ChartDocument.State.Kind, parent: Int)
    mutating func readInputs(_ element: ChartElement)
    /// Reads a child of a state that only one of the two readers allows.
    mutating func readOther(_ child: ChartElement, of state: Int)
    mutating func readDescriptors(_ text: String, _ element: ChartElement) -> [EventDescriptor]
    mutating func readCondition(_ text: String, _ element: ChartElement) -> ChartDocument.Expression?
    mutating func contentKind(_ element: ChartElement, _ attributes: Attributes) -> ChartDocument.Content.Kind?
    func words(_ text: String?) -> [String]
    /// The names of the states in an attribute's value.
    func stateNames(_ text: String) -> [String]
}

extension ElementReader {
    mutating func readOther(_ child: ChartElement, of state: Int) {}

    func allowed(_ element: ChartElement) -> Set<String> {
        Set(words(element.value("bd:allow")))
    }

    // MARK: States

    /// Adds a state, a history or the root, with all elements inside it.
    mutating func add(_ given: ChartDocument.State, _ element: ChartElement, _ attributes: Attributes) {
        let number = document.states.count
        var state = given
        state.allowed = allowed(element)
        state.initialAttribute = attributes["initial"].map(stateNames)
        if state.kind != .root { state.comment = element.comment }
        document.states.append(state)
        if state.isHistory {
            document.states[state.parent].histories.append(number)
        } else if state.kind != .root {
            document.states[state.parent].children.append(number)
        }
        readChildren(of: number, element)
    }

    private mutating func readChildren(of number: Int, _ element: ChartElement) {
        var counts: [String: Int] = [:]
        for child in element.children where isAllowed(child, in: element) {
            let key = Dialect.key(child) ?? ""
            counts[key, default: 0] += 1
            switch key {
            case "state": readState(child, kind: .state, parent: number)
            case "parallel": readState(child, kind: .parallel, parent: number)
            case "final": readState(child, kind: .final, parent: number)
            case "history": readState(child, kind: historyKind(child.value("type"), child), parent: number)
            case "initial": readInitial(child, of: number)
            case "transition":
                document.states[number].transitions.append(document.transitions.count)
                readTransition(child, role: document.states[number].isHistory ? .history : .normal, source: number)
            case "onentry": document.states[number].entry.append(readBlock(child))
            case "onexit": document.states[number].exit.append(readBlock(child))
            case "bd:events": readInputs(child)
            default: readOther(child, of: number)
            }
            if counts[key] == 2, key == "datamodel" || key == "donedata" {
                bag.error("E002", child, "a second <\(child.writtenName)> in one <\(element.writtenName)>")
            }
        }
    }

    private mutating func readInitial(_ element: ChartElement, of state: Int) {
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

    private mutating func historyKind(_ type: String?, _ element: ChartElement) -> ChartDocument.State.Kind {
        switch type {
        case nil, "shallow": return .shallowHistory
        case "deep": return .deepHistory
        case let other?:
            bag.error("E003", element, "history type '\(other)': write 'shallow' or 'deep'")
            return .shallowHistory
        }
    }

    private mutating func isInternal(_ type: String?, _ element: ChartElement) -> Bool {
        switch type {
        case nil, "external": return false
        case "internal": return true
        case let other?:
            bag.error("E003", element, "transition type '\(other)': write 'internal' or 'external'")
            return false
        }
    }

    // MARK: Transitions and content

    private mutating func readTransition(
        _ element: ChartElement,
        role: ChartDocument.Transition.Role,
        source: Int
    ) {
        let attributes = checked(element)
        var transition = ChartDocument.Transition(role: role, source: source, position: element.position)
        transition.comment = element.comment
        transition.allowed = allowed(element)
        transition.descriptors = attributes["event"].map { readDescriptors($0, element) }
        transition.condition = attributes["cond"].flatMap { readCondition($0, element) }
        transition.targetNames = attributes["target"].map(stateNames)
        transition.isInternal = isInternal(attributes["type"], element)
        checkRole(attributes, element, role: role)
        let number = document.transitions.count
        document.transitions.append(transition)
        let block = readBlock(element)
        if !block.content.isEmpty { document.transitions[number].content = block }
    }

    private mutating func readBlock(_ element: ChartElement) -> ChartDocument.Block {
        if Dialect.key(element) != "transition" { _ = checked(element) }
        return ChartDocument.Block(content: readContents(element))
    }

    mutating func readContents(_ element: ChartElement) -> [ChartDocument.Content] {
        var contents: [ChartDocument.Content] = []
        for child in element.children where isAllowed(child, in: element) {
            if let content = readContent(child) { contents.append(content) }
        }
        return contents
    }

    mutating func readContent(_ element: ChartElement) -> ChartDocument.Content? {
        let (comment, position, allowed) = (element.comment, element.position, allowed(element))
        return contentKind(element, checked(element)).map {
            ChartDocument.Content(kind: $0, comment: comment, position: position, allowed: allowed)
        }
    }

    /// Checks the required and forbidden attributes of each kind of transition.
    private mutating func checkRole(
        _ attributes: Attributes,
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

    // MARK: Inputs

    mutating func addInput(_ name: String, _ element: ChartElement) {
        document.inputs.append(
            ChartDocument.InputDeclaration(
                name: name,
                payload: element.value("payload"),
                comment: element.comment,
                position: element.position,
                allowed: allowed(element)
            )
        )
    }
}
