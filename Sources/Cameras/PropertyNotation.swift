/// The comparison of texts that users write for values of properties.
package enum PropertyNotation {
    /// The form in which texts are compared. Case, spaces and the hyphen of a name (`AF-S`, `afs`) do not matter, but
    /// the sign of a number does. The typographic minus is a sign too. The American spelling of "colour" and the
    /// fractions of an exposure compensation (`+1/3`, `-1 2/3`) are other forms of the same value.
    package static func key(_ text: String) -> String {
        let plain = text.lowercased().replacing("\u{2212}", with: "-").replacing("color", with: "colour")
        let characters = Array(decimal(plain))
        var key = ""
        for (index, character) in characters.enumerated() where !character.isWhitespace && character != "_" {
            let isInWord =
                index > 0 && characters[index - 1].isLetter && index + 1 < characters.count
                && characters[index + 1].isLetter
            if character == "-", isInWord { continue }
            key.append(character)
        }
        return key
    }

    /// A signed number with a fraction as bodies write it: `+1/3` is `+0.3`. Other texts do not change.
    private static func decimal(_ text: String) -> String {
        let parts = text.dropFirst().split(separator: " ")
        guard let sign = text.first, "+-".contains(sign), (1...2).contains(parts.count),
            let tenths = ["1/3": "3", "1/2": "5", "2/3": "7"][parts[parts.count - 1]]
        else { return text }
        return "\(sign)\(parts.count == 2 ? parts[0] : "0").\(tenths)"
    }
}
