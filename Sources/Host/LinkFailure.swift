import Cameras
import Glibc
import NIOCore
import NIOPosix

/// NIO's errors with the system's descriptions.
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

    /// For several addresses of a name the first error counts, as in `reason`.
    static func cause(of error: any Error) -> OpenFailure {
        switch error {
        case let error as IOError: cause(ofCode: error.errnoCode)
        case let error as NIOConnectionError: error.connectionErrors.first.map { cause(of: $0.error) } ?? .other
        case ChannelError.connectTimeout: .timedOut
        default: .other
        }
    }

    /// The errors of connect(2) and ip(7) for an address that does not answer.
    private static func cause(ofCode code: CInt) -> OpenFailure {
        switch code {
        case ECONNREFUSED: .refused
        case ETIMEDOUT: .timedOut
        case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN, EADDRNOTAVAIL, ENONET: .unreachable
        default: .other
        }
    }
}
