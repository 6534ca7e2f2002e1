import Glibc

package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: CInt

    package init(code: CInt) {
        self.code = code
    }

    /// The error of the system call that just failed on this thread.
    static var last: SystemError { SystemError(code: errno) }

    /// The system's description: `Permission denied`.
    package var description: String { String(cString: strerror(code)) }
}

/// Repeats a call after EINTR. Throws the error of the call.
@discardableResult
func check<Value: SignedInteger>(_ call: () -> Value) throws(SystemError) -> Value {
    while true {
        let value = call()
        if value >= 0 { return value }
        guard errno == EINTR else { throw SystemError.last }
    }
}
