/// The clock of a simulated body. It starts at noon of 1 January 2026, when the body is switched on.
package struct BodyClock: Hashable, Sendable {
    /// The time since the body was switched on.
    package var time: Duration

    package init(_ time: Duration) { self.time = time }

    /// The date as in PTP: `YYYYMMDDThhmmss`.
    package var ptp: String { "\(digits(2026, 4))\(two(month))\(two(day))T\(two(hour))\(two(minute))\(two(second))" }

    /// The date as in Exif: `YYYY:MM:DD hh:mm:ss`.
    var exif: String { "2026:\(two(month)):\(two(day)) \(two(hour)):\(two(minute)):\(two(second))" }

    /// The milliseconds of the second, in three digits.
    var fraction: String { digits(Int(DurationText.milliseconds(time) % 1_000), 3) }

    private var seconds: Int { Int(time.components.seconds) + 43_200 }
    private var second: Int { seconds % 60 }
    private var minute: Int { seconds / 60 % 60 }
    private var hour: Int { seconds / 3_600 % 24 }

    private var day: Int { dayOfYear - Self.daysBefore[month - 1] + 1 }
    private var month: Int { Self.daysBefore.lastIndex { $0 <= dayOfYear }.map { $0 + 1 } ?? 1 }
    /// The day of the year, from 0. After 365 days the same year begins again.
    private var dayOfYear: Int { seconds / 86_400 % 365 }

    private static let daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

    private func two(_ number: Int) -> String { digits(number, 2) }

    private func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
