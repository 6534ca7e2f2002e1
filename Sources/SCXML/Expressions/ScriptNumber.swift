/// Conversions between numbers and text by the rules of ECMAScript.
enum ScriptNumber {
    /// The number that a string represents (ECMAScript 5.1, 9.3.1). White space around it is ignored. An empty string
    /// gives 0, and invalid text gives NaN.
    static func value(of text: String) -> Double {
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, ScriptLexer.isSpace(first) { scalars.removeFirst() }
        while let last = scalars.last, ScriptLexer.isSpace(last) { scalars.removeLast() }
        if scalars.isEmpty { return 0 }
        let list = Array(scalars)
        if let hexadecimal = hexadecimal(in: list, at: 0) {
            return hexadecimal.end == list.count ? hexadecimal.value : .nan
        }
        let isSigned = list[0] == "+" || list[0] == "-"
        let start = isSigned ? 1 : 0
        let sign: Double = list[0] == "-" ? -1 : 1
        if String(String.UnicodeScalarView(list[start...])) == "Infinity" { return sign * .infinity }
        guard let decimal = decimal(in: list, at: start), decimal.end == list.count else { return .nan }
        return sign * decimal.value
    }

    /// Parses the unsigned decimal literal at an index and returns its end (ECMAScript 5.1, 7.8.3); nil: there is none.
    /// An `e` without digits after it is not part of the literal.
    static func decimal(in scalars: [Unicode.Scalar], at start: Int) -> (value: Double, end: Int)? {
        func digits(from place: Int) -> Int {
            var end = place
            while end < scalars.count, ("0"..."9").contains(scalars[end]) { end += 1 }
            return end
        }
        let wholeEnd = digits(from: start)
        var end = wholeEnd
        var fraction = ""
        if end < scalars.count, scalars[end] == "." {
            let fractionEnd = digits(from: end + 1)
            fraction = String(String.UnicodeScalarView(scalars[(end + 1)..<fractionEnd]))
            if wholeEnd == start, fraction.isEmpty { return nil }
            end = fractionEnd
        } else if wholeEnd == start {
            return nil
        }
        var exponent = ""
        if end < scalars.count, scalars[end] == "e" || scalars[end] == "E" {
            let hasSign = end + 1 < scalars.count && (scalars[end + 1] == "+" || scalars[end + 1] == "-")
            let first = end + (hasSign ? 2 : 1)
            let exponentEnd = digits(from: first)
            if exponentEnd > first {
                exponent = "e" + String(String.UnicodeScalarView(scalars[(end + 1)..<exponentEnd]))
                end = exponentEnd
            }
        }
        let whole = String(String.UnicodeScalarView(scalars[start..<wholeEnd]))
        return (Double("0\(whole).\(fraction)0\(exponent)") ?? .nan, end)
    }

    /// Parses the hexadecimal literal `0x…` at an index and returns its end; nil: there is none.
    static func hexadecimal(in scalars: [Unicode.Scalar], at start: Int) -> (value: Double, end: Int)? {
        guard start + 2 < scalars.count, scalars[start] == "0", scalars[start + 1] == "x" || scalars[start + 1] == "X"
        else { return nil }
        var end = start + 2
        while end < scalars.count, scalars[end].properties.isASCIIHexDigit { end += 1 }
        guard end > start + 2 else { return nil }
        let digits = String(String.UnicodeScalarView(scalars[(start + 2)..<end]))
        return (Double("0x" + digits) ?? .nan, end)
    }

    /// The text of a number (ECMAScript 5.1, 9.8.1): the fewest digits that identify the number. From 1e-6 up to 1e21
    /// it has no exponent.
    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number == 0 { return "0" }
        if number < 0 { return "-" + text(-number) }
        if number.isInfinite { return "Infinity" }
        let (digits, point) = shortestDigits(number)
        let count = digits.count
        if count <= point, point <= 21 { return digits + zeros(point - count) }
        if 0 < point, point <= 21 { return digits.prefix(point) + "." + digits.dropFirst(point) }
        if -6 < point, point <= 0 { return "0." + zeros(-point) + digits }
        let exponent = point - 1
        let fraction = count == 1 ? "" : "." + digits.dropFirst()
        return String(digits.prefix(1)) + fraction + (exponent < 0 ? "e-" : "e+") + String(abs(exponent))
    }

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

    /// The digits of a positive number without leading and trailing zeros, and the position of the decimal point in the
    /// digits. If the position is negative, zeros follow the point. Swift's description has the same digits.
    private static func shortestDigits(_ number: Double) -> (digits: String, point: Int) {
        let parts = "\(number)".split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let whole = mantissa[0]
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let all = whole + fraction
        let digits = all.drop { $0 == "0" }
        let point = whole.count + exponent - (all.count - digits.count)
        return (String(digits.reversed().drop { $0 == "0" }.reversed()), point)
    }
}
