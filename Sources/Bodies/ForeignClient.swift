import NIOCore
import PTP

/// Another client of a camera, a second daemon or a maker's app: it asks for the only session, holds it while it
/// answers the camera's probes, and does nothing else with it.
package protocol ForeignClient: Sendable {
    /// Whether the camera opened a session for it.
    var isInSession: Bool { get }
    func has(_ id: ConnectionID) -> Bool
    /// Asks for the session.
    func begin() -> [ForeignAction]
    /// What the camera sends.
    mutating func receive(_ id: ConnectionID, _ bytes: ByteBuffer) -> [ForeignAction]
    /// Leaves: in order, or by closing its connections.
    func end(isOrderly: Bool) -> [ForeignAction]
}

/// What another client wants of the network.
package enum ForeignAction: Sendable {
    case connect(ConnectionID)
    case send(ConnectionID, ByteBuffer)
    case hangUp(ConnectionID)
}
