/// An unusual event in a shoot, as the ledger records it.
package struct Incident: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        /// The shoot was paused.
        case paused
        /// The daemon ended before the shoot ended.
        case interrupted
        /// It was not known whether the shutter of a frame had been released.
        case inDoubt = "in-doubt"
        /// A frame was fired a second time.
        case firedAgain = "fired-again"
    }

    /// The reason for an incident.
    package enum Reason: String, Codable, CaseIterable, Hashable, Sendable {
        /// A client or the button requested it.
        case command
        case linkLost = "link-lost"
        case wifiSwitched = "wifi-switched"
        case cameraNotFit = "camera-not-fit"
        case notRecorded = "not-recorded"
        /// The daemon ended.
        case interrupted
        /// The camera accepted the shutter command and reported no picture.
        case noPicture = "no-picture"
        /// The camera did not report whether the frame was fired.
        case inDoubt = "in-doubt"
        /// The picture of the frame does not match the plan.
        case suspect
    }

    /// The outcome for a frame in doubt.
    package enum Outcome: String, Codable, CaseIterable, Hashable, Sendable {
        case fired
        case notFired = "not-fired"
        /// The camera did not report whether the frame was fired.
        case unknown
    }

    package var kind: Kind
    package var reason: Reason
    /// The current frame, as an index into the plan's frames; nil: the first frame had not begun.
    package var frame: Int?
    /// The outcome for a frame in doubt; nil: the doubt is not resolved, or there was none.
    package var outcome: Outcome?
    /// When the incident began; nil: not known, or not recorded yet.
    package var began: Moment?
    /// When the incident ended; nil: it has not ended, or its end is not known.
    package var ended: Moment?

    package init(
        _ kind: Kind,
        _ reason: Reason,
        frame: Int?,
        outcome: Outcome? = nil,
        began: Moment? = nil,
        ended: Moment? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.frame = frame
        self.outcome = outcome
        self.began = began
        self.ended = ended
    }
}

/// The user's request to pause or cancel a shoot before its interruption. Such a shoot resumes only by request.
package enum RequestedStop: String, Codable, CaseIterable, Hashable, Sendable {
    /// The shoot was paused, or would have paused after the current frame.
    case pause
    /// The shoot would have ended after the current frame.
    case cancel
}
