/// The comparison of texts that users write for values of properties.
package enum PropertyNotation {
    /// The form in which texts are compared. Case, spaces and the hyphen of a name (`AF-S`, `afs`) do not matter, but
    /// the sign of a number does. The typographic minus is a sign too.
    package static func key(_ text: String) -> String {
        let characters = Array(text.lowercased()).map { $0 == "\u{2212}" ? "-" : $0 }
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
}
