import Exposure

/// A command of the core to a camera. Each command has a ticket, and the events that answer the command carry that
/// ticket. So the core recognizes an answer to an earlier command.
package enum CameraCommand: Equatable, Sendable {
    /// Open the session: open both connections, perform the handshake and the maker's set-up, read all properties. The
    /// answer is `.prepared` and then `.status`, or `.refused`, or `.lost`. For the path and the maker see
    /// ``CameraOffer``.
    case connect(CameraAddress, by: CameraProtocol = .ptpip, path: String = "", maker: String? = nil)
    /// Read all properties again. The answer is `.status`, or `.failed` if the body reports no properties.
    case readStatus
    /// Set this speed. The answer is `.speedAccepted`, `.busy` or `.failed`. The answer `.speedAccepted` does not prove
    /// that the body uses the speed.
    case setSpeed(ShutterSpeed)
    /// Report the body's speed as `.speedRead`, now and after each new reading, until the next command. The driver
    /// requests a reading every 100 ms, and whenever the body reports a change.
    case readSpeed
    /// Fire one frame. If the body's last report before the press shows another speed, the driver does not press the
    /// shutter. The answer is then `.failed(.speedChanged)`.
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
    /// List or transfer files on the body's card. The transferred files arrive as pictures that belong to no frame. The
    /// answer is `.files` or `.failed`. The body cannot shoot until the answer.
    case files(CameraFileRequest)
    /// Fetch one picture of the live view. The driver first waits until the body has no pending work. Afterwards it
    /// switches off what it switched on, and then reports the answer in bounded time: `.liveView`, `.busy` or
    /// `.failed`. nil: the body's present size.
    case liveView(LiveViewSize?)
    /// Select which of the next pictures are kept. This command has no answer and ends no other command. The selection
    /// holds across sessions, until the next `.keepPictures`. The initial policy is `none`.
    case keepPictures(PictureRequest)
    /// Close the session in order and in bounded time: release the buttons, send CloseSession, close the connections.
    /// The answer is always `.disconnected`.
    case disconnect
    /// Close both connections at once, because the link no longer works. The answer is `.disconnected`.
    case abandon
}
