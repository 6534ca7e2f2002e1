import PTP

/// The texts of replies, the status and the journal about a Sony body and its properties.
enum SonySessionSentences {
    /// The remark on a body that is not in its remote control mode.
    static let remoteModeOff =
        "The camera is in the mode \"Send to Smartphone\". Choose its remote control mode. "
        + "For the pictures that were selected on it: bracketctl connect ADDRESS:64321."

    // MARK: The handshake

    static func quirk(_ row: SonyQuirks.Row, of model: String) -> String { "\(model): \(row.quirk); \(row.source)" }

    static func propertyListUnreadable(_ error: DatasetError) -> String {
        "The camera's list of properties cannot be read: \(error)."
    }

    static func versionUnsupported(_ info: SonyExtDeviceInfo, of model: String) -> String {
        "The \(model) uses version \(info.version / 100) of Sony's remote control. "
            + "bracketd needs version 2 or later."
    }

    static let priorityTaken = "the daemon took priority over the camera's dials to set the shutter speed"

    static func priorityKept(_ code: ResponseCode) -> String {
        "the camera keeps the priority of its dials: \(code.sonyName)"
    }

    // MARK: Readings of the properties

    static func remark(_ remark: String) -> String { "the camera's properties: \(remark)" }

    static func propertiesUnreadable(_ code: ResponseCode, isComplete: Bool) -> String {
        "the properties cannot be read: \(code.sonyName)" + (isComplete ? "" : ", incomplete")
    }

    static func propertiesNotReported(_ code: ResponseCode) -> String {
        "the camera does not report its properties (\(code.sonyName))"
    }
}

extension SonyPropertyDataset.Damage {
    /// A short text for messages.
    package var description: String {
        "only \(recordsRead) of \(recordsAnnounced) properties could be read: \(error)"
    }
}

extension SonyPropertyDataset.Remark: CustomStringConvertible {
    /// A short text for messages.
    package var description: String {
        switch self {
        case .damage(let damage): damage.description
        case .flaw(let flaw): flaw.description
        }
    }
}

extension SonyPropertyDataset.Flaw {
    /// A short text for messages.
    package var description: String {
        switch self {
        case .repeated(let code):
            "property \(code.rawValue.hexadecimal) occurs twice; the first one is used"
        case .surplus(let count, let announced):
            "\(count) bytes remain after the last of \(announced) properties"
        }
    }
}

extension SonyExtDeviceInfo {
    /// The abilities of a version 2 body, for the journal.
    var noteOnSteps: String {
        if properties.contains(.sonyShutterSpeedVersion2) {
            return "extension version 2: the shutter speed can be set as a value"
        }
        // A body can have this control without listing it. So the driver tries steps on such a body too.
        let isListed = controls.contains(.shutterSpeed)
        return "extension version 2: the shutter speed can only be stepped"
            + (isListed ? "" : ", although the camera does not list that control")
    }
}
