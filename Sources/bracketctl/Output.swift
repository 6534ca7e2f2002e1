import PrintableText
import ProgramOutput

typealias OutputClosed = OutputFailure

/// A stream of text without a buffer.
struct Output: Sendable {
    private let write: @Sendable ([UInt8]) throws(OutputClosed) -> Void

    init(_ write: @escaping @Sendable ([UInt8]) throws(OutputClosed) -> Void) {
        self.write = write
    }

    static func stream(_ stream: StandardStream) -> Output {
        Output { (bytes) throws(OutputClosed) in try stream.write(bytes) }
    }

    /// Prints lines of text. Every control character except a line end becomes `?`, because names that cameras report
    /// must not control the terminal.
    func line(_ text: String) throws(OutputClosed) {
        try write(Array(Output.printable(text).utf8) + [UInt8(ascii: "\n")])
    }

    /// Prints text that has its own line ends. Control characters are replaced as in ``line(_:)``.
    func text(_ text: String) throws(OutputClosed) {
        try write(Array(Output.printable(text).utf8))
    }

    /// Prints unchanged text, for escape sequences or for a format with its own line ends.
    func raw(_ text: String) throws(OutputClosed) {
        try write(Array(text.utf8))
    }

    /// Writes bytes that are no text, such as a picture.
    func bytes(_ bytes: [UInt8]) throws(OutputClosed) { try write(bytes) }

    /// Replaces every character that is neither printable nor a line end.
    static func printable(_ text: String) -> String {
        PrintableText.clean(text, lengthMax: .max, keepingLineEnds: true)
    }
}
