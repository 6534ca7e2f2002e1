/// Converts the elements of a file into a chart and refuses everything outside the dialect.
///
/// Reading continues after an error as far as possible. `ChartResolver` resolves the names afterwards.
struct ChartReader: ElementReader {
    var document = ChartDocument()
    var bag: DiagnosticBag

    init(_ root: ChartElement, _ bag: DiagnosticBag) {
        self.bag = bag
        readRoot(root)
    }

    // MARK: States

    private mutating func readRoot(_ element: ChartElement) {
        guard Dialect.key(element) == "scxml" else {
            bag.error("E001", element, "the root is <\(element.writtenName)>, not <scxml> of \(Dialect.scxmlNamespace)")
            return
        }
        let attributes = checked(element)
        document.name = attributes["name"] ?? ""
        document.comment = element.comment
        if let name = attributes["name"], !Names.isIdentifier(name) || Names.keywords.contains(name) {
            bag.error("E006", element, "the chart's name '\(name)' cannot be the name of a Swift type")
        }
        if let version = attributes["version"], version != "1.0" {
            bag.error("E003", element, "version '\(version)': only 1.0 exists")
        }
        readDataModel(attributes["datamodel"], element)
        document.failure = words(attributes["bd:failure"]).map { .init(name: $0, position: element.position) }
        var root = ChartDocument.State(kind: .root, id: "", parent: 0, position: element.position)
        root.allowed = allowed(element)
        root.initialAttribute = attributes["initial"].map(words)
        document.states.append(root)
        readChildren(of: 0, element)
        if document.states[0].children.isEmpty {
            bag.error("E002", element, "a chart needs a state")
        }
    }

    private mutating func readDataModel(_ written: String?, _ element: ChartElement) {
        guard let written else { return }
        if let model = ChartDocument.DataModel(rawValue: written), model != .ecmascript {
            document.dataModel = model
        } else {
            bag.error("E004", element, "datamodel '\(written)': use 'swift', whose expressions are names, or 'null'")
            document.dataModel = .swift
        }
    }

    private mutating func readState(_ element: ChartElement, kind: ChartDocument.State.Kind, parent: Int) {
        let attributes = checked(element)
        let number = document.states.count
        var state = ChartDocument.State(
            kind: kind,
            id: attributes["id"] ?? "",
            parent: parent,
            position: element.position
        )
        state.comment = element.comment
        state.allowed = allowed(element)
        state.initialAttribute = attributes["initial"].map(words)
        if let waits = attributes["bd:waits"] {
            state.waitsForever = waits == "forever"
            if waits != "forever" {
                bag.error("E003", element, "bd:waits '\(waits)': only 'forever' is allowed")
            }
        }
        if let id = attributes["id"], !Names.isID(id) || Names.impossibleCases.contains(Names.camelCase(id)) {
            bag.error(
                "E006",
                element,
                "'\(id)' is not a valid state name: a letter, then letters, digits, _, - and dots, "
                    + "and not a reserved name of Swift enums"
            )
        }
        document.states.append(state)
        readChildren(of: number, element)
        if kind == .parallel, document.states[number].children.isEmpty {
            bag.error("E002", element, "<parallel> has no child state: use <state>")
        }
    }

    private mutating func readHistory(_ element: ChartElement, parent: Int) {
        let attributes = checked(element)
        let kind = historyKind(attributes["type"], element)
        let number = document.states.count
        var state = ChartDocument.State(
            kind: kind,
            id: attributes["id"] ?? "",
            parent: parent,
            position: element.position
        )
        state.comment = element.comment
        state.allowed = allowed(element)
        if let id = attributes["id"], !Names.isID(id) {
            bag.error(
                "E006",
                element,
                "'\(id)' is not a valid state name: a letter, then letters, digits, _, - and dots"
            )
        }
        document.states.append(state)
        readChildren(of: number, element)
    }

