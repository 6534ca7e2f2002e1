import Controller

/// Whole numbers with a unit, as in the configuration.
private struct Quantity {
    /// The largest first; each a multiple of the smallest.
    let units: [(name: String, size: Int)]

    /// Returns nil for other texts and for overflow.
    func parse(_ text: String) -> Int? {
        let words = text.drop { $0 == " " }
        // Digits only: `Int` also accepts a sign.
        let digits = words.prefix { $0.isASCII && $0.isNumber }
        let rest = words.dropFirst(digits.count).split(separator: " ")
        guard let count = Int(digits), rest.count == 1 else { return nil }
        guard let unit = units.first(where: { $0.name.lowercased() == rest[0].lowercased() }) else { return nil }
        let (amount, isBeyond) = count.multipliedReportingOverflow(by: unit.size)
        return isBeyond ? nil : amount
    }

    /// In the largest unit that is exact; nil if none is.
    func text(_ amount: Int) -> String? {
        units.first { amount % $0.size == 0 && amount >= $0.size }.map { "\(amount / $0.size) \($0.name)" }
    }
}

/// Sizes: a whole number and `KB`, `MB` or `GB`, which are powers of 1000.
enum ByteCount {
    private static let quantity = Quantity(units: [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000)])

    /// Returns nil for other texts and for overflow.
    static func parse(_ text: String) -> Int? { quantity.parse(text) }

    static func text(_ bytes: Int) -> String { quantity.text(bytes) ?? "\(bytes) bytes" }
}

/// Times: a whole number and `ms` or `s`.
enum TimeText {
    private static let quantity = Quantity(units: [("s", 1000), ("ms", 1)])

    /// Returns nil for other texts and for overflow.
    static func parse(_ text: String) -> Duration? { quantity.parse(text).map { .milliseconds($0) } }

    /// To the millisecond.
    static func text(_ time: Duration) -> String { quantity.text(Int(time.milliseconds)) ?? "0 ms" }
}
