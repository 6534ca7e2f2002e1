import Exposure

/// The learned times of a body over a link. A nil figure means that no time was learned yet.
package struct TimingReport: Equatable, Sendable {
    /// The times of a step. Half of them are at most the median, and 95 % of them at most the percentile.
    package struct Figure: Equatable, Sendable {
        package var medianMilliseconds: Int
        package var p95Milliseconds: Int
        package var count: Int
    }

    /// The time from the command for a speed until the body accepts the speed; on a body that steps, for each notch.
    package var set: Figure?
    /// The time from the accepted speed until the body shows that speed.
    package var confirm: Figure?
    /// The time from the accepted shutter command until the body is idle, minus the exposure.
    package var release: Figure?
    /// The time for a whole frame, from the command for its speed until the body is idle, minus the exposure. On a body
    /// that steps, the time for the notches is also subtracted.
    package var frame: Figure?

    /// The times for an estimate.
    package var learned: Estimate.LearnedTiming? {
        frame.map {
            Estimate.LearnedTiming(
                median: .milliseconds($0.medianMilliseconds),
                percentile95: .milliseconds($0.p95Milliseconds),
                frames: $0.count
            )
        }
    }
}

extension TimingReport.Figure {
    /// Creates a figure; nil: there are no times.
    package init?(_ milliseconds: [Int]) {
        let sorted = milliseconds.sorted()
        guard let median = Self.rank(50, of: sorted), let p95 = Self.rank(95, of: sorted) else { return nil }
        self.init(medianMilliseconds: median, p95Milliseconds: p95, count: sorted.count)
    }

    /// The percentile by nearest rank: the smallest value that this percentage of the values do not exceed.
    private static func rank(_ percent: Int, of sorted: [Int]) -> Int? {
        let rank = (sorted.count * percent + 99) / 100
        return sorted.isEmpty ? nil : sorted[rank - 1]
    }
}
