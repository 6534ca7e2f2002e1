import Cameras
import Glibc
import NIOCore
import NIOPosix

/// Converts NIO's errors to the system's descriptions and to causes.
enum LinkFailure {
    static func reason(of error: any Error) -> String {
        switch error {
        case let error as IOError: "\(SystemError(code: error.errnoCode))"
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first {
                reason(of: first.error)
            } else {
                NetworkHostSentences.nameUnknown
            }
        default: "\(error)"
        }
    }

    /// The cause of a failed opening. If a name has several addresses, the first error counts, as in `reason`.
    static func cause(of error: any Error) -> OpenFailure {
        switch error {
        case let error as IOError: cause(ofCode: error.errnoCode)
        case let error as NIOConnectionError: error.connectionErrors.first.map { cause(of: $0.error) } ?? .other
        case ChannelError.connectTimeout: .timedOut
        default: .other
        }
    }

    /// The cause for an error code of connect(2) or ip(7).
    private static func cause(ofCode code: CInt) -> OpenFailure {
        switch code {
        case ECONNREFUSED: .refused
        case ETIMEDOUT: .timedOut
        case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, EADDRNOTAVAIL, ENONET: .unreachable
        default: .other
        }
    }
}
