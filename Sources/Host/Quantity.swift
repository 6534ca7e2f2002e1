import Controller

/// Converts texts such as `16 MB` to a whole number and back.
private struct Quantity {
    /// The units, largest first. Each size is a multiple of the smallest size.
    let units: [(name: String, size: Int)]

    /// Parses a whole number with a unit. Returns nil for other texts and for an overflow.
    func parse(_ text: String) -> Int? {
        let words = text.drop { $0 == " " }
        // Only digits are accepted, because `Int` would also accept a sign.
        let digits = words.prefix { $0.isASCII && $0.isNumber }
        let rest = words.dropFirst(digits.count).split(separator: " ")
        guard let count = Int(digits), rest.count == 1 else { return nil }
        guard let unit = units.first(where: { $0.name.lowercased() == rest[0].lowercased() }) else { return nil }
        let (amount, isBeyond) = count.multipliedReportingOverflow(by: unit.size)
        return isBeyond ? nil : amount
    }

    /// The amount in the largest unit that gives a whole number; nil if no unit does.
    func text(_ amount: Int) -> String? {
        units.first { amount % $0.size == 0 && amount >= $0.size }.map { "\(amount / $0.size) \($0.name)" }
    }
}

/// Sizes as text: a whole number and `KB`, `MB` or `GB`, which are powers of 1000.
enum ByteCount {
    private static let quantity = Quantity(units: [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000)])

    /// Parses a size in bytes. Returns nil for other texts and for an overflow.
    static func parse(_ text: String) -> Int? { quantity.parse(text) }

    static func text(_ bytes: Int) -> String { quantity.text(bytes) ?? "\(bytes) bytes" }
}

/// Times as text: a whole number and `ms` or `s`.
enum TimeText {
    private static let quantity = Quantity(units: [("s", 1000), ("ms", 1)])

    /// Parses a time. Returns nil for other texts and for an overflow.
    static func parse(_ text: String) -> Duration? { quantity.parse(text).map { .milliseconds($0) } }

    /// The time as text, with a precision of one millisecond.
    static func text(_ time: Duration) -> String { quantity.text(Int(time.milliseconds)) ?? "0 ms" }
}
