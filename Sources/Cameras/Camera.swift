/// A state machine that translates between commands and the bytes of one protocol.
///
/// The driver is pure. Its inputs are events with their time, and its outputs are actions in a buffer of the caller.
/// Times count from the origin of the daemon's clock and never decrease.
package protocol Camera: Sendable {
    /// Gives the driver a command. The command ends the previous one, unless the previous one is `.connect`,
    /// `.disconnect` or `.abandon`. The command `.keepPictures` never ends another command.
    mutating func perform(
        _ command: CameraCommand,
        ticket: Ticket,
        at now: Duration,
        into actions: inout [CameraAction]
    )
    /// Reports an event of a connection to the driver.
    mutating func receive(_ event: LinkEvent, at now: Duration, into actions: inout [CameraAction])
    /// Reports an event of an HTTP request to the driver. The driver ignores events of a request that it cancelled.
    mutating func receive(
        _ event: HTTPEvent,
        of request: HTTPRequestID,
        at now: Duration,
        into actions: inout [CameraAction]
    )
    /// Returns the parts of the newest received bytes that are no picture data. A recording keeps only these parts. A
    /// second call returns an empty list.
    mutating func takeRecordableParts() -> [Range<Int>]
    /// Reports the time to the driver. Early, late and unnecessary calls are allowed.
    mutating func advance(to now: Duration, into actions: inout [CameraAction])
    /// The time of the next call of `advance`; nil: no call is needed before the next input.
    var nextDeadline: Duration? { get }
    /// The first list of the driver that exceeds its limit; nil: no list exceeds its limit.
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
