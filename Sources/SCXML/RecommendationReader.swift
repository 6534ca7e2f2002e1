/// A reader that converts the elements of a file into a chart by the rules of W3C SCXML. It supports data and all
/// executable content except scripts. The limits of the dialect do not apply.
///
/// The reader refuses an unknown part that could be an action. It ignores any other unknown part and adds a note. It
/// continues after an error as far as possible. Afterwards `ChartResolver` resolves the names.
struct RecommendationReader: ElementReader {
    var document = ChartDocument()
    var bag: DiagnosticBag
    /// Whether the language of expressions is unknown, so that errors in expressions are not reported.
    private(set) var hasForeignExpressions = false

    /// Whether the reader keeps unsupported elements as text for a picture.
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
        add(ChartDocument.State(kind: .root, id: "", parent: 0, position: element.position), element, attributes)
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

    mutating func readState(_ element: ChartElement, kind: ChartDocument.State.Kind, parent: Int) {
        let attributes = checked(element)
        let id = identifier(attributes["id"], element)
        var state = ChartDocument.State(kind: kind, id: id, parent: parent, position: element.position)
        state.waitsForever = element.value("bd:waits") == "forever"
        let number = document.states.count
        add(state, element, attributes)
        // Without regions this is an atomic state (appendix D: an atomic state has no child states).
        if kind == .parallel, document.states[number].children.isEmpty { document.states[number].kind = .state }
    }

    mutating func readOther(_ child: ChartElement, of state: Int) {
        switch Dialect.key(child) {
        case "datamodel": readData(child, owner: state)
        case "donedata": document.states[state].doneData = readDoneData(child)
        case "script", "invoke": document.states[state].foreign.append(foreignSummary(child))
        default: break
        }
    }

    // MARK: Inputs

    /// Reads the inputs that a chart declares for its compiler. Here only the names are used, so errors are ignored.
    mutating func readInputs(_ element: ChartElement) {
        document.imports += words(element.value("import"))
        var known = NameSet(document.inputs.map(\.name))
        for child in element.children where Dialect.key(child) == "bd:input" {
            guard let name = child.value("name"), !name.isEmpty, known.insert(name) else { continue }
            addInput(name, child)
        }
    }
}
