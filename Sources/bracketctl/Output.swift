import Foundation
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

    /// The stream of an open file.
    static func descriptor(_ descriptor: Int32) -> Output {
        Output { (bytes) throws(OutputClosed) in
            if let code = bytes.withUnsafeBytes({ StandardStream.write($0, to: descriptor) }) {
                throw OutputFailure(target: name(of: descriptor), code: code)
            }
        }
    }

    private static func name(of descriptor: Int32) -> String {
        switch descriptor {
        case STDOUT_FILENO: "standard output"
        case STDERR_FILENO: "standard error"
        default: "the file"
        }
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

    /// Bytes as they are.
    func bytes(_ bytes: [UInt8]) throws(OutputClosed) { try write(bytes) }

    /// The text with everything but printable characters and line ends replaced.
    static func printable(_ text: String) -> String {
        PrintableText.clean(text, lengthMax: .max, keepingLineEnds: true)
    }
}
