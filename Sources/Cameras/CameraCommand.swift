import Exposure

/// What the controller asks of a camera. Each is given with a ticket; the events that answer it carry that ticket, so
/// that an answer to an older question is recognised.
package enum CameraCommand: Equatable, Sendable {
    /// Open the session: both connections, handshake, vendor phases, first full reading.
    /// Answered by `.prepared` then `.status`, or `.refused`, or `.lost`.
    case connect(CameraAddress, by: CameraProtocol = .ptpip)
    /// Read everything again. Answered by `.status`, or `.failed` when the body would not tell.
    case readStatus
    /// Set this speed. Answered by `.speedAccepted`, `.busy` or `.failed`. Says nothing about whether the body took it.
    case setSpeed(ShutterSpeed)
    /// Report the speed that the body has, now and at each new reading, until the next command (polled as the body
    /// needs: when it says that something changed, and every 100 ms). Answered by `.speedRead`, many times.
    case readSpeed
    /// Fire one frame. Just before the shutter is pressed the last property report must still show this speed (else
    /// `.failed(.speedChanged)` and nothing fires).
    ///
    /// Answered by `.shutterReleased` once the body took the press, `.captured` when the body reports the picture (file
    /// ready, captured event or the shot counter), `.saving` while it writes or the buffer drains, `.idle` when it is
    /// ready for the next frame. Or by `.busy` or `.failed` when nothing was fired.
    case capture(ShutterSpeed)
    /// Report `.idle` as soon as nothing is pending on the body (buffer drained, settings writable); `.saving` while
    /// not.
    case awaitIdle
    /// After a link was lost in the middle of a frame: did the shutter fire? `shotsLeft` is what the body reported
    /// before. Waits until the body is idle. Answered by `.captureResolved`.
    case resolveCapture(shotsLeftBefore: Int?)
    /// Set a property to one of its `choices`. Answered by `.propertySet` once the body shows the new value, by `.busy`
    /// or by `.failed`; in bounded time.
    case setProperty(CameraProperty, String)
    /// What to keep of the pictures to come. Not answered, ends no other command, and holds until another one comes,
    /// over sessions too. Until the first one comes the policy is `none`.
    case keepPictures(PictureRequest)
    /// Ordered, bounded in time: release buttons, CloseSession, close. Always answered by `.disconnected`.
    case disconnect
    /// The link is known to be dead: close both sockets at once. Answered by `.disconnected`.
    case abandon
}
