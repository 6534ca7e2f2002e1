/// A PTP date: `YYYYMMDDThhmmss`, then tenths and a zone in the body's own form (Canon appends `.0`; airnef). Only the
/// shape is checked, and any tail is kept.
package struct PTPDateTime: Hashable, Sendable, CustomStringConvertible {
    /// Four digits.
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to 31.
    package var day: Int
    /// 0 to 23.
    package var hour: Int
    /// 0 to 59.
    package var minute: Int
    /// 0 to 60.
    package var second: Int
    /// `.s` tenths, then `Z` or `±hhmm`; may be empty.
    package var tail: String

    /// Checks nothing.
    package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, tail: String = "") {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.tail = tail
    }

    /// - Returns: nil when the text does not begin with `YYYYMMDDThhmmss`, or contains a number outside its range.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 15, bytes[8] == UInt8(ascii: "T") else { return nil }
        func number(_ range: Range<Int>, _ allowed: ClosedRange<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return allowed.contains(value) ? value : nil
        }
        guard
            let year = number(0..<4, 0...9999), let month = number(4..<6, 1...12), let day = number(6..<8, 1...31),
            let hour = number(9..<11, 0...23), let minute = number(11..<13, 0...59),
            let second = number(13..<15, 0...60)
        else { return nil }
        self.init(
            year: year,
            month: month,
            day: day,
            hour: hour,
            minute: minute,
            second: second,
            tail: String(decoding: bytes[15...], as: UTF8.self)
        )
    }

    package var description: String {
        func digits(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return digits(year, 4) + digits(month, 2) + digits(day, 2) + "T" + digits(hour, 2) + digits(minute, 2)
            + digits(second, 2) + tail
    }
}
