/// An error in a text on the command line. The description is one sentence for the user.
package struct NotationError: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
}

/// Durations on the command line: `5ms`, `2s`, `1.5s`, `250us`, `1min`. A number without a unit is in seconds.
package enum DurationText {
    /// One day in nanoseconds. Longer durations are typing errors.
    private static let longest = 86_400 * 1_000_000_000

    package static func parse(_ text: String) throws(NotationError) -> Duration {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let unit = nanoseconds(ofUnit: text.dropFirst(digits.count)),
            let number = Decimal(digits),
            let nanoseconds = number.times(unit),
            nanoseconds <= Self.longest
        else {
            throw NotationError(
                description: "'\(text)' is not a duration: write a number with a unit (us, ms, s or min), such as 5ms, "
                    + "2s or 1.5s, of at most one day"
            )
        }
        return .nanoseconds(nanoseconds)
    }

    /// The duration in whole milliseconds, rounded down, as in log lines and reports.
    package static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }

    private static func nanoseconds(ofUnit unit: Substring) -> Int64? {
        switch unit {
        case "us": 1_000
        case "ms": 1_000_000
        case "s", "": 1_000_000_000
        case "min": 60_000_000_000
        default: nil
        }
    }

    /// A number with decimals. Without floating point, a text gives the same number of nanoseconds on every machine.
    private struct Decimal {
        private static let digitsMax = 9
        let whole: Int64
        let billionths: Int64

        init?(_ text: Substring) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), parts.allSatisfy({ (1...Self.digitsMax).contains($0.count) }),
                let whole = Int64(parts[0])
            else { return nil }
            let decimals = parts.count == 2 ? parts[1] : "0"
            let padding = String(repeating: "0", count: Self.digitsMax - decimals.count)
            guard let billionths = Int64(decimals + padding) else { return nil }
            self.whole = whole
            self.billionths = billionths
        }

        func times(_ unit: Int64) -> Int64? {
            let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
            // Every unit is a multiple of 1000 ns, so the product of the decimals stays far below 2^63.
            let part = billionths * (unit / 1_000) / 1_000_000
            guard !overflow else { return nil }
            let (sum, sumOverflow) = product.addingReportingOverflow(part)
            return sumOverflow ? nil : sum
        }
    }
}
