/// What W3C SCXML (REC-scxml-20150901) has: elements, where each may stand, and their attributes. What needs a script
/// interpreter or other sessions is known here, and refused.
enum Recommendation {
    struct Element {
        var required: [String] = []
        var optional: [String] = []
        var children: [String] = []
        /// Whether text may stand in it.
        var hasText = false
    }

    /// Elements by name; ours with the prefix `bd:`, whatever the file calls it.
    static let elements: [String: Element] = [
        "scxml": Element(
            optional: ["initial", "name", "version", "datamodel", "binding"],
            children: ["state", "parallel", "final", "datamodel", "bd:events"]
        ),
        "state": Element(
            optional: ["id", "initial"],
            children: [
                "state", "parallel", "final", "history", "initial", "transition", "onentry", "onexit", "datamodel",
            ]
        ),
        "parallel": Element(
            optional: ["id"],
            children: ["state", "parallel", "history", "transition", "onentry", "onexit", "datamodel"]
        ),
        "final": Element(optional: ["id"], children: ["onentry", "onexit", "donedata"]),
        "history": Element(optional: ["id", "type"], children: ["transition"]),
        "initial": Element(children: ["transition"]),
        "transition": Element(optional: ["event", "cond", "target", "type"], children: content),
        "onentry": Element(children: content),
        "onexit": Element(children: content),
        "datamodel": Element(children: ["data"]),
        "data": Element(required: ["id"], optional: ["expr"], hasText: true),
        "donedata": Element(children: ["param", "content"]),
        "param": Element(required: ["name"], optional: ["expr", "location"]),
        "content": Element(optional: ["expr"], hasText: true),
        "raise": Element(required: ["event"]),
        "if": Element(required: ["cond"], children: content + ["elseif", "else"]),
        "elseif": Element(required: ["cond"]),
        "else": Element(),
        "foreach": Element(required: ["array", "item"], optional: ["index"], children: content),
        "log": Element(optional: ["label", "expr"]),
        "assign": Element(required: ["location"], optional: ["expr"], hasText: true),
        "send": Element(
            optional: [
                "event", "eventexpr", "target", "targetexpr", "type", "typeexpr", "id", "idlocation", "delay",
                "delayexpr", "namelist",
            ],
            children: ["param", "content"]
        ),
        "cancel": Element(optional: ["sendid", "sendidexpr"]),
        "bd:do": Element(required: ["action"]),
    ]

    private static let content = ["raise", "if", "foreach", "log", "assign", "send", "cancel", "bd:do"]

    /// Where an element that is not understood would be something that is not done.
    static let executable: Set<String> = [
        "transition", "onentry", "onexit", "raise", "if", "elseif", "else", "foreach", "log", "assign", "send",
        "cancel", "bd:do",
    ]

    /// Elements that are not run, and why.
    static let refusedElements: [String: String] = [
        "script": "scripts are not run",
        "invoke": "other sessions are not started",
        "finalize": "other sessions are not started",
    ]

    /// Whether executable content may stand in an element.
    static func hasContent(_ parent: String) -> Bool { elements[parent]?.children.contains("raise") == true }

    /// Whether an element that is not run is shown in a picture, standing there.
    static func canShow(_ key: String, in parent: String) -> Bool {
        switch key {
        case "script": parent == "scxml" || hasContent(parent)
        case "invoke": parent == "state" || parent == "parallel"
        default: false
        }
    }

    /// Attributes that are not run, by element, and why.
    static let refusedAttributes: [String: [String: String]] = [
        "data": ["src": "nothing is fetched; write the value as expr or as text"]
    ]

    /// Namespaces of what editors keep in a chart for themselves, between the content too: nothing that is to be done.
    static let editorNamespaces: Set = ["http://www.qt.io/2015/02/scxml-ext"]

    /// What has a meaning only where there are variables or values.
    static let elementsWithData: Set<String> = ["datamodel", "data", "assign", "foreach", "param"]

    /// Likewise attributes, by element.
    static let attributesWithData: [String: Set<String>] = [
        "content": ["expr"],
        "send": ["eventexpr", "targetexpr", "typeexpr", "idlocation", "namelist"],
        "cancel": ["sendidexpr"],
    ]

    /// Attributes of other namespaces that need no note: they tell other tools, or compiled charts, something.
    static func isSilent(_ attribute: ChartElement.Attribute) -> Bool {
        switch attribute.namespace {
        case Dialect.ownNamespace?: ["allow", "why", "waits", "failure"].contains(attribute.name)
        case "http://www.w3.org/XML/1998/namespace"?, "http://www.w3.org/2001/XMLSchema-instance"?: true
        default: false
        }
    }
}
