/// Why a client could not reach a service, or lost it.
package enum VarlinkTransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No socket at the path: the service was never started, or ended in order.
    case noSocket(path: String)
    /// A socket without a listener: the service ended without removing it.
    case connectionRefused(path: String)
    /// This user may not open the socket.
    case permissionDenied(path: String)
    /// The path does not fit into a socket address.
    case pathTooLong(path: String, lengthMax: Int)
    case cannotConnect(path: String, reason: String)
    /// The queue of connections that the service has not accepted yet is full.
    case tooManyWaiting(path: String)
    /// The service closed the connection before it had answered.
    case closed
    /// The service sent an invalid reply.
    case broken(reason: String)
    /// The caller of a stream read its replies more slowly than they arrived.
    case callerTooSlow(repliesMax: Int)

    package var description: String {
        switch self {
        case .noSocket(let path): "no daemon is running: the socket \(path) does not exist"
        case .connectionRefused(let path): "no daemon is running: no program listens on the socket \(path)"
        case .permissionDenied(let path):
            "this user cannot open the socket \(path): join the group that owns it, or use sudo"
        case .pathTooLong(let path, let lengthMax):
            "the socket path is longer than the \(lengthMax) bytes that the system allows: \(path)"
        case .cannotConnect(let path, let reason): "cannot connect to \(path): \(reason)"
        case .tooManyWaiting(let path): "too many clients wait for a connection to \(path)"
        case .closed: "the daemon closed the connection without an answer"
        case .broken(let reason): "the daemon's answer is not a valid Varlink reply: \(reason)"
        case .callerTooSlow(let repliesMax): "more than \(repliesMax) replies were waiting to be read"
        }
    }
}
