// MARK: - Elements and attributes

extension RecommendationReader {
    /// Whether to read `child` in `parent`. Adds a diagnostic for an unknown child that could be an action.
    mutating func isAllowed(_ child: ChartElement, in parent: ChartElement) -> Bool {
        let key = Dialect.key(child)
        let parentKey = Dialect.key(parent) ?? ""
        if let key, Recommendation.elements[parentKey]?.children.contains(key) == true {
            // An empty <datamodel> needs no data model, so it is allowed.
            guard !hasData, Recommendation.elementsWithData.contains(key), key != "datamodel" || !child.children.isEmpty
            else { return true }
            refuseForeign(child, "<\(child.writtenName)> needs datamodel=\"ecmascript\"")
            return keepsForeign
        }
        guard let key, !key.hasPrefix("bd:") || key == "bd:do" else {
            let isNote = Recommendation.editorNamespaces.contains(child.namespace)
            if Recommendation.executable.contains(parentKey), !isNote {
                let problem = "<\(child.writtenName)> of namespace '\(child.namespace)' is unknown"
                refuseForeign(child, problem)
                return keepsForeign && Recommendation.hasContent(parentKey)
            }
            return false
        }
        if keepsForeign, Recommendation.canShow(key, in: parentKey) { return true }
        if !keepsForeign, let reason = Recommendation.refusedElements[key] {
            bag.error("E004", child, "<\(child.writtenName)> is not supported: \(reason)")
        } else if Recommendation.elements[key] == nil, Recommendation.refusedElements[key] == nil {
            let hint = Names.suggestion(for: String(key.prefix(64)), among: Recommendation.elements.keys.sorted())
            bag.error("E002", child, "<\(child.writtenName)> is unknown\(hint)")
        } else {
            bag.error("E002", child, "<\(child.writtenName)> is not allowed in <\(parent.writtenName)>")
        }
        return false
    }

    /// The element's attributes. Adds diagnostics for missing and refused attributes, and notes for ignored attributes.
    mutating func checked(_ element: ChartElement) -> Attributes {
        guard let key = Dialect.key(element), let rule = Recommendation.elements[key] else { return [:] }
        var result: Attributes = [:]
        for attribute in element.attributes {
            let name = Dialect.key(attribute)
            if let reason = Recommendation.refusedAttributes[key]?[name] {
                refuseForeign(element, "<\(element.writtenName) \(name)> is not supported: \(reason)")
            } else if !keepsForeign, !hasData, Recommendation.attributesWithData[key]?.contains(name) == true {
                refuseForeign(element, "<\(element.writtenName) \(name)> needs datamodel=\"ecmascript\"")
            } else if rule.required.contains(name) || rule.optional.contains(name) {
                result[name] = attribute.value
            } else if name == "initial" {
                bag.error("E003", element, "<\(element.writtenName)> has no attribute 'initial'")
            } else if !Recommendation.isSilent(attribute) {
                note(element, "the attribute '\(name)' of <\(element.writtenName)> has no effect and is ignored")
            }
        }
        for name in rule.required where result[name] == nil {
            bag.error("E003", element, "<\(element.writtenName)> needs the attribute '\(name)'")
        }
        if rule.hasText { return result }
        if element.hasVisibleText { note(element, "text in <\(element.writtenName)> is not allowed and is ignored") }
        if rule.children.isEmpty {
            // No other function reads the children of such an element.
            for child in element.children { _ = isAllowed(child, in: element) }
        }
        return result
    }

    /// Refuses an unsupported element. A picture shows the element instead.
    mutating func refuseForeign(_ element: ChartElement, _ message: String) {
        if !keepsForeign { bag.error("E004", element, message) }
    }

    /// The text for an unsupported element: `script: x = f(y)`, `invoke timer.scxml as clock`, `<my:action>`.
    func foreignSummary(_ element: ChartElement) -> String {
        switch Dialect.key(element) {
        case "script":
            let source = element.value("src") ?? element.text.words.joined(separator: " ")
            return "script: " + Self.excerpt(source)
        case "invoke":
            let source = element.value("src") ?? element.value("srcexpr") ?? "a chart within"
            let kind = (element.value("type") ?? element.value("typeexpr")).map { " of type \($0)" } ?? ""
            let id = (element.value("id") ?? element.value("idlocation")).map { " as \($0)" } ?? ""
            return "invoke " + Self.excerpt(source) + kind + id
        default: return "<\(element.writtenName)>"
        }
    }