    private mutating func readChildren(of number: Int, _ element: ChartElement) {
        for child in element.children where isAllowed(child, in: element) {
            switch Dialect.key(child) {
            case "state":
                document.states[number].children.append(document.states.count)
                readState(child, kind: .state, parent: number)
            case "parallel":
                document.states[number].children.append(document.states.count)
                readState(child, kind: .parallel, parent: number)
            case "final":
                document.states[number].children.append(document.states.count)
                readState(child, kind: .final, parent: number)
            case "history":
                document.states[number].histories.append(document.states.count)
                readHistory(child, parent: number)
            case "initial": readInitial(child, of: number)
            case "transition":
                document.states[number].transitions.append(document.transitions.count)
                readTransition(child, role: document.states[number].isHistory ? .history : .normal, source: number)
            case "onentry":
                _ = checked(child)
                let block = readBlock(child)
                document.states[number].entry.append(block)
            case "onexit":
                _ = checked(child)
                let block = readBlock(child)
                document.states[number].exit.append(block)
            case "bd:events": readInputs(child)
            default: break
            }
        }
    }

    // MARK: Transitions and content

    mutating func readTransition(_ element: ChartElement, role: ChartDocument.Transition.Role, source: Int) {
        let attributes = checked(element)
        var transition = ChartDocument.Transition(role: role, source: source, position: element.position)
        transition.comment = element.comment
        transition.allowed = allowed(element)
        if let event = attributes["event"] { transition.descriptors = readDescriptors(event, element) }
        if let condition = attributes["cond"] { transition.condition = readCondition(condition, element) }
        transition.targetNames = attributes["target"].map(words)
        transition.isInternal = isInternal(attributes["type"], element)
        checkRole(attributes, element, role: role)
        document.transitions.append(transition)
        let number = document.transitions.count - 1
        let block = readBlock(element)
        if !block.content.isEmpty { document.transitions[number].content = block }
    }

    private mutating func readBlock(_ element: ChartElement) -> ChartDocument.Block {
        var block = ChartDocument.Block()
        for child in element.children where isAllowed(child, in: element) {
            let attributes = checked(child)
            guard let kind = contentKind(child, attributes) else { continue }
            block.content.append(
                ChartDocument.Content(
                    kind: kind,
                    comment: child.comment,
                    position: child.position,
                    allowed: allowed(child)
                )
            )
        }
        return block
    }

    private mutating func contentKind(
        _ element: ChartElement,
        _ attributes: [String: String]
    ) -> ChartDocument.Content.Kind? {
        switch Dialect.key(element) {
        case "bd:do":
            return attributes["action"].flatMap { isFunctionName($0, element) ? .perform($0) : nil }
        case "raise":
            return attributes["event"].flatMap { isEventName($0, element) ? .raise($0) : nil }
        case "cancel": return attributes["sendid"].map { .cancel($0) }
        case "log": return attributes["label"].map { .log($0) }
        case "send": return readSend(element, attributes)
        default: return nil
        }
    }

    private mutating func readSend(
        _ element: ChartElement,
        _ attributes: [String: String]
    ) -> ChartDocument.Content.Kind? {
        let delay = readDelay(element, attributes)
        guard let event = attributes["event"], isEventName(event, element) else { return nil }
        switch attributes["target"] {
        case nil: return .send(event: event, id: attributes["id"], delay: delay)
        case "#_internal"?:
            bag.error("E004", element, "<send target=\"#_internal\">: write <raise event=\"\(event)\"/>")
        case let other?:
            bag.error("E004", element, "<send target=\"\(other)\">: charts communicate by effects")
        }
        return nil
    }

    // MARK: Inputs

    private mutating func readInputs(_ element: ChartElement) {
        let attributes = checked(element)
        document.imports += words(attributes["import"])
        for module in words(attributes["import"]) where !Names.isIdentifier(module) {
            bag.error("E003", element, "import '\(module)': not the name of a module")
        }
        for child in element.children where isAllowed(child, in: element) {
            let attributes = checked(child)
            guard let name = attributes["name"], isEventName(name, child) else { continue }
            if let payload = attributes["payload"], !Names.isType(payload) {
                bag.error("E003", child, "payload '\(payload)': not the name of a Swift type")
            }
            document.inputs.append(
                ChartDocument.InputDeclaration(
                    name: name,
                    payload: attributes["payload"],
                    comment: child.comment,
                    position: child.position,
                    allowed: allowed(child)
                )
            )
        }
    }

    func words(_ text: String?) -> [String] {
        text?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
    }
}
