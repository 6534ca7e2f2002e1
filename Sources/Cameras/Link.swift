import NIOCore

/// The two TCP connections of a session with a body.
package enum LinkChannel: UInt8, CaseIterable, Sendable {
    /// Operations, data and responses.
    case command
    /// Events of the camera, and probes.
    case event
}

/// What the outside tells a driver about its connections.
package enum LinkEvent: Equatable, Sendable {
    /// The connection stands.
    case opened(LinkChannel)
    /// Refused, unreachable, timed out, no such host: `reason` says it.
    case openFailed(LinkChannel, reason: String)
    /// Bytes, cut anywhere.
    case received(LinkChannel, ByteBuffer)
    /// The connection is gone. nil: the peer closed in order.
    case closed(LinkChannel, reason: String?)
}
