import PrintableText
import ProgramOutput

/// What the command says cannot be written.
typealias OutputClosed = OutputFailure

/// A stream of text, written through at once.
struct Output: Sendable {
    private let write: @Sendable ([UInt8]) throws(OutputClosed) -> Void

    init(_ write: @escaping @Sendable ([UInt8]) throws(OutputClosed) -> Void) {
        self.write = write
    }

    /// A standard stream of the process.
    static func stream(_ stream: StandardStream) -> Output {
        Output { (bytes) throws(OutputClosed) in try stream.write(bytes) }
    }

    /// Lines of text. Control characters other than line ends are shown as `?`: names come from cameras, and must not
    /// be able to steer the terminal.
    func line(_ text: String) throws(OutputClosed) {
        try write(Array(Output.printable(text).utf8) + [UInt8(ascii: "\n")])
    }

    /// Text with its own line ends, made printable as by ``line(_:)``.
    func text(_ text: String) throws(OutputClosed) {
        try write(Array(Output.printable(text).utf8))
    }

    /// Text as it is: it steers the terminal, or has the line ends of a format.
    func raw(_ text: String) throws(OutputClosed) {
        try write(Array(text.utf8))
    }

    /// The text with everything but printable characters and line ends replaced.
    static func printable(_ text: String) -> String {
        PrintableText.clean(text, lengthMax: .max, keepingLineEnds: true)
    }
}
