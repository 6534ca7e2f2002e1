/// A chart as rows of text: a tree of its states in document order, and beneath each what it does and where it leads.
///
/// ```
/// ├─ online  (starts in modeCheck)
/// │  │  camera.lost → reconnecting / noteLoss, announceLoss
/// │  ├─ modeCheck
/// │  │     entry / explainMode
/// │  │     [modeIsRight] → connected
/// ```
package struct ChartTree: Sendable {
    /// One thing that is said, in as many lines as it takes.
    package struct Row: Sendable {
        /// The number of the state that it is said about.
        package let state: Int
        /// What stands in front of the first line.
        package let first: String
        /// What stands in front of every other line.
        package let rest: String
        /// The state's name, in the row that stands for the state; nil in the rows beneath it.
        package let title: String?
        /// The words, behind the title if there is one.
        package let text: String
    }

    /// From top to bottom.
    package private(set) var rows: [Row] = []
    private let document: ChartDocument
    private let words: ChartWords

    /// The rows of a chart.
    package init(_ document: ChartDocument) {
        self.document = document
        words = ChartWords(document)
        addTitle(of: 0, first: "", rest: ChartTree.hanging)
        addParts(of: 0, indent: "")
    }

    private static let hanging = "    "

    /// What a state does, and then what is in it. `indent`: what stands in front of everything in it.
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

    /// `  (region, starts in resting)`
    private func notes(of number: Int) -> String {
        let state = document.states[number]
        var notes: [String] = []
        if state.kind == .state, number != 0, document.states[state.parent].kind == .parallel {
            notes.append("region")
        } else if state.kind != .state, state.kind != .root {
            notes.append(words.kind(of: number))
        }
        // A parallel starts in everything that is in it.
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
            if !actions.isEmpty { details.append(ChartWords.doing(name, actions)) }
        }
        // The title says where it leads: only what it does is news.
        if let initial = state.initialTransition, document.transitions[initial].content?.content.isEmpty == false {
            details.append(words.transition(initial))
        }
        return details + state.transitions.map(words.transition)
    }
}
