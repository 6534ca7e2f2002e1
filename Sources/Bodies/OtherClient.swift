import NIOCore
import PTP

/// Another client of a camera, such as a second daemon or a maker's app. The client requests the only session, answers
/// the camera's probes, and does nothing else.
package protocol OtherClient: Sendable {
    /// Whether the camera opened a session for this client.
    var isInSession: Bool { get }
    func has(_ id: ConnectionID) -> Bool
    /// Requests the session.
    func begin() -> [OtherClientAction]
    /// Handles bytes from the camera.
    mutating func receive(_ id: ConnectionID, _ bytes: ByteBuffer) -> [OtherClientAction]
    /// Closes the session if `isOrderly`, and then closes the connections.
    func end(isOrderly: Bool) -> [OtherClientAction]
}

/// A network action of another client.
package enum OtherClientAction: Sendable {
    case connect(ConnectionID)
    case send(ConnectionID, ByteBuffer)
    case hangUp(ConnectionID)
}
