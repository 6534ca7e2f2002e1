/// A driver: a state machine between commands and bytes.
///
/// Pure: its inputs are events with their time, its outputs are actions in a buffer that the caller reuses. Times count
/// from the origin of the daemon's clock and never decrease.
package protocol Camera: Sendable {
    /// Gives the driver a command. A new command ends the previous one, with two exceptions: nothing ends `.connect`,
    /// `.disconnect` and `.abandon`, and `.keepPictures` ends nothing.
    mutating func perform(
        _ command: CameraCommand,
        ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    )
    /// Reports an event of a connection.
    mutating func receive(_ event: LinkEvent, at now: Duration, into actions: inout [CameraAction])
    /// Reports an event of an HTTP request. An event of a cancelled request may still arrive, and is ignored.
    mutating func receive(
        _ event: HTTPEvent,
        of request: HTTPRequestID,
        at now: Duration,
        into actions: inout [CameraAction]
    )
    /// The parts of the last received bytes that contain nothing of a picture: a recorder keeps only these. Empty on
    /// the next call.
    mutating func takeRecordableParts() -> [Range<Int>]
    /// Reports the time. Any call is allowed: too early, too late or without need.
    mutating func advance(to now: Duration, into actions: inout [CameraAction])
    /// When `advance` must be called next; nil: not before the next input.
    var nextDeadline: Duration? { get }
    /// The first of its lists that exceeds its limit; nil: none.
    var overflow: (list: String, count: Int, limit: Int)? { get }
}

extension Camera {
    package var overflow: (list: String, count: Int, limit: Int)? { nil }

    /// The default for a driver without HTTP requests.
    package mutating func receive(
        _ event: HTTPEvent,
        of request: HTTPRequestID,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {}
}
