/// A chart as rows of text: its states as a tree in document order. Below each state are its actions and transitions.
///
/// ```
/// ├─ online  (starts in modeCheck)
/// │  │  camera.lost → reconnecting / noteLoss, announceLoss
/// │  ├─ modeCheck
/// │  │     entry / explainMode
/// │  │     [isModeRight] → connected
/// ```
package struct ChartTree: Sendable {
    /// One statement, which can need several lines.
    package struct Row: Sendable {
        package let state: Int
        /// The prefix of the first line.
        package let first: String
        /// The prefix of all other lines.
        package let rest: String
        /// The state's name in the first row of the state. Nil in its other rows.
        package let title: String?
        /// The text after the title.
        package let text: String
    }

    package private(set) var rows: [Row] = []
    private let document: ChartDocument
    private let words: ChartLabels

    package init(_ document: ChartDocument) {
        self.document = document
        words = ChartLabels(document)
        addTitle(of: 0, first: "", rest: ChartTree.hanging)
        addParts(of: 0, indent: "")
    }

    private static let hanging = "    "

    /// Adds a state's actions, then its children. Every line starts with the prefix `indent`.
    private mutating func addParts(of state: Int, indent: String) {
        let children = document.contents(of: state)
        let branch = indent + (children.isEmpty ? "   " : "│  ")
        for detail in details(of: state) {
            rows.append(Row(state: state, first: branch, rest: branch + ChartTree.hanging, title: nil, text: detail))
        }
        for child in children {
            let isLast = child == children.last
            let inner = indent + (isLast ? "   " : "│  ")
            let rest = inner + (document.contents(of: child).isEmpty ? "   " : "│  ") + ChartTree.hanging
            addTitle(of: child, first: indent + (isLast ? "└─ " : "├─ "), rest: rest)
            addParts(of: child, indent: inner)
        }
    }

    private mutating func addTitle(of state: Int, first: String, rest: String) {
        rows.append(Row(state: state, first: first, rest: rest, title: words.name(of: state), text: notes(of: state)))
    }

    /// The notes after a state's name: `  (region, starts in resting)`.
    private func notes(of number: Int) -> String {
        let state = document.states[number]
        var notes: [String] = []
        if state.kind == .state, number != 0, document.states[state.parent].kind == .parallel {
            notes.append("region")
        } else if state.kind != .state, state.kind != .root {
            notes.append(words.kind(of: number))
        }
        // A parallel starts in all its regions, so it has no text "starts in".
        if !state.initial.isEmpty, state.kind == .state || state.kind == .root {
            notes.append("starts in " + state.initial.map(words.name).joined(separator: ", "))
        }
        return notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))"
    }

    private func details(of number: Int) -> [String] {
        let state = document.states[number]
        var details: [String] = []
        let habits = words.habits(of: number)
        for (name, actions) in [("entry", habits.entry), ("timer", habits.timers), ("exit", habits.exit)] {
            if !actions.isEmpty { details.append(ChartLabels.doing(name, actions)) }
        }
        // The title already shows the target. So the initial transition needs a row only if it has content.
        if let initial = state.initialTransition, document.transitions[initial].content?.content.isEmpty == false {
            details.append(words.transition(initial))
        }
        return details + state.transitions.map(words.transition)
    }
}
