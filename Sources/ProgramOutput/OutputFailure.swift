#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The reason why a program cannot write what it was asked for.
package struct OutputFailure: Error, Equatable {
    /// A standard stream, or the path of a file.
    package let target: String
    /// The system's error number.
    package let code: CInt

    package init(target: String, code: CInt) {
        self.target = target
        self.code = code
    }

    /// Whether the reader is gone, as behind `head`. A program ends quietly then: the user has read enough.
    package var isBrokenPipe: Bool { code == EPIPE }

    /// The system's words for the error.
    package var reason: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

    /// What happened, for the user.
    package var sentence: String { "\(target) cannot be written: \(reason)." }
}