    private static func excerpt(_ text: String) -> String {
        let lengthMax = 60
        return text.count > lengthMax ? text.prefix(lengthMax) + "…" : text
    }

    /// Adds a note about an ignored part. The number of notes is limited.
    mutating func note(_ element: ChartElement, _ message: String) {
        guard document.notes.count < ChartDocument.notesMax else { return }
        let note = Diagnostic(position: element.position, severity: .warning, code: "W100", message: message)
        document.notes.append(note)
    }
}

extension ChartElement {
    /// Whether the element directly contains text other than white space.
    var hasVisibleText: Bool { text.contains { !$0.isWhitespace } }
}

// MARK: - Values

extension RecommendationReader {
    /// The value of an `xsd:ID`: any text without white space. A missing attribute gives an empty name.
    mutating func identifier(_ text: String?, _ element: ChartElement) -> String {
        guard let text else { return "" }
        let words = words(text)
        if words.count != 1 { bag.error("E003", element, "id '\(text)': an id cannot contain spaces") }
        return words.first ?? ""
    }

    /// The name of a raised or sent event: tokens with single dots between them.
    mutating func sentEvent(_ text: String, _ element: ChartElement) -> String? {
        let words = words(text)
        if text.unicodeScalars.contains("*") {
            bag.error("E011", element, "'\(text)' is sent, so it must be one event without a wildcard")
            return nil
        }
        guard words.count == 1, !words[0].tokens().contains(where: \.isEmpty) else {
            bag.error("E011", element, "'\(text)' is not a valid event name: no spaces, parts separated by dots")
            return nil
        }
        return words[0]
    }

    mutating func readDescriptors(_ text: String, _ element: ChartElement) -> [EventDescriptor] {
        let words = words(text)
        if words.isEmpty { bag.error("E011", element, "event is empty: omit it, or name an event") }
        var descriptors: [EventDescriptor] = []
        for word in words {
            if let descriptor = EventDescriptor(word), descriptor.tokens.count <= RunEvents.tokensMax {
                descriptors.append(descriptor)
            } else {
                let problem =
                    "'\(word.prefix(64))' is not a valid event descriptor: names separated by dots, at most "
                    + "\(RunEvents.tokensMax), '*' only at the end"
                bag.error("E011", element, problem)
            }
        }
        return descriptors
    }

    mutating func readCondition(_ text: String, _ element: ChartElement) -> ChartDocument.Expression? {
        script(text, "cond", element).map { .script($0) }
    }

    /// Reads a text from an attribute, or an expression for the text from the attribute with the ending `expr`.
    mutating func text(
        _ name: String,
        _ computed: String,
        _ element: ChartElement,
        _ attributes: Attributes
    ) -> ChartDocument.TextSource? {
        if element.has(name), element.has(computed) {
            bag.error("E003", element, "\(name) and \(computed) exclude each other: keep one")
            return nil
        }
        if let text = attributes[name] { return .fixed(text) }
        return expression(attributes, computed, element).map { .computed($0) }
    }

    mutating func expression(_ attributes: Attributes, _ name: String, _ element: ChartElement) -> ScriptExpression? {
        attributes[name].flatMap { script($0, name, element) }
    }

    mutating func location(_ attributes: Attributes, _ name: String, _ element: ChartElement) -> ScriptLocation? {
        attributes[name].flatMap { script($0, name, element) }
    }

    /// Parses an expression or a location. An invalid text is an error only when the chart uses it.
    mutating func script<Script: ScriptText>(_ text: String, _ name: String, _ element: ChartElement) -> Script? {
        do {
            return try Script(text)
        } catch {
            let excerpt = text.count > 60 ? text.prefix(60) + "…" : text[...]
            if !hasForeignExpressions { refuseForeign(element, "\(name) '\(excerpt)': \(error)") }
            return keepsForeign ? Script(unread: text) : nil
        }
    }

    /// The names of the states in an attribute's value, without duplicates.
    func stateNames(_ text: String) -> [String] {
        var seen = NameSet()
        return words(text).filter { seen.insert($0) }
    }

    func words(_ text: String?) -> [String] {
        text?.words ?? []
    }
}
