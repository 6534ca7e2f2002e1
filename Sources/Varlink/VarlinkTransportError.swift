/// Why a client could not reach a service, or lost it.
package enum VarlinkTransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no socket at the path: the service was never started, or ended in order.
    case noSocket(path: String)
    /// There is a socket, and nobody listens on it: the service ended without removing it.
    case nobodyListens(path: String)
    /// The socket is there, and this user may not open it.
    case permissionDenied(path: String)
    /// The path does not fit into a socket address.
    case pathTooLong(path: String, lengthMax: Int)
    case cannotConnect(path: String, reason: String)
    /// The service has not yet accepted as many connections as may wait for it.
    case tooManyWaiting(path: String)
    /// The service closed the connection before it had answered.
    case closed
    /// The service sent what is no reply.
    case broken(reason: String)
    /// The caller of a stream took its replies more slowly than they came.
    case fellBehind(repliesMax: Int)

    package var description: String {
        switch self {
        case .noSocket(let path): "no daemon is running: the socket \(path) does not exist"
        case .nobodyListens(let path): "no daemon is running: no program listens on the socket \(path)"
        case .permissionDenied(let path):
            "this user cannot open the socket \(path): join the group that owns it, or use sudo"
        case .pathTooLong(let path, let lengthMax):
            "the socket path is longer than the \(lengthMax) bytes that the system allows: \(path)"
        case .cannotConnect(let path, let reason): "cannot connect to \(path): \(reason)"
        case .tooManyWaiting(let path): "too many clients wait for a connection to \(path)"
        case .closed: "the daemon closed the connection without an answer"
        case .broken(let reason): "the daemon's answer is not a valid Varlink reply: \(reason)"
        case .fellBehind(let repliesMax): "more than \(repliesMax) replies were waiting to be read"
        }
    }
}
