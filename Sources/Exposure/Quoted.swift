import PrintableText

/// Escapes external text for use in a sentence.
package enum Quoted {
    private static let charactersMax = 40

    /// The text in single quotes, cut at 40 characters. Control characters become `?`, because an error message must
    /// not move the terminal's cursor.
    package static func text(_ text: String) -> String {
        let isCut = text.unicodeScalars.count > charactersMax
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(charactersMax)))
        return "'\(PrintableText.clean(shown))\(isCut ? "…" : "")'"
    }
}
