import Testing

@testable import PrintableText

struct PrintableTextTests {
    @Test(arguments: ["", "ILCE-7M4", "30″ at f/2.8", "Müller e\u{301}", "カメラ", "❤\u{FE0F}", "a\u{3000}b", "\u{FFFD}"])
    func `printable text stays as it is`(text: String) {
        #expect(PrintableText.clean(text) == text)
    }

    @Test(arguments: [
        ("a\u{1B}[2Jb", "a?[2Jb"), ("\u{7}", "?"), ("\u{0}", "?"), ("a\rb", "a?b"), ("a\nb", "a?b"), ("a\tb", "a?b"),
        ("\u{7F}", "?"), ("\u{85}\u{9B}31m", "??31m"), ("a\u{202E}b\u{2066}\u{200F}\u{61C}", "a?b???"),
        ("\u{200B}\u{200D}\u{FEFF}\u{2060}\u{AD}", "?????"), ("\u{34F}\u{3164}\u{115F}\u{E0041}", "????"),
        ("\u{2028}\u{2029}", "??"), ("\u{E000}\u{FFFE}", "??"),
    ])
    func `control characters and invisible characters are replaced`(text: String, expected: String) {
        #expect(PrintableText.clean(text) == expected)
    }

    /// Swift treats `\r\n` as one character, which equals neither of its scalars.
    @Test func `a line end of two scalars is replaced, and only line feeds are kept on request`() {
        #expect(PrintableText.clean("a\r\nforged") == "a??forged")
        #expect(PrintableText.clean("a\r\nb\nc\r\u{2028}", keepingLineEnds: true) == "a?\nb\nc??")
    }

    @Test func `every unprintable Unicode scalar is replaced`() {
        for value in 0...0x10FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value), PrintableText.isPrintable(scalar) else { continue }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                Issue.record("U+\(String(value, radix: 16))")
            default: break
            }
        }
    }

    @Test func `a text that is too long is cut and marked`() {
        #expect(PrintableText.clean("abcdef", lengthMax: 4) == "abc…")
        #expect(PrintableText.clean("äbcd", lengthMax: 4) == "äbcd")
        #expect(PrintableText.clean("\u{1B}\u{1B}\u{1B}", lengthMax: 2, replacement: " ") == " …")
        #expect(
            PrintableText.clean(String(repeating: "x", count: 5000)).unicodeScalars.count == PrintableText.lengthMax
        )
    }

    @Test func `a second cleaning changes nothing`() {
        let once = PrintableText.clean("a\u{1B}\r\n\u{202E}b")
        #expect(PrintableText.clean(once) == once)
    }
}
