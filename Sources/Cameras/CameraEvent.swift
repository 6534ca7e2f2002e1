import Exposure

/// What a camera tells the controller.
package enum CameraEvent: Equatable, Sendable {
    /// The session stands, and this is who answered.
    case prepared(CameraIdentity)
    /// A reading. Comes without a ticket too, whenever a reading differs from the last one reported.
    case status(CameraStatus)
    /// Properties as the body shows them. Without a ticket: after `.prepared` all that it has, then those that changed.
    /// One that is absent is as it was.
    case properties([PropertyState])
    /// The body shows the value that was to be set.
    case propertySet(PropertyState)
    /// Connecting came to nothing, but the link itself worked. Both sockets are closed.
    case refused(Refusal)
    /// The body took the request to set a speed.
    case speedAccepted
    /// The speed that the body has.
    case speedRead(SpeedReading)
    /// The body took the press of the shutter.
    case shutterReleased
    /// The body reports the picture.
    case captured
    /// The body writes, or its buffer drains.
    case saving
    /// Nothing is pending on the body.
    case idle
    /// Whether the shutter fired before the link was lost. As the answer to `.capture`: the signs of a picture may
    /// belong to the frame before.
    case captureResolved(CaptureResolution)
    /// Nothing was changed or fired; asking again may work.
    case busy
    /// The command came to nothing, and asking again will not help by itself.
    case failed(CameraFailure)
    /// The session is gone, the sockets are closed. Without a ticket, except as the answer to a command that needs a
    /// session where there is none.
    case lost(LossReason)
    /// The sockets are closed.
    case disconnected
}

/// The speed that a body reports.
package enum SpeedReading: Hashable, Sendable, CustomStringConvertible {
    /// A speed of the third-stop scale.
    case speed(ShutterSpeed)
    /// Anything else, as the body says it: `BULB`, `1/16000`, `--`.
    case other(String)

    /// For people, in a few words.
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
    /// The body does not report anything that would tell.
    case unknown
}
