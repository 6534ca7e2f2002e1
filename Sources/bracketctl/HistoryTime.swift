import CLinux  // The type `tm` comes from CLinux or Glibc; the compiler decides which.
import Glibc

/// A time of the history in the daemon's format: RFC 3339 in UTC.
struct HistoryTime {
    private let seconds: time_t
    private let milliseconds: Int

    /// Parses a text such as `2026-11-22T02:34:19.123Z`. Returns nil for other texts.
    init?(_ text: String) {
        let words = text.split { "-T:.Z".contains($0) }
        guard words.map(\.utf8.count) == [4, 2, 2, 2, 2, 2, 3], text.utf8.count == 24 else { return nil }
        let parts = words.map { Int($0) }
        guard let year = parts[0], let month = parts[1], let day = parts[2],
            let hour = parts[3], let minute = parts[4], let second = parts[5], let fraction = parts[6]
        else { return nil }
        var calendar = tm()
        (calendar.tm_year, calendar.tm_mon, calendar.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        (calendar.tm_hour, calendar.tm_min, calendar.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
        seconds = timegm(&calendar)
        milliseconds = fraction
    }

    init(seconds: time_t, milliseconds: Int = 0) {
        self.seconds = seconds
        self.milliseconds = milliseconds
    }

    init(milliseconds: Int64) {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        self.init(seconds: time_t(rest < 0 ? whole - 1 : whole), milliseconds: Int(rest < 0 ? rest + 1000 : rest))
    }

    /// The seconds since 1970-01-01 00:00 UTC.
    var epoch: Double { Double(seconds) + Double(milliseconds) / 1000 }

    /// The time in the daemon's format: `2026-11-22T02:34:19.123Z`.
    var text: String {
        var (time, calendar) = (seconds, tm())
        gmtime_r(&time, &calendar)
        return Self.day(calendar) + "T" + self.time(calendar) + "Z"
    }

    /// Converts the text of a time to another form. Returns any other text without a change, and an empty text for nil.
    static func text(_ text: String?, _ form: (HistoryTime) -> String) -> String {
        text.map { HistoryTime($0).map(form) ?? $0 } ?? ""
    }

    /// The local date and time: `2026-11-22 03:34:19`.
    func date(in environment: Environment) -> String {
        let calendar = environment.calendar(seconds)
        return Self.day(calendar) + " " + Self.clock(calendar)
    }

    /// The local date and time for file names: `20261122-033419`.
    func stamp(in environment: Environment) -> String {
        let digits = date(in: environment).filter(\.isNumber)
        return "\(digits.prefix(8))-\(digits.dropFirst(8))"
    }

    /// The local time of day: `03:34:19.123`.
    func time(in environment: Environment) -> String { time(environment.calendar(seconds)) }

    /// - Parameter calendar: The fields of this time in any time zone.
    func time(_ calendar: tm) -> String {
        Self.clock(calendar) + "." + String(milliseconds).padded(left: 3, with: "0")
    }

    private static func day(_ calendar: tm) -> String {
        let date = [(Int(calendar.tm_year) + 1900, 4), (Int(calendar.tm_mon) + 1, 2), (Int(calendar.tm_mday), 2)]
        return date.map { String($0).padded(left: $1, with: "0") }.joined(separator: "-")
    }

    private static func clock(_ calendar: tm) -> String {
        [calendar.tm_hour, calendar.tm_min, calendar.tm_sec]
            .map { String($0).padded(left: 2, with: "0") }.joined(separator: ":")
    }
}
