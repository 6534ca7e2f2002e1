import NIOCore
import PTP

/// Another client of a camera, such as a second daemon or a maker's app. It requests the only session, holds it while
/// it answers the camera's probes, and does nothing else.
package protocol ForeignClient: Sendable {
    /// Whether the camera opened a session for it.
    var isInSession: Bool { get }
    func has(_ id: ConnectionID) -> Bool
    /// Requests the session.
    func begin() -> [ForeignAction]
    /// The camera sent bytes.
    mutating func receive(_ id: ConnectionID, _ bytes: ByteBuffer) -> [ForeignAction]
    /// Disconnects: in order, or by closing its connections.
    func end(isOrderly: Bool) -> [ForeignAction]
}

/// A network action of another client.
package enum ForeignAction: Sendable {
    case connect(ConnectionID)
    case send(ConnectionID, ByteBuffer)
    case hangUp(ConnectionID)
}
