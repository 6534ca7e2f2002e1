// MARK: - Executable content

extension RecommendationReader {
    mutating func contentKind(_ element: ChartElement, _ attributes: Attributes) -> ChartDocument.Content.Kind? {
        switch Dialect.key(element) {
        case "bd:do": attributes["action"].map { .perform($0) }
        case "raise": attributes["event"].flatMap { sentEvent($0, element) }.map { .raise($0) }
        case "send": .interpreted(.dispatch(readSend(element, attributes)))
        case "cancel": readCancel(element, attributes).map { .interpreted(.cancel($0)) }
        case "log": .interpreted(.log(label: attributes["label"], expression(attributes, "expr", element)))
        case "assign": readAssign(element, attributes).map { .interpreted($0) }
        case "if": .interpreted(.choose(readBranches(element, attributes)))
        case "foreach": readForEach(element, attributes).map { .interpreted($0) }
        case "script", nil: .interpreted(.foreign(foreignSummary(element)))
        default: nil
        }
    }

    private mutating func readAssign(_ element: ChartElement, _ attributes: Attributes) -> ChartDocument.Interpreted? {
        let value = readValue(element, attributes)
        if !element.has("expr"), element.children.isEmpty, !element.hasVisibleText {
            bag.error("E003", element, "<assign> has no value: write it as expr or as text")
        }
        return location(attributes, "location", element).map { .assign($0, value) }
    }

    private mutating func readBranches(_ element: ChartElement, _ attributes: Attributes) -> [ChartDocument.Branch] {
        var branches = [ChartDocument.Branch(condition: expression(attributes, "cond", element))]
        var hasElse = false
        for child in element.children where isAllowed(child, in: element) {
            switch Dialect.key(child) {
            case "elseif"?, "else"?:
                if hasElse {
                    bag.error("E002", child, "<\(child.writtenName)> after <else> is never executed")
                }
                hasElse = hasElse || child.name == "else"
                let condition = expression(checked(child), "cond", child)
                branches.append(ChartDocument.Branch(condition: condition))
            default:
                if let content = readContent(child) { branches[branches.count - 1].content.append(content) }
            }
        }
        return branches
    }

    private mutating func readForEach(_ element: ChartElement, _ attributes: Attributes) -> ChartDocument.Interpreted? {
        let content = readContents(element)
        guard let array = expression(attributes, "array", element), let item = attributes["item"] else { return nil }
        return .forEach(array: array, item: item, index: attributes["index"], content: content)
    }

    // MARK: Send

    private mutating func readSend(_ element: ChartElement, _ attributes: Attributes) -> ChartDocument.SendDescription {
        var send = ChartDocument.SendDescription()
        send.event = text("event", "eventexpr", element, attributes)
        if case .fixed(let name)? = send.event { send.event = sentEvent(name, element).map { .fixed($0) } }
        send.target = text("target", "targetexpr", element, attributes)
        send.type = text("type", "typeexpr", element, attributes)
        send.delay = text("delay", "delayexpr", element, attributes)
        send.id = attributes["id"]
        send.idLocation = location(attributes, "idlocation", element)
        send.payload = readPayload(element, attributes)
        if element.has("id"), element.has("idlocation") {
            bag.error("E003", element, "id and idlocation exclude each other: keep one")
        }
        if !element.has("event"), !element.has("eventexpr"), send.payload.content == nil {
            bag.error("E003", element, "<send> needs the attribute 'event', or 'eventexpr'")
        }
        if attributes["target"] == "#_internal", element.has("delay") || element.has("delayexpr") {
            bag.error("E003", element, "a send to #_internal cannot have a delay: remove the delay")
        }
        return send
    }

    private mutating func readCancel(_ element: ChartElement, _ attributes: Attributes) -> ChartDocument.TextSource? {
        if !element.has("sendid"), !element.has("sendidexpr") {
            bag.error("E003", element, "<cancel> needs the attribute 'sendid', or 'sendidexpr'")
        }
        return text("sendid", "sendidexpr", element, attributes)
    }

    mutating func readDoneData(_ element: ChartElement) -> ChartDocument.Payload {
        readPayload(element, checked(element))
    }

    /// Reads the names, parameters and content of `<send>` or `<donedata>`.
    private mutating func readPayload(_ element: ChartElement, _ attributes: Attributes) -> ChartDocument.Payload {
        var payload = ChartDocument.Payload()
        for word in words(attributes["namelist"]) {
            guard let location: ScriptLocation = script(word, "namelist", element) else { continue }
            payload.names.append(ChartDocument.NamedLocation(name: word, location: location))
        }
        var hasParameters = false
        for child in element.children where isAllowed(child, in: element) {
            let attributes = checked(child)
            if Dialect.key(child) == "param" {
                hasParameters = true
                if let parameter = readParameter(child, attributes) { payload.parameters.append(parameter) }
            } else {
                if payload.content != nil {
                    bag.error("E002", child, "a second <content> in one <\(element.writtenName)>")
                }
                payload.content = readContentValue(child, attributes)
            }
        }
        if payload.content != nil, hasParameters {
            let message = "<content> and <param> in one <\(element.writtenName)> exclude each other: keep one"
            bag.error("E002", element, message)
        }
        if payload.content != nil, element.has("namelist") {
            bag.error("E003", element, "namelist and <content> exclude each other: keep one")
        }
        return payload
    }

    private mutating func readParameter(_ element: ChartElement, _ attributes: Attributes) -> ChartDocument.Parameter? {
        if element.has("expr"), element.has("location") {
            bag.error("E003", element, "expr and location exclude each other: keep one")
            return nil
        }
        guard let name = element.has("location") ? "location" : element.has("expr") ? "expr" : nil else {
            bag.error("E003", element, "<param> needs the attribute 'expr', or 'location'")
            return nil
        }
        guard let value = expression(attributes, name, element), let name = attributes["name"] else { return nil }
        return ChartDocument.Parameter(name: name, value: value)
    }

    /// Reads `<content>`. Without `expr`, the text of the element is the value, even if it is empty.
    private mutating func readContentValue(
        _ element: ChartElement,
        _ attributes: Attributes
    ) -> ChartDocument.ValueSource {
        let value = readValue(element, attributes)
        if case .none = value { return .text("") }
        return value
    }
}

// MARK: - Data

extension RecommendationReader {
    mutating func readData(_ element: ChartElement, owner: Int) {
        _ = checked(element)
        for child in element.children where isAllowed(child, in: element) {
            let attributes = checked(child)
            let value = readValue(child, attributes)
            document.data.append(
                ChartDocument.DataItem(
                    id: identifier(attributes["id"], child),
                    value: value,
                    owner: owner,
                    position: child.position
                )
            )
        }
    }

    /// Reads the value of `<data>`, `<assign>` or `<content>`: the attribute `expr`, or the text of the element.
    private mutating func readValue(_ element: ChartElement, _ attributes: Attributes) -> ChartDocument.ValueSource {
        if let child = element.children.first {
            refuseForeign(child, "<\(child.writtenName)> in <\(element.writtenName)>: XML data is not supported")
            return keepsForeign ? .text("<\(child.writtenName)>") : .none
        }
        let hasText = element.hasVisibleText
        if element.has("expr"), hasText {
            bag.error("E003", element, "<\(element.writtenName)> has expr and text: keep one")
            return .none
        }
        if let expression = expression(attributes, "expr", element) { return .expression(expression) }
        return hasText ? .text(element.text) : .none
    }
}
