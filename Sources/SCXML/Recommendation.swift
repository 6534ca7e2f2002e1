/// The elements of W3C SCXML (REC-scxml-20150901), with their possible parents and attributes. Elements that need a
/// script interpreter or other sessions are listed as refused.
enum Recommendation {
    typealias Element = Dialect.Element

    /// The elements by name. Elements of our namespace have the prefix `bd:` here, whatever prefix the file uses.
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

    /// The elements whose unknown children are refused, because an ignored child could be an action.
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

    /// Whether a picture shows an unsupported element in this parent.
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

    /// Namespaces of editors, which store their own data even in executable content. The data has no actions.
    static let editorNamespaces: Set = ["http://www.qt.io/2015/02/scxml-ext"]

    /// Elements that have a meaning only in a chart with variables or values.
    static let elementsWithData: Set<String> = ["datamodel", "data", "assign", "foreach", "param"]

    /// Attributes that have a meaning only in a chart with variables or values, by element.
    static let attributesWithData: [String: Set<String>] = [
        "content": ["expr"],
        "send": ["eventexpr", "targetexpr", "typeexpr", "idlocation", "namelist"],
        "cancel": ["sendidexpr"],
    ]

    /// Whether an ignored attribute needs no note, because it is for other tools or for compiled charts.
    static func isSilent(_ attribute: ChartElement.Attribute) -> Bool {
        switch attribute.namespace {
        case Dialect.ownNamespace?: ["allow", "why", "waits", "failure"].contains(attribute.name)
        case "http://www.w3.org/XML/1998/namespace"?, "http://www.w3.org/2001/XMLSchema-instance"?: true
        default: false
        }
    }
}
