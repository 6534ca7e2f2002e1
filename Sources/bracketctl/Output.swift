import Foundation

/// Nobody reads the output any more, as when it is piped into `head`.
struct OutputClosed: Error {}

/// A stream of text, written through at once.
struct Output: Sendable {
    private let write: @Sendable ([UInt8]) throws(OutputClosed) -> Void

    init(_ write: @escaping @Sendable ([UInt8]) throws(OutputClosed) -> Void) {
        self.write = write
    }

    /// The stream of an open file.
    static func descriptor(_ descriptor: Int32) -> Output {
        Output { (bytes) throws(OutputClosed) in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw OutputClosed() }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Lines of text. Control characters other than line ends are shown as `?`: names come from cameras, and must not
    /// be able to steer the terminal.
    func line(_ text: String) throws(OutputClosed) {
        try write(Array(Output.printable(text).utf8) + [UInt8(ascii: "\n")])
    }

    /// Text as it is.
    func text(_ text: String) throws(OutputClosed) {
        try write(Array(text.utf8))
    }

    /// Bytes as they are.
    func bytes(_ bytes: [UInt8]) throws(OutputClosed) { try write(bytes) }

    /// The text with everything but printable characters and line ends replaced.
    static func printable(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar != "\n", .format, .lineSeparator, .paragraphSeparator: scalars.append("?")
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}
