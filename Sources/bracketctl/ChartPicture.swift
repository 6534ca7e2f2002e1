/// All that is shown of a chart, drawn when the program was built. The values are generated from the chart's file, so
/// the program needs neither the charts nor what reads them.
struct ChartPicture: Sendable, Equatable {
    /// The chart's name as the daemon reports it.
    let name: String
    /// The SHA-256 of the chart's file.
    let digest: String
    /// The first sentence of what the chart says about itself.
    let sentence: String
    /// In document order, so that a state comes after what is around it.
    let states: [State]
    /// In document order.
    let transitions: [Transition]
    /// The chart as text, from top to bottom.
    let rows: [Row]
    /// The chart as a drawing without marks: see ``svg(active:)``.
    let svg: String

    /// A state, or a history.
    struct State: Sendable, Equatable {
        let id: String
        /// The state around it; nil if that is the chart itself.
        let parent: String?
        /// `state`, `parallel`, `final`, `history` or `deep history`.
        let kind: String
        let isLeaf: Bool
        /// What is entered by default.
        let initial: [String]
        /// What is done on entry.
        let entry: [String]
        /// Which timers run in it: `timeout.speed after 2s`.
        let timers: [String]
        /// What is done on exit.
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

    /// A thing that the text says, in as many lines as it takes.
    struct Row: Sendable, Equatable {
        /// The state that it is said about; nil for the chart itself.
        let state: String?
        /// What stands in front of the first line.
        let first: String
        /// What stands in front of every other line.
        let rest: String
        /// The state's name, in the row that stands for the state; nil in the rows beneath it.
        let title: String?
        /// The words, behind the title if there is one.
        let text: String
    }
}

extension ChartPicture {
    /// The ids of all states that are active when these are: they, and what is around them.
    func around(_ active: Set<String>) -> Set<String> {
        var result = active.intersection(states.map(\.id))
        for state in states.reversed() where result.contains(state.id) {
            if let parent = state.parent { result.insert(parent) }
        }
        return result
    }

    /// Of some ids those that no state of the chart has, sorted.
    func unknownStates(_ active: Set<String>) -> [String] {
        active.subtracting(states.map(\.id)).sorted()
    }

    /// The drawing with these states, and what is around them, as current ones: their groups have the class `active`.
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

    /// `<g id="state-capturing" class="state leaf">` is a line of its own, its class the last attribute.
    private static let groupStart = "<g id=\"state-"
}
