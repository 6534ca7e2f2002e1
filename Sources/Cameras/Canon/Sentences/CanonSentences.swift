import PTP

/// The texts of replies, the status and the journal about a session with a Canon body.
enum CanonSessionSentences {
    /// The reason of a rejected connection, and what to do on the body.
    static let notWaiting =
        "The camera does not accept this computer now. Choose \"Remote control (EOS Utility)\" in its WiFi menu, "
        + "and confirm \"bracketd\". If it is paired with another computer, delete that connection there."

    // MARK: The search

    static let waitsForUtility =
        "The camera waits for EOS Utility. At the first connection, confirm \"bracketd\" on the camera."
    static let waitsForApp =
        "The camera waits for the smartphone app. "
        + "If bracketd cannot control it, choose \"Remote control (EOS Utility)\" in its WiFi menu."

    // MARK: The set-up

    static func quirks(_ row: CanonQuirks.Row, of model: String) -> String { "\(model): \(row.source)" }

    static func remoteControlMissing(_ model: String) -> String {
        "The \(model) does not offer remote control. Choose \"Remote control (EOS Utility)\" in its WiFi menu."
    }

    static func saveTargetKept(_ target: CanonSaveTarget) -> String {
        "the camera keeps its save target \(target.text(among: []))"
    }

    static func saveTargetChanged(_ target: CanonSaveTarget, to card: CanonSaveTarget) -> String {
        "the camera's save target is changed from \(target.text(among: [])) to \(card.text(among: [])); "
            + "it is restored at the end of the session"
    }

    static func notRestored(_ code: PropertyCode, _ response: ResponseCode) -> String {
        "property \(code.rawValue.hexadecimal) of the camera is not restored: \(response.canonName)"
    }

    // MARK: Event lists

    static func remark(_ remark: CanonListRemark) -> String { "the camera's event list: \(remark)" }

    static func listUnreadable(_ code: ResponseCode, isComplete: Bool) -> String {
        "the event list cannot be read: \(code.canonName)" + (isComplete ? "" : ", incomplete")
    }

    static func listsNotReported(_ code: ResponseCode) -> String {
        "the camera does not report its events (\(code.canonName))"
    }
}

extension CanonListRemark: CustomStringConvertible {
    /// A short text for messages.
    var description: String {
        switch self {
        case .damage(.sizeTooSmall(let size)): "a record has the size \(size); the rest of the list is lost"
        case .damage(.sizeBeyondData(let size, let left)):
            "a record of \(size) bytes is longer than the remaining \(left) bytes; the rest of the list is lost"
        case .damage(.endMissing(let left)): "the end is missing, \(left) bytes remain"
        case .shortRecord(let type): "a record of type \(type.rawValue.hexadecimal) is too short"
        }
    }
}

/// The texts of replies and the journal for a failed shutter command of a Canon body.
enum CanonCaptureSentences {
    static let mirrorUp = "The camera's mirror is locked up. Switch mirror lockup off."
    static let cardWriteProtected = "The camera's card is write-protected. Move the switch of the card."
    static let noPictureReported = "The camera accepted the shutter command, but reported no picture."

    // MARK: The journal

    static let noPictureExpected = "no picture was reported for the last shutter command"
    static let releaseUnconfirmed = "the camera does not confirm the release of the shutter button"
    static let statusUnfinished = "the camera does not report the end of its work on the picture"
}
