/// A driver: a state machine between commands and bytes.
///
/// Pure: time comes in, actions go out, appended to a buffer that the caller reuses. Times are since the daemon's
/// clock origin and never go back.
package protocol Camera: Sendable {
    /// The controller asks for something. A new command ends the one before it, except that `.connect`, `.disconnect`
    /// and `.abandon` are never ended by others, and `.keepPictures` ends none.
    mutating func perform(
        _ command: CameraCommand,
        ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    )
    /// Something happened on a connection.
    mutating func receive(_ event: LinkEvent, at now: Duration, into actions: inout [CameraAction])
    /// Something became of a request of HTTP. An event of one that was cancelled may still come, and is to be ignored.
    mutating func receive(
        _ event: HTTPEvent,
        of request: HTTPRequestID,
        at now: Duration,
        into actions: inout [CameraAction]
    )
    /// Which parts of the bytes that it received last hold nothing of a picture: a recorder keeps these alone. Empty
    /// when it is called again.
    mutating func takeRecordableParts() -> [Range<Int>]
    /// Time went by; may be called too early, too late or for nothing.
    mutating func advance(to now: Duration, into actions: inout [CameraAction])
    /// When `advance` wants to be called next; nil: not before something happens.
    var nextDeadline: Duration? { get }
    /// The first of its lists that is longer than it may ever be; nil: none is.
    var overflow: (list: String, count: Int, limit: Int)? { get }
}

extension Camera {
    package var overflow: (list: String, count: Int, limit: Int)? { nil }
}

extension Camera {
    /// A driver that performs no requests receives nothing of them.
    package mutating func receive(
        _ event: HTTPEvent,
        of request: HTTPRequestID,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {}
}
