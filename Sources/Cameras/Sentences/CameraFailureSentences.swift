import Exposure

extension Refusal {
    /// The text for the user.
    package var sentence: String {
        switch self {
        case .unpaired:
            "The camera does not accept this computer. Allow the connection on the camera, or pair the camera again. "
                + "On a Canon EOS, choose \"Remote control (EOS Utility)\" in the WiFi menu. "
                + "On a Nikon, choose the connection to a smart device."
        case .inUse:
            "The camera is in use by another device, or it still keeps the last connection open."
        case .notWaiting(let sentence), .unsupported(let sentence), .protocolError(let sentence):
            sentence
        }
    }
}

extension LossReason {
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

extension CameraFailure {
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
            "The \(property.rawValue) of the camera was set to \(value), but the camera shows \(found ?? "nothing")."
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
