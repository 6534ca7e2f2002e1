/// Writes a chart as a Mermaid `stateDiagram-v2`.
///
/// Mermaid has no history states, so a small state `H` or `H*` with a note represents a history. Mermaid cannot show a
/// state's own actions either. So transitions without target become notes, and entry and exit actions are omitted.
struct MermaidDrawing {
    private let document: ChartDocument
    private let words: DrawingLabels
    private let active: NameSet
    private var names: [String]
    private var lines = ["stateDiagram-v2"]

    private static let reserved: Set<String> = [
        "accdescr", "acctitle", "as", "choice", "class", "classdef", "click", "direction", "end", "fork",
        "hide", "href", "join", "left", "note", "of", "over", "right", "root", "scale", "state", "statediagram",
        "style", "title",
    ]

    init(_ document: ChartDocument, active: Set<String>) {
        self.document = document
        self.active = NameSet(active)
        let words = DrawingLabels(document: document)
        self.words = words
        names = []
        let taken = NameSet(document.states.indices.map { words.name($0) })
        names = document.states.indices.map { Self.alias($0, words.name($0), taken) }
        contents(of: 0, depth: 1)
        for number in document.transitions.indices { arrows(number) }
        for number in document.states.indices { note(number) }
        let shown = document.states.indices.dropFirst().filter { self.active.contains(words.name($0)) }
        if !shown.isEmpty {
            lines.append("    classDef active fill:#ffefb8,stroke:#9a6700,stroke-width:2px")
            lines.append("    class \(shown.map { names[$0] }.joined(separator: ",")) active")
        }
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// The state's own name if Mermaid accepts it, otherwise a name with the state's number. Mermaid reads every name
    /// that starts with `default` as that keyword.
    private static func alias(_ state: Int, _ name: String, _ taken: NameSet) -> String {
        let word = name.lowercased()
        if Names.isIdentifier(name), !reserved.contains(word), !word.hasPrefix("default") { return name }
        var alias = "s\(state)"
        while taken.contains(alias) { alias += "_" }
        return alias
    }

    // MARK: States

    private mutating func contents(of state: Int, depth: Int) {
        let contents = document.contents(of: state)
        for (index, child) in contents.enumerated() {
            if document.states[state].kind == .parallel, index > 0, !document.states[child].isHistory,
                !document.states[contents[index - 1]].isHistory
            {
                add("--", depth)
            }
            self.state(child, depth)
        }
        initial(of: state, depth)
    }

    private mutating func state(_ number: Int, _ depth: Int) {
        let state = document.states[number]
        let name = Self.escaped(words.name(number))
        switch state.kind {
        case .shallowHistory: add("state \"H\" as \(names[number])", depth)
        case .deepHistory: add("state \"H*\" as \(names[number])", depth)
        case .state, .final, .parallel, .root:
            if name != names[number] { add("state \"\(name)\" as \(names[number])", depth) }
            if state.children.isEmpty {
                if name == names[number] { add(name, depth) }
            } else {
                add("state \(names[number]) {", depth)
                contents(of: number, depth: depth + 1)
                add("}", depth)
            }
            if state.kind == .final { add("\(names[number]) --> [*]", depth) }
        }
    }

    private mutating func initial(of state: Int, _ depth: Int) {
        let found = document.states[state]
        guard found.kind == .state || found.kind == .root, !found.children.isEmpty else { return }
        let label = found.initialTransition.map { words.label(document.transitions[$0]) } ?? ""
        for target in found.initial { add(Self.arrow("[*]", names[target], label), depth) }
    }

    // MARK: Transitions

    private mutating func arrows(_ number: Int) {
        let transition = document.transitions[number]
        guard transition.role != .initial else { return }
        for target in transition.targets {
            add(Self.arrow(names[transition.source], names[target], words.label(transition)), 1)
        }
    }

    private static func arrow(_ from: String, _ to: String, _ label: String) -> String {
        "\(from) --> \(to)" + (label.isEmpty ? "" : " : \(escaped(label))")
    }

    /// Writes a note with the transitions that do not leave the state. The note of a history contains its kind.
    private mutating func note(_ number: Int) {
        let state = document.states[number]
        if state.isHistory {
            let kind = state.kind == .deepHistory ? "deep history" : "history"
            let around = state.parent == 0 ? "the chart" : words.name(state.parent)
            add("note right of \(names[number]) : \(Self.escaped("\(words.name(number)): \(kind) of \(around)"))", 1)
            return
        }
        var stays = words.habits(state).foreign
        stays += state.transitions.map { document.transitions[$0] }.filter(\.targets.isEmpty).map(words.label)
        guard !stays.isEmpty else { return }
        // Mermaid does not support a note beside a compound state, so the note is beside the state's first leaf.
        let owner = state.children.isEmpty ? number : document.path(firstLeaf(in: number))[0]
        let of = owner == number ? "" : "in \(number == 0 ? "the chart" : words.name(number)): "
        add("note right of \(names[owner])", 1)
        for label in stays { add(Self.escaped(of + label), 2) }
        add("end note", 1)
    }

    private func firstLeaf(in state: Int) -> Int {
        var leaf = state
        while let child = document.states[leaf].children.first { leaf = child }
        return leaf
    }

    private mutating func add(_ line: String, _ depth: Int) {
        lines.append(String(repeating: "    ", count: depth) + line)
    }

    /// Escapes characters that have a meaning in Mermaid, for example as `#59;`.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case ":", ";", "#", "\"", "<", ">", "{", "}", "%", "`", "\\", "\n", "\r":
                result += "#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
