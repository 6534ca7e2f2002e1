import PrintableText

/// Text from outside, made safe to stand in a sentence.
package enum Quoted {
    private static let charactersMax = 40

    /// The text between single quotes, cut at 40 characters, with control characters shown as `?`: an error must not be
    /// able to move the cursor of the terminal it is printed on.
    package static func text(_ text: String) -> String {
        let isCut = text.unicodeScalars.count > charactersMax
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(charactersMax)))
        return "'\(PrintableText.clean(shown))\(isCut ? "…" : "")'"
    }
}
