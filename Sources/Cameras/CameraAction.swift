import NIOCore

/// What a driver asks the outside to do.
package enum CameraAction: Equatable, Sendable {
    /// Open a connection; answered by `.opened` or `.openFailed`.
    case open(LinkID, LinkTarget, timeout: Duration)
    /// Send these bytes.
    case send(LinkID, ByteBuffer)
    /// Close the connection, or give up opening it. Nothing is expected from it any more.
    case close(LinkID)
    /// Perform a request of HTTP, or give it up. Several may be under way at once; see ``HTTPRequest/openMax``.
    case http(HTTPRequestID, HTTPAction)
    /// Tell the controller.
    case report(CameraEvent, ticket: Ticket?)
    /// What becomes of a picture that the body hands over. Only while the policy of `.keepPictures` is not `none`.
    case picture(PictureID, PictureAction)
    /// One line for the journal at debug level: an unknown packet type, a quirk that was applied.
    case note(String)
}

/// Tells which command an event answers.
package struct Ticket: Hashable, Sendable {
    /// Unique among the commands of a driver.
    package var rawValue: UInt32

    /// A ticket with this number.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}
