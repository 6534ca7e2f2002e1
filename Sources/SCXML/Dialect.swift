/// The elements that a compiled chart can contain, with their possible parents and attributes.
enum Dialect {
    static let scxmlNamespace = "http://www.w3.org/2005/07/scxml"
    static let ownNamespace = "urn:bracketd:chart:1"

    static let statesMax = 64
    static let transitionsMax = 256
    static let eventsMax = 64
    static let depthMax = 8

    struct Element {
        var required: [String] = []
        var optional: [String] = []
        var children: [String] = []
        var hasText = false
    }

    /// The elements by name. Elements of our namespace have the prefix `bd:` here, whatever prefix the file uses.
    static let elements: [String: Element] = [
        "scxml": Element(
            required: ["name", "version"],
            optional: ["initial", "datamodel", "bd:failure"],
            children: ["state", "parallel", "final", "bd:events"]
        ),
        "state": Element(
            required: ["id"],
            optional: ["initial", "bd:waits"],
            children: ["state", "parallel", "final", "history", "initial", "transition", "onentry", "onexit"]
        ),
        "parallel": Element(
            required: ["id"],
            children: ["state", "parallel", "history", "transition", "onentry", "onexit"]
        ),
        "final": Element(required: ["id"], children: ["onentry", "onexit"]),
        "history": Element(required: ["id"], optional: ["type"], children: ["transition"]),
        "initial": Element(children: ["transition"]),
        "transition": Element(optional: ["event", "cond", "target", "type"], children: content),
        "onentry": Element(children: content),
        "onexit": Element(children: content),
        "raise": Element(required: ["event"]),
        "send": Element(required: ["event"], optional: ["id", "delay", "delayexpr", "target"]),
        "cancel": Element(required: ["sendid"]),
        "log": Element(required: ["label"]),
        "bd:events": Element(optional: ["import"], children: ["bd:input"]),
        "bd:input": Element(required: ["name"], optional: ["payload"]),
        "bd:do": Element(required: ["action"]),
    ]

    private static let content = ["raise", "send", "cancel", "log", "bd:do"]

    /// Elements of W3C SCXML that compiled charts do not support, with their replacement.
    static let refusedElements: [String: String] = [
        "script": "write the code in Swift and call it with <bd:do>",
        "assign": "data lives in the behavior: change it in an action, called with <bd:do>",
        "data": "data lives in the behavior",
        "datamodel": "data lives in the behavior",
        "foreach": "write the loop in an action, called with <bd:do>",
        "param": "send no data: the behavior has it",
        "content": "send no data: the behavior has it",
        "donedata": "send no data: the behavior has it",
        "if": "a decision is a transition with a cond, where it can be drawn and checked",
        "elseif": "a decision is a transition with a cond",
        "else": "a decision is a transition without cond",
        "invoke": "charts communicate by inputs and effects",
        "finalize": "charts communicate by inputs and effects",
    ]

    /// Attributes of W3C SCXML that compiled charts do not support, by element.
    static let refusedAttributes: [String: [String: String]] = [
        "scxml": ["binding": "there is no data to bind"],
        "send": [
            "eventexpr": "name the event", "targetexpr": "charts communicate by effects",
            "type": "charts communicate by effects", "typeexpr": "charts communicate by effects",
            "idlocation": "give it an id", "namelist": "the behavior has the data",
        ],
        "cancel": ["sendidexpr": "name the id"],
        "log": ["expr": "write the whole line as the label"],
    ]

    /// The possible parents of an element, as the end of a sentence.
    static func places(of key: String) -> String {
        let parents = elements.filter { $0.value.children.contains(key) }.keys.sorted().map { "<\($0)>" }
        return parents.isEmpty ? "" : "; it is allowed in \(parents.joined(separator: ", "))"
    }

    /// The key of an element: `bd:do` for our namespace, the plain name for the namespace of W3C SCXML, nil for others.
    static func key(_ element: ChartElement) -> String? {
        switch element.namespace {
        case scxmlNamespace: element.name
        case ownNamespace: "bd:" + element.name
        default: nil
        }
    }

    /// The key of an attribute. An attribute without a prefix belongs to its element.
    static func key(_ attribute: ChartElement.Attribute) -> String {
        switch attribute.namespace {
        case nil: attribute.name
        case ownNamespace?: "bd:" + attribute.name
        case let other?: "{\(other)}" + attribute.name
        }
    }
}
