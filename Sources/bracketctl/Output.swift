import PrintableText
import ProgramOutput

typealias OutputClosed = OutputFailure

/// An unbuffered stream of text.
struct Output: Sendable {
    private let write: @Sendable ([UInt8]) throws(OutputClosed) -> Void

    init(_ write: @escaping @Sendable ([UInt8]) throws(OutputClosed) -> Void) {
        self.write = write
    }

    static func stream(_ stream: StandardStream) -> Output {
        Output { (bytes) throws(OutputClosed) in try stream.write(bytes) }
    }

    /// Prints lines of text. Control characters other than line ends become `?`, because names come from cameras and
    /// must not control the terminal.
    func line(_ text: String) throws(OutputClosed) {
        try write(Array(Output.printable(text).utf8) + [UInt8(ascii: "\n")])
    }

    /// Prints text with its own line ends, made printable as by ``line(_:)``.
    func text(_ text: String) throws(OutputClosed) {
        try write(Array(Output.printable(text).utf8))
    }

    /// Prints text unchanged: control sequences for the terminal, or a format with its own line ends.
    func raw(_ text: String) throws(OutputClosed) {
        try write(Array(text.utf8))
    }

    /// The text with everything but printable characters and line ends replaced.
    static func printable(_ text: String) -> String {
        PrintableText.clean(text, lengthMax: .max, keepingLineEnds: true)
    }
}
