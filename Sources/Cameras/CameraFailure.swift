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

    /// The text for the user.
    package var sentence: String {
        switch self {
        case .unpaired:
            "The camera does not accept this computer. Allow the connection on the camera, or pair it again."
        case .inUse:
            "The camera is in use by another device, or still holds the last connection."
        case .unsupported(let sentence), .protocolError(let sentence):
            sentence
        }
    }
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

    /// The text for the user.
    package var sentence: String {
        switch self {
        case .closedByCamera: "The camera closed the connection."
        case .reset(let reason): "The connection to the camera was lost: \(reason)."
        case .silent(let time, let step): "The camera did not answer for \(Self.seconds(time)) during \(step)."
        case .cannotConnect(let reason): "The camera cannot be reached: \(reason)."
        case .protocolError(let text): "The camera did not follow the protocol: \(text)."
        case .notConnected: "No camera is connected."
        }
    }

    private static func seconds(_ time: Duration) -> String {
        let tenths = time.components.seconds * 10 + time.components.attoseconds / 100_000_000_000_000_000
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
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

    /// The text for the user.
    package var sentence: String {
        switch self {
        case .speedChanged(let found): "The camera shows \(found), which is not the speed that was set."
        case .speedNotOffered(let speed): "The camera does not offer \(speed.label) now."
        case .speedNotWritable: "The camera does not allow its shutter speed to be set now. Turn the mode dial to M."
        case .propertyUnknown(let property): "The camera has no \(property.rawValue)."
        case .propertyNotWritable(let property): "The camera does not allow its \(property.rawValue) to be set now."
        case .propertyNotOffered(let property, let value, let choices):
            "The camera does not accept \(value) as \(property.rawValue) now"
                + (choices.isEmpty ? "." : "; it accepts \(Self.list(choices)).")
        case .propertyNotKept(let property, let value, let found):
            "The \(property.rawValue) of the camera was set to \(value), but it shows \(found ?? "nothing")."
        case .focusFailed: "The camera could not focus. Switch it to manual focus."
        case .storageFull: "The camera's card is full. Change the card or delete pictures on it."
        case .refused(let operation, _, let name): "The camera rejected \(operation): \(name)."
        case .other(let sentence): sentence
        }
    }

    /// All choices, or the first ones of a long list.
    private static func list(_ choices: [String]) -> String {
        guard choices.count > listedMax else { return choices.joined(separator: ", ") }
        return choices.prefix(listedMax).joined(separator: ", ") + " … (\(choices.count) in all)"
    }

    private static let listedMax = 12
}
