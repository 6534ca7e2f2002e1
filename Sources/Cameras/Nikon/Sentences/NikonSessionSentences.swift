import PTP

/// The texts of replies, the status and the journal about a session with a Nikon body.
enum NikonSessionSentences {
    /// The reason of a rejected connection, and what to do on the body.
    static let notWaiting =
        "The camera does not accept this computer now. Choose the connection to a smart device in its network menu. "
        + "If it is paired with another device, delete that pairing there."

    // MARK: The pairing

    static func confirm(_ pin: NikonPairingPIN) -> String {
        "The camera shows the number \(pin.digits). Confirm it on the camera."
    }

    static let notPaired =
        "The camera is not paired with this computer. Choose the pairing with a smart device in its network menu."

    static func pairingRefused(_ code: ResponseCode) -> String { "the camera rejected the pairing: \(code.nikonName)" }

    // MARK: The set-up

    static func remoteControlMissing(_ model: String) -> String {
        "The \(model) does not offer remote control. Choose the connection to a smart device in its network menu."
    }

    static func vendorListMissing(_ code: ResponseCode) -> String {
        "the camera does not list its properties (\(code.nikonName)), so the daemon tries all that it knows"
    }

    static func mediaChanged(_ media: NikonRecordingMedia) -> String {
        "the camera's save target is changed from \(media) to the card; it is restored at the end of the session"
    }

    static func mediaKept(_ media: NikonRecordingMedia) -> String { "the camera keeps its save target \(media)" }

    static func notRestored(_ step: String, _ code: ResponseCode) -> String {
        "the camera did not complete \(step) at the end of the session: \(code.nikonName)"
    }

    static func propertyBusy(_ code: PropertyCode) -> String {
        "the camera stays busy when it is asked for \(code.nikonName), so the last value holds"
    }

    // MARK: Events

    static func eventsDamaged(_ damage: NikonEventList.Damage) -> String { "the camera's event list: \(damage)" }

    static let eventsIncomplete = "the camera's event list is incomplete"

    static func eventsUnreadable(_ code: ResponseCode) -> String {
        "the event list cannot be read: \(code.nikonName)"
    }

    static func eventsNotReported(_ code: ResponseCode) -> String {
        "the camera does not report its events (\(code.nikonName))"
    }
}

extension NikonCaptureSentences {
    static let noSpeed = "no shutter speed"
    static let noPictureReported = "The camera accepted the shutter command, but reported no picture."

    // MARK: The journal

    static let noPictureExpected = "no picture was reported for the last shutter command"
}

/// The texts about the files of a Nikon body.
enum NikonFileSentences {
    static let denied =
        "The camera denies access to its pictures in this mode. They stay on its card. "
        + "Choose the connection to a smart device in its network menu."
}
