import Glibc

/// A call of the system failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: CInt

    package init(code: CInt) {
        self.code = code
    }

    /// The error of the call that just failed on this thread.
    static var last: SystemError { SystemError(code: errno) }

    /// The system's words: `Permission denied`.
    package var description: String { String(cString: strerror(code)) }
}

/// Repeats a call that a signal interrupted, and throws what it failed with.
@discardableResult
func check<Value: SignedInteger>(_ call: () -> Value) throws(SystemError) -> Value {
    while true {
        let value = call()
        if value >= 0 { return value }
        guard errno == EINTR else { throw SystemError.last }
    }
}
