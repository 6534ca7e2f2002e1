import Exposure

/// The learned times of a body over a link. Nil: none yet.
package struct TimingReport: Equatable, Sendable {
    /// The times of a step. Half of them are at most the median, and 95 % of them at most the percentile.
    package struct Figure: Equatable, Sendable {
        package var medianMilliseconds: Int
        package var p95Milliseconds: Int
        package var count: Int
    }

    /// From the command to set a speed until the body accepts it; on a body that steps, for each notch.
    package var set: Figure?
    /// From there until the body shows it.
    package var confirm: Figure?
    /// From the accepted shutter command until the body was idle, less the exposure.
    package var release: Figure?
    /// A whole frame, from the command to set its speed until the body was idle, less the exposure; on a body that
    /// steps, also less the way to the speed.
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
    /// Nil: there are no times.
    package init?(_ milliseconds: [Int]) {
        let sorted = milliseconds.sorted()
        guard let median = Self.rank(50, of: sorted), let p95 = Self.rank(95, of: sorted) else { return nil }
        self.init(medianMilliseconds: median, p95Milliseconds: p95, count: sorted.count)
    }

    /// The nearest rank: the first value that this percentage of the values do not exceed.
    private static func rank(_ percent: Int, of sorted: [Int]) -> Int? {
        let rank = (sorted.count * percent + 99) / 100
        return sorted.isEmpty ? nil : sorted[rank - 1]
    }
}
