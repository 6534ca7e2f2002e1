/// Text from outside, made safe to print. Cameras, networks, clients and files name things as they like; what they say
/// may not move a cursor, end a line of a log, hide characters or turn the direction of writing.
///
/// Works on Unicode scalars: `\r\n` is one `Character`, and equals neither of its two scalars.
package enum PrintableText {
    /// The longest text that is kept unless the caller says otherwise, in Unicode scalars.
    package static let lengthMax = 1024
    /// What stands at the end of a text that was cut.
    private static let cut: Unicode.Scalar = "…"

    /// The text with every scalar replaced that cannot be printed, cut at `lengthMax` scalars. Printable text comes
    /// back as it is.
    ///
    /// - Parameter keepingLineEnds: line feeds stay. Nothing else ends a line.
    package static func clean(
        _ text: String,
        lengthMax: Int = lengthMax,
        keepingLineEnds: Bool = false,
        replacement: Unicode.Scalar = "?"
    ) -> String {
        precondition(lengthMax > 0)
        if text.utf8.count <= lengthMax, text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text }
        var scalars = String.UnicodeScalarView()
        var left = lengthMax
        for scalar in text.unicodeScalars {
            guard left > 0 else {
                scalars.removeLast()
                scalars.append(cut)
                break
            }
            left -= 1
            let isKept = isPrintable(scalar) || keepingLineEnds && scalar == "\n"
            scalars.append(isKept ? scalar : replacement)
        }
        return String(scalars)
    }

    /// Whether a terminal shows this scalar in its place and does nothing else.
    ///
    /// Not: control characters (C0, DEL, C1), format characters (marks of direction, joiners, characters without a
    /// width), separators of lines and paragraphs, what Unicode has not assigned, and what is not shown by default
    /// (Unicode 16, chapter 5.21) but for the selectors of variants, which change how the scalar before them looks.
    package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return 0x20...0x7E ~= scalar.value }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return !scalar.properties.isDefaultIgnorableCodePoint || 0xFE00...0xFE0F ~= scalar.value
        }
    }
}
