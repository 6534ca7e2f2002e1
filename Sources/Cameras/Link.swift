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
    /// `reason` says it in words, `cause` in one.
    case openFailed(LinkChannel, reason: String, cause: OpenFailure = .other)
    /// Bytes, cut anywhere.
    case received(LinkChannel, ByteBuffer)
    /// The connection is gone. nil: the peer closed in order.
    case closed(LinkChannel, reason: String?)
}

/// Why a connection did not come about.
package enum OpenFailure: Hashable, Sendable {
    /// Somebody is there, and nobody listens.
    case refused
    /// Nobody answered in time.
    case timedOut
    /// The system knows no way, or nobody has that address.
    case unreachable
    /// Anything else: no such name, no descriptors left.
    case other
}
