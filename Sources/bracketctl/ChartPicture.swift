/// A chart for display, generated at build time from its file, so that the program needs neither the charts nor their
/// reader.
struct ChartPicture: Sendable, Equatable {
    /// The chart's name as the daemon reports it.
    let name: String
    /// The SHA-256 of the chart's file.
    let digest: String
    /// The first sentence of the chart's description.
    let sentence: String
    /// In document order, so that a state follows its parent.
    let states: [State]
    /// In document order.
    let transitions: [Transition]
    /// The chart as text, from top to bottom.
    let rows: [Row]
    /// The drawing without marks: see ``svg(active:)``.
    let svg: String

    struct State: Sendable, Equatable {
        let id: String
        /// The parent state; nil at the top level.
        let parent: String?
        /// `state`, `parallel`, `final`, `history` or `deep history`.
        let kind: String
        let isLeaf: Bool
        /// The states entered by default.
        let initial: [String]
        let entry: [String]
        /// The timers that run in it: `timeout.speed after 2s`.
        let timers: [String]
        let exit: [String]
    }

    struct Transition: Sendable, Equatable {
        let source: String
        /// `external`, `internal`, `initial` or `history`.
        let kind: String
        let events: [String]
        let condition: String?
        let targets: [String]
        let actions: [String]
    }

    /// One item of the text, in as many lines as it needs.
    struct Row: Sendable, Equatable {
        /// The state that the row describes; nil for the chart itself.
        let state: String?
        /// The prefix of the first line.
        let first: String
        /// The prefix of the other lines.
        let rest: String
        /// The state's name in the row of the state itself; nil in the rows below it.
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

    /// The ids that no state of the chart has, sorted.
    func unknownStates(_ active: Set<String>) -> [String] {
        active.subtracting(states.map(\.id)).sorted()
    }

    /// The drawing with these states and their ancestors marked: their groups have the class `active`.
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

    /// `<g id="state-capturing" class="state leaf">` is a line of its own; the class is its last attribute.
    private static let groupStart = "<g id=\"state-"
}
