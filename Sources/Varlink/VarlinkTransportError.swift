/// Why a client could not reach a service, or lost the connection to it.
package enum VarlinkTransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No socket exists at the path: the service was never started, or it ended in order.
    case noSocket(path: String)
    /// No program listens on the socket: the service ended without removing the socket.
    case connectionRefused(path: String)
    /// This user is not allowed to open the socket.
    case permissionDenied(path: String)
    /// The path does not fit into a socket address.
    case pathTooLong(path: String, lengthMax: Int)
    case cannotConnect(path: String, reason: String)
    /// The queue is full of connections that the service has not accepted yet.
    case tooManyWaiting(path: String)
    /// The service closed the connection before it answered.
    case closed
    /// The service sent an invalid reply.
    case broken(reason: String)
    /// The caller read the replies of a stream more slowly than they arrived.
    case callerTooSlow(repliesMax: Int)
}
