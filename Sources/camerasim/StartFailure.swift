import NIOCore

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Why the simulator could not start on the network, in a sentence that says what to do.
struct StartFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// - Parameters:
    ///   - what: Such as "listen on 127.0.0.1:15740".
    ///   - option: The option to change.
    init(cannot what: String, _ error: any Error, option: String) {
        if let failure = error as? StartFailure {
            self = failure
            return
        }
        if error is SocketAddressError.UnknownHost {
            description =
                "cannot \(what): this machine cannot resolve that host name; use an address of this machine with "
                + "\(option), such as 127.0.0.1:15740 or [::1]:15740"
            return
        }
        let reason =
            switch (error as? IOError)?.errnoCode {
            case EADDRINUSE?: "the address is in use; choose another with \(option)"
            case EADDRNOTAVAIL?: "this machine does not have the address; choose another with \(option)"
            case EACCES?: "this user cannot listen there; choose a port from 1024 up with \(option)"
            case let code?: "\(SystemError(code: code))"
            case nil: "\(error)"
            }
        description = "cannot \(what): \(reason)"
    }
}
