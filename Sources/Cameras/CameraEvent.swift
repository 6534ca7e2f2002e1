import Exposure

/// An event that a driver reports to the controller.
package enum CameraEvent: Equatable, Sendable {
    /// The session is open; this is the body.
    case prepared(CameraIdentity)
    /// A reading. Also without a ticket, whenever a reading differs from the last reported one.
    case status(CameraStatus)
    /// Properties as the body shows them. Without a ticket: all properties after `.prepared`, then the changed ones. An
    /// absent property has not changed.
    case properties([PropertyState])
    /// The body shows the value that was set.
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
    /// Nothing is pending on the body.
    case idle
    /// Whether the shutter fired before the link was lost. As the answer to `.capture`: the signs of a picture may
    /// belong to the previous frame.
    case captureResolved(CaptureResolution)
    /// Nothing was changed or fired; a retry may succeed.
    case busy
    /// The command failed, and a retry alone will not help.
    case failed(CameraFailure)
    /// The session is lost, and the sockets are closed. Without a ticket, except as the answer to a command that needs
    /// a session when none is open.
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
    /// The body reports nothing that decides it.
    case unknown
}
