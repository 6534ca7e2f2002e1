import PTP

/// The texts of replies, the status and the journal about the beginning and the end of a session.
enum ConnectionSentences {
    static let notYetConnected = "The camera is not connected yet."
    static let filesUnsupported = "bracketd cannot list the files on this camera's card."

    // MARK: The camera or the driver rejects the connection

    static func protocolUnsupported(_ wanted: CameraProtocol) -> String {
        "The camera uses \(wanted), which bracketd does not support."
    }

    static func rejectedWithoutReason(_ reason: InitFailReason) -> String {
        "The camera rejected the connection without a reason (\(reason))."
    }

    static func descriptionUnreadable(_ error: DatasetError) -> String {
        "The camera's device description cannot be read: \(error)."
    }

    /// - Parameter makers: the makers whose cameras are supported.
    static func makerUnsupported(_ manufacturer: String, _ model: String, makers: [String]) -> String {
        let others = makers.dropLast().joined(separator: ", ")
        let list = [others, makers.last ?? ""].filter { !$0.isEmpty }.joined(separator: " or ")
        return "The \(manufacturer) \(model) is not a \(list) camera. bracketd supports only those."
    }

    static func stepUnsupported(_ step: String, by model: String) -> String {
        "The \(model) does not support \(step). Switch its remote shooting on."
    }

    static func stepUnanswered(_ step: String) -> String {
        "The camera did not complete \(step): its answers were empty."
    }

    static func stepFailed(_ step: String, codeName: String) -> String {
        "The camera did not complete \(step): \(codeName)."
    }

    // MARK: The session

    static let noSessionOpen = "the camera reports that no session is open"

    static func accepted(by name: String) -> String { "\(name) accepted the connection" }

    static let probeUnanswered = "the camera does not answer probes, so the daemon sends no more"

    static func idleLimitLearned(closedAfter pause: Duration, keepAlive: Duration) -> String {
        "the camera closed the connection after \(pause) without a request; "
            + "the daemon now sends a request every \(keepAlive)"
    }
}
