import Exposure

/// What was learned of how long a body takes over a link. Nil: nothing yet.
package struct TimingReport: Equatable, Sendable {
    /// What a step took: half of the times at the most the median, and 95 % of them at the most the percentile.
    package struct Figure: Equatable, Sendable {
        package var medianMilliseconds: Int
        package var p95Milliseconds: Int
        package var count: Int
    }

    /// From the command to set a speed to the body's taking it; of a body that steps, per notch.
    package var set: Figure?
    /// From there to the body's showing it.
    package var confirm: Figure?
    /// From the body's taking the shutter command until it was idle, less the exposure.
    package var release: Figure?
    /// A whole frame, from the command to set its speed until the body was idle, less the exposure; of a body that
    /// steps, less the way to the speed too.
    package var frame: Figure?

    /// What an estimate is made with.
    package var learned: Estimate.Learned? {
        frame.map {
            Estimate.Learned(
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

    /// The nearest rank: the first that so many of a hundred do not exceed.
    private static func rank(_ percent: Int, of sorted: [Int]) -> Int? {
        let rank = (sorted.count * percent + 99) / 100
        return sorted.isEmpty ? nil : sorted[rank - 1]
    }
}
