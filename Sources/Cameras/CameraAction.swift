import NIOCore

/// What a driver asks the host to do.
package enum CameraAction: Equatable, Sendable {
    /// Open a connection. The host answers with `.opened` or `.openFailed`.
    case open(LinkID, LinkTarget, timeout: Duration)
    /// Send these bytes.
    case send(LinkID, ByteBuffer)
    /// Close the connection, or stop opening it. The driver expects no further event of this connection.
    case close(LinkID)
    /// Perform or cancel an HTTP request. Several requests can run at the same time; see ``HTTPRequest/openMax``.
    case http(HTTPRequestID, HTTPAction)
    /// Report an event to the core.
    case report(CameraEvent, ticket: Ticket?)
    /// One step of a picture's transfer. While the policy of `.keepPictures` is `none`, the driver reports no steps.
    case picture(PictureID, PictureAction)
    /// One line for the journal at debug level, for example for an unknown packet type or an applied quirk.
    case note(String)
}

/// The number of a command. The events that answer the command carry this number.
package struct Ticket: Hashable, Sendable {
    /// A number that is unique among the commands of a driver.
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
}
