import Interface
import Varlink

/// A chart in the daemon's answer to `GetStatus`.
typealias RunningChart = Bracketd.ChartState

extension RunningChart {
    /// The state as text: `capturing (present, nothingWanted)`.
    var text: String {
        let others = configuration.filter { $0 != state }
        return state + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))")
    }
}

/// The active leaves of a chart. The daemon's transitions update them.
struct ChartMarks {
    private(set) var active: Set<String>
    private let chart: ChartPicture
    /// The chart in the daemon's answer; nil: the daemon has no chart of this name.
    private let running: RunningChart?

    /// Reads a chart from the daemon's answer to `GetStatus`.
    init(_ chart: ChartPicture, _ status: Bracketd.Status) {
        let running = chart.runs == nil ? status.charts.last { $0.name == chart.name } : nil
        self.chart = chart
        self.running = running
        active = Set(running?.configuration ?? [])
    }

    /// Applies a transition to the active leaves.
    ///
    /// - Returns: false, without a change, if the transition does not start from the active leaves. In this case an
    ///   earlier transition was lost, or the marks already include this one.
    mutating func follow(_ transition: Bracketd.Transition) -> Bool {
        // The daemon's answer does not say which of several runs of the chart made the transition.
        guard chart.runs == nil else { return true }
        guard active.isSuperset(of: transition.from) else { return false }
        active = active.subtracting(transition.from).union(transition.to)
        return true
    }

    /// The remarks about the marks. Each remark is a sentence.
    var sentences: [String] {
        if let runs = chart.runs { return [ChartSentences.unmarkedWithRuns(runs)] }
        guard let running else { return [ChartSentences.unmarkedWithoutChart(chart.name)] }
        var sentences: [String] = []
        if let digest = running.digest, digest != chart.digest {
            sentences.append(ChartSentences.otherVersion(running: digest, own: chart.digest))
        }
        let unknown = chart.unknownStates(active)
        if !unknown.isEmpty { sentences.append(ChartSentences.unknownStates(unknown)) }
        return sentences
    }
}
