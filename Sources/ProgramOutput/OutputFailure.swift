#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Why a program cannot write its output.
package struct OutputFailure: Error, Equatable {
    /// The name of a standard stream, or the path of a file.
    package let target: String
    package let code: CInt

    package init(target: String, code: CInt) {
        self.target = target
        self.code = code
    }

    /// Whether the reader has closed the pipe, as `head` does. The program then ends without a message.
    package var isBrokenPipe: Bool { code == EPIPE }

    /// The system's description of the error.
    package var reason: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
