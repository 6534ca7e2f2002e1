/// A chart for display. It is generated at build time from the chart's file, so that the program needs neither the file
/// nor a reader for it.
struct ChartPicture: Sendable, Equatable {
    /// The chart's name as the daemon reports it.
    let name: String
    /// The SHA-256 of the chart's file.
    let digest: String
    /// The first sentence of the chart's description.
    let sentence: String
    /// The states in document order. A state follows its parent.
    let states: [State]
    /// The transitions in document order.
    let transitions: [Transition]
    /// The rows of the chart as text, from top to bottom.
    let rows: [Row]
    /// The drawing without marked states: see ``svg(active:)``.
    let svg: String

    struct State: Sendable, Equatable {
        let id: String
        /// The parent state; nil at the top level.
        let parent: String?
        /// The kind: `state`, `parallel`, `final`, `history` or `deep history`.
        let kind: String
        let isLeaf: Bool
        /// The states that are entered by default.
        let initial: [String]
        let entry: [String]
        /// The timers that run in the state: `timeout.speed after 2s`.
        let timers: [String]
        let exit: [String]
    }

    struct Transition: Sendable, Equatable {
        let source: String
        /// The kind: `external`, `internal`, `initial` or `history`.
        let kind: String
        let events: [String]
        let condition: String?
        let targets: [String]
        let actions: [String]
    }

    /// One item of the text, which can need several lines.
    struct Row: Sendable, Equatable {
        /// The state that the row describes; nil for the chart itself.
        let state: String?
        /// The prefix of the first line.
        let first: String
        /// The prefix of the other lines.
        let rest: String
        /// The state's name in its first row; nil in the other rows of the state.
        let title: String?
        let text: String
    }
}

extension ChartPicture {
    /// The given states and all their ancestors.
    func around(_ active: Set<String>) -> Set<String> {
        var result = active.intersection(states.map(\.id))
        for state in states.reversed() where result.contains(state.id) {
            if let parent = state.parent { result.insert(parent) }
        }
        return result
    }

    /// The ids in `active` that no state of the chart has, sorted.
    func unknownStates(_ active: Set<String>) -> [String] {
        active.subtracting(states.map(\.id)).sorted()
    }

    /// The drawing in which these states and their ancestors are marked with the class `active`.
    func svg(active: Set<String>) -> String {
        let marked = around(active)
        return svg.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.hasPrefix(ChartPicture.groupStart),
                let idEnd = line.dropFirst(ChartPicture.groupStart.count).firstIndex(of: "\""),
                marked.contains(String(line[..<idEnd].dropFirst(ChartPicture.groupStart.count))),
                let end = line.lastIndex(of: "\"")
            else { return String(line) }
            return line[..<end] + " active" + line[end...]
        }.joined(separator: "\n")
    }

    /// Each group is on a separate line and ends with `class`: `<g id="state-capturing" class="state leaf">`.
    private static let groupStart = "<g id=\"state-"
}
