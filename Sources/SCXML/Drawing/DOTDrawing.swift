/// Writes a chart as a Graphviz graph for `dot`.
///
/// A compound state is a cluster, and a region is a dashed cluster. But an edge can end only at a node. So each cluster
/// contains a point as a node, and Graphviz cuts the edge at the cluster's border (`lhead`, `ltail`). If one state of
/// the edge is inside the other, Graphviz cannot cut the edge. Then the point is visible.
struct DOTDrawing {
    private let document: ChartDocument
    private let words: DrawingLabels
    private let active: NameSet
    private var lines: [String] = []

    private static let labelWidth = 32

    init(_ document: ChartDocument, active: Set<String>) {
        self.document = document
        self.active = NameSet(active)
        words = DrawingLabels(document: document)
        lines = [
            "digraph \(Self.quoted(document.name)) {",
            "    graph [compound=true, fontname=\"Helvetica\", fontsize=13, nodesep=0.4, ranksep=0.5];",
            "    node [fontname=\"Helvetica\", fontsize=11, shape=box, style=\"rounded,filled\", fillcolor=white];",
            "    edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.7, color=\"#4a5565\"];",
        ]
        let foreign = document.states[0].foreign
        if !foreign.isEmpty {
            add("label=\(Self.quoted(Self.wrapped(foreign.joined(separator: "\n")))); labelloc=t; labeljust=l;", 1)
        }
        contents(of: 0, depth: 1)
        for number in document.transitions.indices where document.transitions[number].role != .initial { edges(number) }
        lines.append("}")
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    // MARK: States

    private mutating func contents(of state: Int, depth: Int) {
        initial(of: state, depth)
        for child in document.contents(of: state) {
            if document.states[child].children.isEmpty { node(child, depth) } else { cluster(child, depth) }
        }
    }

    private mutating func cluster(_ number: Int, _ depth: Int) {
        let state = document.states[number]
        let isRegion = document.states[state.parent].kind == .parallel
        add("subgraph cluster_\(number) {", depth)
        var settings = ["id=\(id(number))", "label=\(label(number))", "labeljust=l"]
        settings.append(isRegion ? "style=\"rounded,dashed\"" : "style=rounded")
        settings.append("color=\"#8a94a3\"")
        if isActive(number) { settings += ["class=active", "bgcolor=\"#ffefb8\""] }
        for setting in settings { add(setting + ";", depth + 1) }
        let style = needsPoint(number) ? "style=filled, fillcolor=\"#4a5565\", width=0.06" : "style=invis, width=0.01"
        add("\(point(number)) [shape=point, \(style)];", depth + 1)
        contents(of: number, depth: depth + 1)
        add("}", depth)
    }

    private mutating func node(_ number: Int, _ depth: Int) {
        let state = document.states[number]
        var settings = ["id=\(id(number))"]
        switch state.kind {
        case .shallowHistory, .deepHistory:
            let letter = state.kind == .deepHistory ? "H*" : "H"
            settings += ["label=\"\(letter)\"", "xlabel=\(label(number))", "shape=circle, fixedsize=true, width=0.3"]
        case .final:
            let look = "shape=doublecircle, fixedsize=true, width=0.16, style=filled, fillcolor=\"#1f2733\""
            settings += ["label=\"\"", "xlabel=\(label(number))", look]
        case .root, .state, .parallel: settings.append("label=\(label(number))")
        }
        if isActive(number) { settings += ["class=active", "fillcolor=\"#ffefb8\""] }
        add("\(point(number)) [\(settings.joined(separator: ", "))];", depth)
    }

    private mutating func initial(of state: Int, _ depth: Int) {
        let found = document.states[state]
        guard found.kind == .state || found.kind == .root, !found.children.isEmpty else { return }
        add("i\(state) [shape=circle, label=\"\", width=0.12, style=filled, fillcolor=\"#1f2733\"];", depth)
        for (index, target) in found.initial.enumerated() {
            var settings: [String] = []
            if let number = found.initialTransition {
                settings.append(edgeID(number, index))
                let text = words.label(document.transitions[number])
                if !text.isEmpty { settings.append("label=\(Self.quoted(Self.wrapped(text)))") }
            }
            if isCluster(target) { settings.append("lhead=cluster_\(target)") }
            add("i\(state) -> \(point(target))\(Self.list(settings));", depth)
        }
    }

    private func id(_ number: Int) -> String { Self.quoted("state-" + words.name(number)) }

    private func point(_ number: Int) -> String { "s\(number)" }

    private func isCluster(_ number: Int) -> Bool { !document.states[number].children.isEmpty }

    private func isActive(_ number: Int) -> Bool { active.contains(words.name(number)) }

    /// The label of a state: its name, and below it its actions.
    private func label(_ number: Int) -> String {
        let state = document.states[number]
        let habits = words.habits(state)
        var rows = habits.foreign
        if !habits.entry.isEmpty { rows.append("entry / " + habits.entry.joined(separator: ", ")) }
        rows += habits.timers.map { "after \($0.delay): \($0.event)" }
        if !habits.exit.isEmpty { rows.append("exit / " + habits.exit.joined(separator: ", ")) }
        rows += state.transitions.map { document.transitions[$0] }.filter(\.targets.isEmpty).map(words.label)
        guard !rows.isEmpty else { return Self.quoted(words.name(number)) }
        let text = ([words.name(number)] + rows.flatMap { Self.wrapped($0).split(separator: "\n").map(String.init) })
        return "\"" + text.map { Self.escaped($0) + "\\l" }.joined() + "\""
    }

    // MARK: Transitions

    private mutating func edges(_ number: Int) {
        let transition = document.transitions[number]
        for (index, target) in transition.targets.enumerated() {
            let source = transition.source
            var settings = [edgeID(number, index)]
            let text = words.label(transition)
            if !text.isEmpty { settings.append("label=\(Self.quoted(Self.wrapped(text)))") }
            if !isNested(source, target) {
                if isCluster(source) { settings.append("ltail=cluster_\(source)") }
                if isCluster(target) { settings.append("lhead=cluster_\(target)") }
            }
            add("\(point(source)) -> \(point(target))\(Self.list(settings));", 1)
        }
    }

    private func edgeID(_ number: Int, _ index: Int) -> String {
        "id=\"transition-\(number)\(index == 0 ? "" : "-\(index + 1)")\""
    }

    private func isNested(_ first: Int, _ second: Int) -> Bool {
        first == second || document.isDescendant(first, of: second) || document.isDescendant(second, of: first)
    }

    /// Whether an arrow ends at a state that is drawn as a cluster. Graphviz then needs a point inside it.
    private func needsPoint(_ number: Int) -> Bool {
        document.transitions.contains { transition in
            transition.role != .initial
                && transition.targets.contains { target in
                    (transition.source == number || target == number) && isNested(transition.source, target)
                }
        }
    }

    // MARK: Text

    private mutating func add(_ line: String, _ depth: Int) {
        lines.append(String(repeating: "    ", count: depth) + line)
    }

    private static func list(_ settings: [String]) -> String {
        settings.isEmpty ? "" : " [\(settings.joined(separator: ", "))]"
    }

    /// The text broken at spaces into lines of similar length.
    private static func wrapped(_ text: String) -> String {
        var lines: [String] = []
        // A slash stays on the same line as the text after it.
        for word in text.replacing("/ ", with: "/\u{A0}").split(separator: " ") {
            if let last = lines.last, last.count + word.count < labelWidth {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n").replacing("\u{A0}", with: " ")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.split(separator: "\n").map { escaped(String($0)) }.joined(separator: "\\n") + "\""
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
