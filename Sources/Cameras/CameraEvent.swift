import Exposure

/// An event that a driver reports to the core.
package enum CameraEvent: Equatable, Sendable {
    /// The link is open, and the body may wait until its user confirms this computer. More events follow.
    case confirmationAwaited
    /// The session with this body is open.
    case prepared(CameraIdentity)
    /// The status of the body. An event without a ticket reports that the status has changed.
    case status(CameraStatus)
    /// Properties as the body shows them. The event has no ticket. The first event after `.prepared` contains all
    /// properties. Each later event contains only the changed properties.
    case properties([PropertyState])
    /// The body shows the value that the command set.
    case propertySet(PropertyState)
    /// The connection attempt failed, but the link itself worked. Both sockets are closed.
    case refused(Refusal)
    /// The body accepted the command to set a speed.
    case speedAccepted
    /// The present speed of the body.
    case speedRead(SpeedReading)
    /// The body accepted the press of the shutter.
    case shutterReleased
    /// The body reports the picture.
    case captured
    /// The body writes, or its buffer drains.
    case saving
    /// The body has no pending work.
    case idle
    /// Whether the shutter fired before the link was lost. As an answer to `.capture`, the event means that the signs
    /// of a picture may belong to the previous frame.
    case captureResolved(CaptureResolution)
    /// The files on the body's card were listed or transferred.
    case files(CameraFileAnswer)
    /// One picture of the live view, or why it is not valid.
    case liveView(LiveViewAnswer)
    /// The body was busy, so the driver neither changed a setting nor fired. A retry may succeed.
    case busy
    /// The command failed, and a retry alone will not help.
    case failed(CameraFailure)
    /// The session is lost, and the sockets are closed. The event has a ticket only as the answer to a command that was
    /// given without an open session.
    case lost(LossReason)
    /// The sockets are closed.
    case disconnected
}

/// The speed that a body reports.
package enum SpeedReading: Hashable, Sendable, CustomStringConvertible {
    /// A speed of the third-stop scale.
    case speed(ShutterSpeed)
    /// Any other value, in the body's own form: `BULB`, `1/16000`, `--`.
    case other(String)

    /// A short text for messages.
    package var description: String {
        switch self {
        case .speed(let speed): speed.label
        case .other(let text): text
        }
    }
}

/// Whether a frame was fired.
package enum CaptureResolution: Hashable, Sendable {
    /// The picture exists.
    case fired
    /// Nothing was exposed.
    case notFired
    /// The reports of the body do not show whether the frame was fired.
    case unknown
}
