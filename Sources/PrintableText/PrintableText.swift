/// Makes external text safe to print. Names from cameras, networks, clients and files can contain any characters. When
/// printed, they must not move a cursor, end a log line, hide characters or change the writing direction.
///
/// It works on Unicode scalars, because `\r\n` is one `Character` and equals neither of its two scalars.
package enum PrintableText {
    /// The default length limit, in Unicode scalars.
    package static let lengthMax = 1024
    /// The last character of a text that was shortened.
    private static let cut: Unicode.Scalar = "…"

    /// The text with every unprintable scalar replaced, cut at `lengthMax` scalars. Printable text is unchanged.
    ///
    /// - Parameter keepingLineEnds: whether line feeds are kept. Other line ends are always replaced.
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

    /// Whether a terminal only shows this scalar and does nothing else.
    ///
    /// False for control characters (C0, DEL, C1), format characters (direction marks, joiners, characters without a
    /// width), line and paragraph separators, and unassigned characters. False also for characters that are not shown
    /// by default (Unicode 16, chapter 5.21). Variation selectors are an exception: they change the scalar before them.
    package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return 0x20...0x7E ~= scalar.value }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return !scalar.properties.isDefaultIgnorableCodePoint || 0xFE00...0xFE0F ~= scalar.value
        }
    }
}
