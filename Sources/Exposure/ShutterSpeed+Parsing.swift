extension ShutterSpeed {
    /// Parses a nominal speed: `1/4`, `0.3`, `0.3"`, `2"`, `2s`, `30″`, `1/250 s`, `0,3`, `1 sec`.
    ///
    /// A number without a unit is in seconds. Only speeds of the scale are accepted, in each notation that cameras use
    /// (some write 1/3 for 0.3″). So a typing error never becomes another speed.
    ///
    /// - Throws: `SpeedError`, with the text, the reason and the nearest speeds.
    package init(parsing text: String) throws(SpeedError) {
        func refuse(_ reason: SpeedError.Reason, nearest: [ShutterSpeed] = []) -> SpeedError {
            SpeedError(text: text, reason: reason, nearest: nearest)
        }
        let time: TypedTime
        do throws(TypedTime.Refusal) {
            time = try TypedTime(text)
        } catch {
            throw refuse(error.reason)
        }
        if let speed = ShutterSpeed.all.first(where: { time.compared(to: $0) == .same }) ?? time.alias {
            self = speed
            return
        }
        guard let slower = ShutterSpeed.all.first(where: { time.compared(to: $0) == .faster }) else {
            // Some bodies show 1/60 as 60 and 1/250 as 250.
            let meant = time.asDenominator
            throw refuse(.tooSlow, nearest: meant.map { [$0, .slowest] } ?? [.slowest])
        }
        guard slower != .fastest else { throw refuse(.tooFast, nearest: [.fastest]) }
        throw refuse(.offScale, nearest: [ShutterSpeed(onScale: slower.index - 1), slower])
    }
}

/// A time in seconds, as the user typed it: a fraction of integers.
private struct TypedTime {
    let numerator: Int
    let denominator: Int

    struct Refusal: Error {
        let reason: SpeedError.Reason
        init(_ reason: SpeedError.Reason) { self.reason = reason }
    }

    private static let charactersMax = 32
    /// The maximum number of digits before and after the point together. With it, the products of two fractions fit in
    /// 64 bits.
    private static let digitsMax = 6
    private static let secondSigns = ["seconds", "second", "secs", "sec", "s", "\"", "''", "″", "”", "′′", "’’"]
    private static let bulbs = ["b", "bulb", "t", "time"]

    init(_ text: String) throws(Refusal) {
        guard text.unicodeScalars.count <= TypedTime.charactersMax else { throw Refusal(.notATime) }
        var rest = TypedTime.trimmed(text[...].lowercased()[...])
        if rest.isEmpty { throw Refusal(.empty) }
        if TypedTime.bulbs.contains(String(rest)) { throw Refusal(.bulb) }
        let isNegative = rest.first == "-" || rest.first == "−"
        if isNegative { rest = rest.dropFirst() }
        if let sign = TypedTime.secondSigns.first(where: { rest.hasSuffix($0) }) {
            rest = TypedTime.trimmed(rest.dropLast(sign.count))
        }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false).map(TypedTime.trimmed)
        guard let first = parts.first, let top = TypedTime.number(first) else { throw Refusal(.notATime) }
        var bottom = (digits: 1, scale: 1)
        if parts.count > 1 {
            guard parts.count == 2, let number = TypedTime.number(parts[1]) else { throw Refusal(.notATime) }
            bottom = number
        }
        numerator = top.digits * bottom.scale
        denominator = bottom.digits * top.scale
        guard numerator != 0, denominator != 0 else { throw Refusal(.zero) }
        if isNegative { throw Refusal(.negative) }
    }

    enum Comparison { case faster, same, slower }

    func compared(to speed: ShutterSpeed) -> Comparison {
        let nominal = ShutterSpeed.scale[speed.index]
        let (own, other) = (numerator * nominal.denominator, nominal.numerator * denominator)
        return own == other ? .same : own < other ? .faster : .slower
    }

    /// The speed that some cameras show as this time. Nikon shows 0.3″, 0.6″ and 0.8″ as 1/3, 1/1.6 and 1/1.3.
    var alias: ShutterSpeed? {
        let aliases = [(1, 3, 34), (10, 16, 37), (10, 13, 38)]
        return aliases.first { numerator * $0.1 == denominator * $0.0 }.map { ShutterSpeed(onScale: $0.2) }
    }

    /// The speed whose denominator is this number of seconds, if it is a whole number: 1/250 for 250.
    var asDenominator: ShutterSpeed? {
        guard denominator == 1 else { return nil }
        return ShutterSpeed.all.first { $0.label == "1/\(numerator)" }
    }

    /// Parses a number such as `13`, `0.3`, `0,3` or `2.` into its digits and the power of ten that divides them.
    private static func number(_ text: Substring) -> (digits: Int, scale: Int)? {
        var (digits, scale, count) = (0, 1, 0)
        var hasPoint = false
        for character in text {
            if character == "." || character == "," {
                if hasPoint { return nil }
                hasPoint = true
                continue
            }
            guard character.isASCII, let digit = character.wholeNumberValue, count < digitsMax else { return nil }
            digits = digits * 10 + digit
            if hasPoint { scale *= 10 }
            count += 1
        }
        return count > 0 ? (digits, scale) : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var rest = text
        while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return rest
    }
}
