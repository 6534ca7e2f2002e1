import Exposure

/// A command of the controller to a camera. Each is given with a ticket. The events that answer it carry that ticket,
/// so an answer to an earlier command is recognized.
package enum CameraCommand: Equatable, Sendable {
    /// Open the session: both connections, handshake, vendor phases, first full reading.
    /// Answered by `.prepared` then `.status`, or `.refused`, or `.lost`. The path: see ``CameraOffer/path``.
    case connect(CameraAddress, by: CameraProtocol = .ptpip, path: String = "")
    /// Read all properties again. Answered by `.status`, or by `.failed` when the body reports none.
    case readStatus
    /// Set this speed. Answered by `.speedAccepted`, `.busy` or `.failed`. The answer does not prove that the body has
    /// the speed.
    case setSpeed(ShutterSpeed)
    /// Report the speed of the body, now and at each new reading, until the next command. Answered by `.speedRead`,
    /// many times. The body is polled every 100 ms, and whenever it reports a change.
    case readSpeed
    /// Fire one frame. The last property report before the press must still show this speed; otherwise
    /// `.failed(.speedChanged)`, and nothing fires.
    ///
    /// Answers: `.shutterReleased` when the body accepts the press; `.captured` when the body reports the picture (file
    /// ready, captured event or the shot counter). Then `.saving` while it writes or the buffer drains, and `.idle`
    /// when it is ready for the next frame. Or `.busy` or `.failed` when nothing was fired.
    case capture(ShutterSpeed)
    /// Report `.idle` as soon as nothing is pending on the body (buffer drained, settings writable), and `.saving`
    /// before that.
    case awaitIdle
    /// After a link was lost in the middle of a frame: did the shutter fire? `shotsLeft` is the last report of the body
    /// before the loss. Waits until the body is idle. Answered by `.captureResolved`.
    case resolveCapture(shotsLeftBefore: Int?)
    /// Set a property to one of its `choices`. Answered in bounded time: by `.propertySet` once the body shows the new
    /// value, by `.busy` or by `.failed`.
    case setProperty(CameraProperty, String)
    /// Which of the next pictures to keep. Not answered, ends no other command, and holds until the next one, across
    /// sessions. The initial policy is `none`.
    case keepPictures(PictureRequest)
    /// Closes the session in order and in bounded time: release buttons, CloseSession, close. Always answered by
    /// `.disconnected`.
    case disconnect
    /// The link is known to be dead: close both sockets at once. Answered by `.disconnected`.
    case abandon
}
