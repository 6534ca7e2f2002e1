// MARK: - Elements and attributes

extension ChartReader {
    /// Whether `child` is allowed in `parent`. Adds a diagnostic if it is not.
    mutating func isAllowed(_ child: ChartElement, in parent: ChartElement) -> Bool {
        guard let key = Dialect.key(child) else {
            bag.error("E002", child, "<\(child.writtenName)> of namespace '\(child.namespace)' is unknown: remove it")
            return false
        }
        if let instead = Dialect.refusedElements[key] {
            bag.error("E004", child, "<\(child.writtenName)> is not supported: \(instead)")
            return false
        }
        guard Dialect.elements[key] != nil else {
            let known = Dialect.elements[Dialect.key(parent) ?? ""]?.children ?? []
            let hint = Names.advice(for: key, among: known, "<\(parent.writtenName)> can have")
            bag.error("E002", child, "<\(child.writtenName)> is unknown\(hint)")
            return false
        }
        let parentKey = Dialect.key(parent) ?? ""
        guard Dialect.elements[parentKey]?.children.contains(key) == true else {
            bag.error(
                "E002",
                child,
                "<\(child.writtenName)> is not allowed in <\(parent.writtenName)>\(Dialect.places(of: key))"
            )
            return false
        }
        return true
    }

    /// The element's attributes. Adds a diagnostic for each missing or forbidden attribute.
    mutating func checked(_ element: ChartElement) -> Attributes {
        guard let key = Dialect.key(element), let rule = Dialect.elements[key] else { return [:] }
        var result: Attributes = [:]
        let known = rule.required + rule.optional
        for attribute in element.attributes {
            let name = Dialect.key(attribute)
            if known.contains(name) {
                result[name] = attribute.value
            } else if let instead = Dialect.refusedAttributes[key]?[name] {
                bag.error("E004", element, "<\(element.writtenName) \(name)> is not supported: \(instead)")
            } else if name != "bd:allow", name != "bd:why" {
                let hint = Names.advice(for: name, among: known, "it can have")
                bag.error("E003", element, "<\(element.writtenName)> has no attribute '\(name)'\(hint)")
            }
        }
        for name in rule.required where result[name] == nil {
            if Dialect.refusedAttributes[key]?.keys.contains(where: { $0 == name + "expr" && element.has($0) }) == true
            {
                continue
            }
            bag.error("E003", element, "<\(element.writtenName)> needs the attribute '\(name)'")
        }
        if element.hasText {
            bag.error(
                "E002",
                element,
                "<\(element.writtenName)> contains text; only elements and comments are allowed there"
            )
        }
        checkLeaf(element, rule)
        checkAllowance(element)
        return result
    }

    /// Checks the children of an element that must not have any. No other function reads these children.
    private mutating func checkLeaf(_ element: ChartElement, _ rule: Dialect.Element) {
        guard rule.children.isEmpty else { return }
        for child in element.children { _ = isAllowed(child, in: element) }
    }

    private mutating func checkAllowance(_ element: ChartElement) {
        let codes = words(element.value("bd:allow"))
        let why = element.value("bd:why") ?? ""
        if element.value("bd:allow") == nil {
            if element.has("bd:why") {
                bag.error("E003", element, "bd:why without bd:allow has no effect: add bd:allow, or remove it")
            }
            return
        }
        if !why.contains(where: { !$0.isWhitespace }) {
            bag.error("E003", element, "bd:allow needs bd:why with the reason")
        }
        if codes.isEmpty { bag.error("E003", element, "bd:allow names no warning: name one, or remove it") }
        for code in codes where !Self.warningCodes.contains(code) {
            bag.error("E003", element, "bd:allow '\(code)': there is no such warning (W101 to W115)")
        }
    }

    private static let warningCodes = Set((101...115).map { "W\($0)" })
}

extension ChartElement {
    func value(_ key: String) -> String? {
        attributes.first { Dialect.key($0) == key }?.value
    }

    func has(_ key: String) -> Bool { value(key) != nil }
}

// MARK: - Values

extension ChartReader {
    mutating func isEventName(_ name: String, _ element: ChartElement) -> Bool {
        if name.contains("*") {
            bag.error("E011", element, "'\(name)' is sent, so it must be one event without a wildcard")
            return false
        }
        guard Names.isEventName(name) else {
            bag.error(
                "E006",
                element,
                "'\(name)' is not a valid event name: a letter, then letters, digits, _, - and single dots"
            )
            return false
        }
        return true
    }

