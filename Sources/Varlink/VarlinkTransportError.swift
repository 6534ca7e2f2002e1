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
}
