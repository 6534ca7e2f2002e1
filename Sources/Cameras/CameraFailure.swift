import Exposure

/// Why the camera or the driver rejected a connection. The reason decides whether the daemon retries by itself.
package enum Refusal: Hashable, Sendable {
    /// The camera does not know this computer, or the camera's user rejected this computer (Init_Fail 1). The daemon
    /// does not retry, and informs the user.
    case unpaired
    /// The camera rejects connections until its user makes it wait for one (Init_Fail 1 of Canon bodies). The daemon
    /// retries at long intervals. The text is a sentence for the user.
    case notWaiting(String)
    /// Another client uses the camera (Init_Fail 2, Sony's 0xA101). The daemon retries at long intervals.
    case inUse
    /// The driver does not support this body. The text is a sentence for the user.
    case unsupported(String)
    /// The body sent an invalid answer. The text is a sentence for the user.
    case protocolError(String)
}

/// The reason why a session is lost.
package enum LossReason: Hashable, Sendable {
    /// The camera closed a connection in order, or ended its session.
    case closedByCamera
    /// A connection broke.
    case reset(String)
    /// The camera did not answer for this time during this step.
    case silent(after: Duration, during: String)
    /// No connection could be opened.
    case cannotConnect(String)
    /// The camera violates the protocol.
    case protocolError(String)
    /// A command needs a session, and no session is open.
    case notConnected
}

/// The reason why a command failed.
package enum CameraFailure: Hashable, Sendable {
    /// The body shows another speed than the frame needs. Nothing was fired.
    case speedChanged(found: SpeedReading)
    /// The body does not offer this speed now.
    case speedNotOffered(ShutterSpeed)
    /// The speed cannot be set now.
    case speedNotWritable
    /// The body does not have this property.
    case propertyUnknown(CameraProperty)
    /// The property cannot be set now.
    case propertyNotWritable(CameraProperty)
    /// The value is not one of the body's present choices.
    case propertyNotOffered(CameraProperty, String, choices: [String])
    /// The body answered OK but shows another value, `found`; nil: it shows no value.
    case propertyNotKept(CameraProperty, String, found: String?)
    /// The body could not focus. Nothing was fired.
    case focusFailed
    /// The card is full.
    case storageFull
    /// The body refused an operation.
    case refused(operation: String, code: UInt16, name: String)
    /// Another failure. The text is a sentence for the user.
    case other(String)
}
