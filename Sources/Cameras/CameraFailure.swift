import Exposure

/// Why the camera or the driver rejected a connection. Decides whether the daemon tries again by itself.
package enum Refusal: Hashable, Sendable {
    /// The camera does not know this computer, or its user rejected it (Init_Fail 1): stop, and inform the user.
    case unpaired
    /// Another client holds the camera (Init_Fail 2, Sony's 0xA101): try again, slowly.
    case inUse
    /// A body that this driver does not support. The text is a sentence.
    case unsupported(String)
    /// The body sent an invalid answer. The text is a sentence.
    case protocolError(String)
}

/// Why the session is lost.
package enum LossReason: Hashable, Sendable {
    /// The camera closed a connection in order.
    case closedByCamera
    /// A connection broke.
    case reset(String)
    /// No answer for this time, during this step.
    case silent(after: Duration, during: String)
    /// No connection could be opened.
    case cannotConnect(String)
    /// The camera violates the protocol.
    case protocolError(String)
    /// A command needs a session, and none is open.
    case notConnected
}

/// Why a command failed.
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
    /// The body answered OK but shows another value; nil: none.
    case propertyNotKept(CameraProperty, String, found: String?)
    /// Focus was not found. Nothing was fired.
    case focusFailed
    /// The card is full.
    case storageFull
    /// The body refused an operation.
    case refused(operation: String, code: UInt16, name: String)
    /// Anything else. The text is a sentence.
    case other(String)
}
