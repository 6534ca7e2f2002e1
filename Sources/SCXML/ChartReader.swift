/// A reader that converts the elements of a file into a chart and refuses everything outside the dialect.
///
/// The reader continues after an error as far as possible. Afterwards `ChartResolver` resolves the names.
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
        add(ChartDocument.State(kind: .root, id: "", parent: 0, position: element.position), element, attributes)
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

    mutating func readState(_ element: ChartElement, kind: ChartDocument.State.Kind, parent: Int) {
        let attributes = checked(element)
        let id = attributes["id"] ?? ""
        var state = ChartDocument.State(kind: kind, id: id, parent: parent, position: element.position)
        if let waits = attributes["bd:waits"] {
            state.waitsForever = waits == "forever"
            if waits != "forever" {
                bag.error("E003", element, "bd:waits '\(waits)': only 'forever' is allowed")
            }
        }
        // The generated enum has no case for a history. So a history's name cannot conflict with a reserved case.
        let isReserved = !state.isHistory && Names.impossibleCases.contains(Names.camelCase(id))
        if attributes["id"] != nil, !Names.isEventName(id) || isReserved {
            let rule = "a letter, then letters, digits, _, - and dots"
            let more = state.isHistory ? "" : ", and not a reserved name of Swift enums"
            bag.error("E006", element, "'\(id)' is not a valid state name: \(rule)\(more)")
        }
        let number = document.states.count
        add(state, element, attributes)
        if kind == .parallel, document.states[number].children.isEmpty {
            bag.error("E002", element, "<parallel> has no child state: use <state>")
        }
    }

    // MARK: Content

    mutating func contentKind(_ element: ChartElement, _ attributes: Attributes) -> ChartDocument.Content.Kind? {
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

    private mutating func readSend(_ element: ChartElement, _ attributes: Attributes) -> ChartDocument.Content.Kind? {
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

    mutating func readInputs(_ element: ChartElement) {
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
            addInput(name, child)
        }
    }

    func words(_ text: String?) -> [String] {
        text?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
    }
    func stateNames(_ text: String) -> [String] { words(text) }
}
