import Exposure

/// A command of the controller to a camera. The controller gives each command a ticket, and the events that answer the
/// command carry it. So the controller recognizes an answer to an earlier command.
package enum CameraCommand: Equatable, Sendable {
    /// Open the session: open both connections, perform the handshake and the maker's set-up, read all properties. The
    /// answer is `.prepared` and then `.status`, or `.refused`, or `.lost`. For the path see ``CameraOffer/path``.
    case connect(CameraAddress, by: CameraProtocol = .ptpip, path: String = "")
    /// Read all properties again. The answer is `.status`, or `.failed` if the body reports no properties.
    case readStatus
    /// Set this speed. The answer is `.speedAccepted`, which does not prove that the body uses it, `.busy` or
    /// `.failed`.
    case setSpeed(ShutterSpeed)
    /// Report the speed of the body now and after each new reading, until the next command. Each answer is
    /// `.speedRead`. The driver reads the speed every 100 ms, and whenever the body reports a change.
    case readSpeed
    /// Fire one frame. If the last report of the body before the press shows another speed, nothing fires. The answer
    /// is then `.failed(.speedChanged)`.
    ///
    /// The answer is `.shutterReleased` when the body accepts the press. `.captured` follows when the body reports the
    /// picture by a ready file, an event or the shot counter. `.saving` follows while the body writes or its buffer
    /// drains, and `.idle` when it is ready for the next frame. If nothing was fired, the answer is `.busy` or
    /// `.failed`.
    case capture(ShutterSpeed)
    /// Report `.idle` as soon as the body has no pending work: its buffer is empty, and its settings are writable.
    /// Report `.saving` before that.
    case awaitIdle
    /// Find out whether the shutter fired before the link was lost during a frame. `shotsLeftBefore` is the shot
    /// counter in the body's last report before the loss. The driver waits until the body is idle, then answers
    /// `.captureResolved`.
    case resolveCapture(shotsLeftBefore: Int?)
    /// Set a property to one of its `choices`. The answer comes in bounded time. It is `.propertySet` when the body
    /// shows the new value, or `.busy`, or `.failed`.
    case setProperty(CameraProperty, String)
    /// Select which of the next pictures are kept. This command has no answer and ends no other command. It holds
    /// across sessions, until the next `.keepPictures`. The initial policy is `none`.
    case keepPictures(PictureRequest)
    /// Close the session in order and in bounded time: release the buttons, send CloseSession, close the connections.
    /// The answer is always `.disconnected`.
    case disconnect
    /// Close both connections at once, because the link no longer works. The answer is `.disconnected`.
    case abandon
}
