/// A time by a camera's clock. The clock has no time zone.
package struct CaptureTime: Equatable, Sendable {
    /// Seconds since 1970-01-01 00:00 by the camera's clock.
    package let seconds: Double
    /// The time as it is written in the file.
    package let text: String

    /// Reads `YYYY:MM:DD hh:mm:ss` (EXIF 2.32, 4.6.5). Returns nil for any other text. EXIF writes spaces for an
    /// unknown time.
    package init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(20))
        guard bytes.count == 19 else { return nil }
        let marks = [(4, ":"), (7, ":"), (10, " "), (13, ":"), (16, ":")]
        guard marks.allSatisfy({ bytes[$0.0] == $0.1.utf8.first }) else { return nil }
        let numbers = [(0, 4), (5, 7), (8, 10), (11, 13), (14, 16), (17, 19)].compactMap { from, to in
            bytes[from..<to].allSatisfy { (48...57).contains($0) }
                ? bytes[from..<to].reduce(0) { $0 * 10 + Int($1 - 48) } : nil
        }
        guard numbers.count == 6, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]), numbers[3] < 24,
            numbers[4] < 60, numbers[5] < 61
        else { return nil }
        let days = Self.days(numbers[0], numbers[1], numbers[2])
        // `Int` has 32 bits on some boards.
        seconds = Double(((Int64(days) * 24 + Int64(numbers[3])) * 60 + Int64(numbers[4])) * 60 + Int64(numbers[5]))
        self.text = text
    }

    /// Reads `YYYYMMDDThhmmss` with any suffix (PTP, ISO 15740, 5.3.5). Returns nil for any other text.
    package static func ofPTP(_ text: String) -> Self? {
        let bytes = Array(text.utf8.prefix(15))
        guard bytes.count == 15, bytes[8] == "T".utf8.first else { return nil }
        let parts = [0..<4, 4..<6, 6..<8, 9..<11, 11..<13, 13..<15].map { String(decoding: bytes[$0], as: UTF8.self) }
        return Self(parts[..<3].joined(separator: ":") + " " + parts[3...].joined(separator: ":"))
    }

    /// The days from 0000-03-01 to 1970-01-01.
    private static let daysBefore1970 = 719_468

    /// Days of the Gregorian calendar since 1970-01-01.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // The calculation starts each year in March, so the leap day is the last day of the year.
        let years = month > 2 ? year : year - 1
        let months = (month + 9) % 12
        return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 1 - daysBefore1970
    }
}