    /// Whether a guard, delay or action can have this name in Swift. Adds a diagnostic if it cannot.
    mutating func isFunctionName(_ name: String, _ element: ChartElement) -> Bool {
        if Names.keywords.contains(name) || Names.takenFunctions.contains(name) {
            bag.error("E013", element, "'\(name)' is reserved by Swift or by the engine: choose another name")
            return false
        }
        guard Names.isIdentifier(name) else {
            bag.error("E013", element, "'\(name)' is not a name: give the expression a name and write it in Swift")
            return false
        }
        return true
    }

    mutating func readDescriptors(_ text: String, _ element: ChartElement) -> [EventDescriptor] {
        let words = words(text)
        if words.isEmpty { bag.error("E011", element, "event is empty: omit it, or name an event") }
        return words.compactMap { word in
            guard let descriptor = EventDescriptor(word) else {
                bag.error(
                    "E011",
                    element,
                    "'\(word)' is not a valid event descriptor: names separated by dots, '*' only at the end"
                )
                return nil
            }
            return descriptor
        }
    }

    mutating func readCondition(_ text: String, _ element: ChartElement) -> ChartDocument.Expression? {
        var body = text.trimmed
        let negated = body.hasPrefix("!")
        if negated { body = body.dropFirst().trimmed }
        if let id = Self.argumentOfIn(body) { return .isIn(id, negated: negated) }
        if document.dataModel == .null {
            bag.error("E013", element, "cond '\(text)': with datamodel null only In('id') and !In('id') exist")
            return nil
        }
        guard Names.isIdentifier(body) else {
            bag.error(
                "E013",
                element,
                "cond '\(text)' is not a name, !name, In('id') or !In('id'); "
                    + "give the condition a name and write it in Swift"
            )
            return nil
        }
        return isFunctionName(String(body), element) ? .guardName(String(body), negated: negated) : nil
    }

    mutating func readDelay(_ element: ChartElement, _ attributes: Attributes) -> ChartDocument.Delay? {
        let written = attributes["delay"]
        if let name = attributes["delayexpr"] {
            if written != nil {
                bag.error("E012", element, "delay and delayexpr exclude each other: keep one")
                return nil
            }
            if document.dataModel == .null {
                bag.error("E013", element, "delayexpr '\(name)': datamodel null has no names")
                return nil
            }
            return isFunctionName(name, element) ? .named(name) : nil
        }
        guard let written else { return nil }
        guard let milliseconds = Self.milliseconds(written) else {
            bag.error("E012", element, "delay '\(written)': expected a number and 'ms' or 's', such as 500ms or 2.5s")
            return nil
        }
        return .milliseconds(milliseconds)
    }

    private static func argumentOfIn(_ text: Substring) -> String? {
        guard text.hasPrefix("In"), text.hasSuffix(")") else { return nil }
        let call = text.dropFirst(2).dropLast().trimmed
        guard call.hasPrefix("(") else { return nil }
        let argument = call.dropFirst().trimmed
        guard argument.count > 2, let quote = argument.first, quote == "'" || quote == "\"", argument.last == quote
        else {
            return nil
        }
        let id = argument.dropFirst().dropLast()
        return id.contains(quote) ? nil : String(id)
    }

    /// The whole milliseconds of a duration such as `500ms`, `2s` or `.5s`; nil if it is invalid or longer than a year.
    static func milliseconds(_ text: String) -> Int64? {
        let unit = text.hasSuffix("ms") ? 2 : text.hasSuffix("s") ? 1 : 0
        guard unit > 0 else { return nil }
        let parts = text.dropLast(unit).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.contains(where: { !$0.isEmpty }), parts.count == 1 || !parts[1].isEmpty else { return nil }
        guard parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return nil }
        let decimals = unit == 2 ? 0 : 3
        let fraction = parts.count == 2 ? String(parts[1]) : ""
        guard fraction.dropFirst(decimals).allSatisfy({ $0 == "0" }) else { return nil }
        let digits =
            String(parts[0]) + fraction.prefix(decimals)
            + String(repeating: "0", count: max(0, decimals - fraction.count))
        guard let value = Int64(digits), value <= 366 * 86_400_000 else { return nil }
        return value
    }
}

extension StringProtocol {
    fileprivate var trimmed: SubSequence {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return self[startIndex..<startIndex] }
        return self[first...last]
    }
}
