extension PlanRequest {
    /// Parses a bias into thirds of a stop: `+1/3`, `-2/3`, `4/3`, `1 1/3`, `-1`, or as camera dials show it: `0.3`,
    /// `+1.7`.
    ///
    /// - Throws: `PlanError.bias` if the text is not a number of thirds, `PlanError.biasThirds` if it exceeds the
    ///   limit.
    package static func biasThirds(parsing text: String) throws(PlanError) -> Int {
        var rest = text[...]
        while let first = rest.first, first == " " { rest = rest.dropFirst() }
        let isNegative = rest.first == "-" || rest.first == "−"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        guard let thirds = unsignedThirds(rest) else { throw .bias(text) }
        let signed = isNegative ? -thirds : thirds
        guard biasThirdsRange.contains(signed) else { throw .biasThirds(signed) }
        return signed
    }

    /// Parses thirds written as `4/3`, `1 1/3`, `1`, `1.3` or `1,3`.
    private static func unsignedThirds(_ text: Substring) -> Int? {
        let words = text.split(separator: " ")
        if words.count == 2 {
            guard let whole = smallNumber(words[0]), let part = fraction(words[1]), part < 3 else { return nil }
            return whole * 3 + part
        }
        guard words.count == 1 else { return nil }
        if let thirds = fraction(words[0]) { return thirds }
        let parts = words[0].split(separator: words[0].contains(",") ? "," : ".", omittingEmptySubsequences: false)
        guard let whole = smallNumber(parts[0]) else { return nil }
        if parts.count == 1 { return whole * 3 }
        guard parts.count == 2, let tenths = ["0": 0, "3": 1, "33": 1, "7": 2, "67": 2][parts[1]] else { return nil }
        return whole * 3 + tenths
    }

    private static func fraction(_ text: Substring) -> Int? {
        text.hasSuffix("/3") ? smallNumber(text.dropLast(2)) : nil
    }

    /// Parses one to three ASCII digits.
    private static func smallNumber(_ text: Substring) -> Int? {
        let isNumber = (1...3).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? Int(text) : nil
    }
}

extension Spacing {
    /// Parses a spacing: `1`, `1.5` or `2`, also as `1,5` or `2.0`.
    ///
    /// - Throws: `PlanError.spacing` with the text.
    package init(parsing text: String) throws(PlanError) {
        switch text {
        case "1", "1.0", "1,0": self = .one
        case "1.5", "1,5": self = .oneAndAHalf
        case "2", "2.0", "2,0": self = .two
        default: throw .spacing(text)
        }
    }
}
