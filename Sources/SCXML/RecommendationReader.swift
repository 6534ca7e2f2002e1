/// Converts the elements of a file into a chart by the rules of the recommendation: without the dialect's limits, with
/// data and all executable content except scripts.
///
/// Unknown parts are ignored with a note if nothing depends on them, and refused if they would be actions. Reading
/// continues after an error as far as possible. `ChartResolver` resolves the names afterwards.
struct RecommendationReader: ElementReader {
    var document = ChartDocument()
    var bag: DiagnosticBag
    /// Whether the language of expressions is unknown, so that errors in them are not reported.
    private(set) var hasForeignExpressions = false

    /// Whether unsupported elements are stored as text for a picture.
    let keepsForeign: Bool

    init(_ root: ChartElement, _ bag: DiagnosticBag, keepsForeign: Bool = false) {
        self.bag = bag
        self.keepsForeign = keepsForeign
        readRoot(root)
    }

    var hasData: Bool { document.dataModel == .ecmascript || hasForeignExpressions }

    // MARK: States

    private mutating func readRoot(_ element: ChartElement) {
        guard Dialect.key(element) == "scxml" else {
            let name = element.writtenName
            bag.error("E001", element, "the root is <\(name)>, not <scxml> of \(Dialect.scxmlNamespace)")
            return
        }
        let attributes = checked(element)
        document.name = attributes["name"] ?? ""
        document.comment = element.comment
        if let version = attributes["version"], version != "1.0" {
            note(element, "version '\(version)' is read as 1.0, the only version")
        }
        readDataModel(attributes["datamodel"], element)
        switch attributes["binding"] {
        case nil, "early": break
        case "late": document.bindsLate = true
        case let other?: bag.error("E003", element, "binding '\(other)': expected 'early' or 'late'")
        }
        var root = ChartDocument.State(kind: .root, id: "", parent: 0, position: element.position)
        root.initialAttribute = attributes["initial"].map(stateNames)
        document.states.append(root)
        readChildren(of: 0, element)
        if document.states[0].children.isEmpty {
            bag.error("E002", element, "the chart has no state")
        }
    }

    private mutating func readDataModel(_ written: String?, _ element: ChartElement) {
        guard let written else { return }
        if let model = ChartDocument.DataModel(rawValue: written) {
            document.dataModel = model
        } else {
            hasForeignExpressions = true
            let problem = "datamodel '\(written)' is not supported: use 'null', 'ecmascript' or 'swift'"
            refuseForeign(element, problem)
        }
    }

    private mutating func readState(_ element: ChartElement, kind: ChartDocument.State.Kind, parent: Int) {
        let attributes = checked(element)
        let number = document.states.count
        var state = ChartDocument.State(
            kind: kind,
            id: identifier(attributes["id"], element),
            parent: parent,
            position: element.position
        )
        state.comment = element.comment
        state.initialAttribute = attributes["initial"].map(stateNames)
        state.waitsForever = element.value("bd:waits") == "forever"
        document.states.append(state)
        if state.isHistory {
            document.states[parent].histories.append(number)
        } else {
            document.states[parent].children.append(number)
        }
        readChildren(of: number, element)
        // Without regions it is an atomic state (appendix D: atomic is a state without child states).
        if kind == .parallel, document.states[number].children.isEmpty { document.states[number].kind = .state }
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
                let role: ChartDocument.Transition.Role = document.states[number].isHistory ? .history : .normal
                document.states[number].transitions.append(document.transitions.count)
                readTransition(child, role: role, source: number)
            case "onentry": document.states[number].entry.append(readBlock(child))
            case "onexit": document.states[number].exit.append(readBlock(child))
            case "datamodel": readData(child, owner: number)
            case "donedata": document.states[number].doneData = readDoneData(child)
            case "bd:events": readInputs(child)
            case "script", "invoke": document.states[number].foreign.append(foreignWords(child))
            default: break
            }
            if counts[key] == 2, key == "datamodel" || key == "donedata" {
                bag.error("E002", child, "a second <\(child.writtenName)> in one <\(element.writtenName)>")
            }
        }
    }

    // MARK: Transitions

    mutating func readTransition(_ element: ChartElement, role: ChartDocument.Transition.Role, source: Int) {
        let attributes = checked(element)
        var transition = ChartDocument.Transition(role: role, source: source, position: element.position)
        transition.comment = element.comment
        if let event = attributes["event"] { transition.descriptors = readDescriptors(event, element) }
        if let condition = attributes["cond"] {
            transition.condition = expression(condition, "cond", element).map { .script($0) }
        }
        transition.targetNames = attributes["target"].map(stateNames)
        transition.isInternal = isInternal(attributes["type"], element)
        checkRole(attributes, element, role: role)
        let number = document.transitions.count
        document.transitions.append(transition)
        let block = readBlock(element)
        if !block.content.isEmpty { document.transitions[number].content = block }
    }

    // MARK: Inputs

    /// Tools for compiled charts need these; here they are only names, and errors in them are harmless.
    private mutating func readInputs(_ element: ChartElement) {
        document.imports += words(element.value("import"))
        var known = NameSet(document.inputs.map(\.name))
        for child in element.children where Dialect.key(child) == "bd:input" {
            guard let name = child.value("name"), !name.isEmpty, known.insert(name) else { continue }
            document.inputs.append(
                ChartDocument.InputDeclaration(
                    name: name,
                    payload: child.value("payload"),
                    comment: child.comment,
                    position: child.position,
                    allowed: []
                )
            )
        }
    }
}
