import Interface
import Varlink

/// One chart as the daemon's answer to `GetStatus` has it.
typealias RunningChart = Bracketd.ChartState

extension RunningChart {
    /// `capturing (present, nothingWanted)`
    var text: String {
        let others = configuration.filter { $0 != state }
        return state + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))")
    }
}

/// Which leaves of a chart are active, as the daemon says and keeps saying.
struct ChartMarks {
    /// The ids of the active leaves.
    private(set) var active: Set<String>
    private let chart: ChartPicture
    /// The chart as the daemon had it; nil if it runs none of that name.
    private let running: RunningChart?

    /// What the daemon's answer to `GetStatus` says about a chart.
    init(_ chart: ChartPicture, _ status: Bracketd.Status) {
        let running = chart.runs == nil ? status.charts.last { $0.name == chart.name } : nil
        self.chart = chart
        self.running = running
        active = Set(running?.configuration ?? [])
    }

    /// Follows a transition of the chart: the leaves that were left and those that were entered.
    ///
    /// - Returns: false if the transition does not begin where the chart was believed to be; then another one was
    ///   missed, or this one was known already, and nothing is changed.
    mutating func follow(_ transition: Bracketd.Transition) -> Bool {
        // Of several runs nobody can say which one it was.
        guard chart.runs == nil else { return true }
        guard active.isSuperset(of: transition.from) else { return false }
        active = active.subtracting(transition.from).union(transition.to)
        return true
    }

    /// What is to be said about the marks, each in one sentence.
    var sentences: [String] {
        if let runs = chart.runs { return ["No state is marked, for this chart has \(runs)."] }
        guard let running else { return ["No state is marked, for the daemon runs no chart \(chart.name)."] }
        var sentences: [String] = []
        if let digest = running.digest, digest != chart.digest {
            sentences.append(
                "The daemon runs another version of this chart (\(digest.prefix(12)), and this is "
                    + "\(chart.digest.prefix(12))): use the bracketctl that came with the daemon."
            )
        }
        let unknown = chart.unknownStates(active)
        if !unknown.isEmpty {
            sentences.append("The daemon is in \(PlainList.text(unknown)), which this chart does not have.")
        }
        return sentences
    }
}
