/// The elements of W3C SCXML (REC-scxml-20150901), where each is allowed, and their attributes. Elements that need a
/// script interpreter or other sessions are known and refused.
enum Recommendation {
    typealias Element = Dialect.Element

    /// Elements by name; those of the project's namespace have the prefix `bd:`, independent of the file's prefix.
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

    /// Elements in which an unknown child would be an action that is not executed.
    static let executable: Set<String> = [
        "transition", "onentry", "onexit", "raise", "if", "elseif", "else", "foreach", "log", "assign", "send",
        "cancel", "bd:do",
    ]

    static let refusedElements: [String: String] = [
        "script": "scripts are not supported",
        "invoke": "other sessions are not supported",
        "finalize": "other sessions are not supported",
    ]

    static func hasContent(_ parent: String) -> Bool { elements[parent]?.children.contains("raise") == true }

    /// Whether a picture shows an unsupported element at this place.
    static func canShow(_ key: String, in parent: String) -> Bool {
        switch key {
        case "script": parent == "scxml" || hasContent(parent)
        case "invoke": parent == "state" || parent == "parallel"
        default: false
        }
    }

    static let refusedAttributes: [String: [String: String]] = [
        "data": ["src": "src is not supported; write the value as expr or as text"]
    ]

    /// Namespaces in which editors store their own data in a chart, even within content; they have no actions.
    static let editorNamespaces: Set = ["http://www.qt.io/2015/02/scxml-ext"]

    /// Elements with a meaning only if there are variables or values.
    static let elementsWithData: Set<String> = ["datamodel", "data", "assign", "foreach", "param"]

    /// The same for attributes, by element.
    static let attributesWithData: [String: Set<String>] = [
        "content": ["expr"],
        "send": ["eventexpr", "targetexpr", "typeexpr", "idlocation", "namelist"],
        "cancel": ["sendidexpr"],
    ]

    /// Attributes of other namespaces that need no note: they are for other tools or for compiled charts.
    static func isSilent(_ attribute: ChartElement.Attribute) -> Bool {
        switch attribute.namespace {
        case Dialect.ownNamespace?: ["allow", "why", "waits", "failure"].contains(attribute.name)
        case "http://www.w3.org/XML/1998/namespace"?, "http://www.w3.org/2001/XMLSchema-instance"?: true
        default: false
        }
    }
}
