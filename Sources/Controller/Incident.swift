/// Something unusual in a shoot, as recorded.
package struct Incident: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        /// The shoot was paused.
        case paused
        /// The daemon ended before the shoot ended.
        case interrupted
        /// The shutter of a frame may have been released.
        case inDoubt = "in-doubt"
        /// A frame was fired once more.
        case firedAgain = "fired-again"
    }

    /// Why it happened.
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

    /// The outcome of a doubt.
    package enum Outcome: String, Codable, CaseIterable, Hashable, Sendable {
        case fired
        case notFired = "not-fired"
        /// The camera did not report it.
        case unknown
    }

    package var kind: Kind
    package var reason: Reason
    /// The current frame, an index into the plan's frames; nil: before the first.
    package var frame: Int?
    /// Of a doubt; nil: it is not resolved.
    package var outcome: Outcome?
    /// Nil: not known, or not recorded yet.
    package var began: Moment?
    /// Nil: it has not ended, or it took no time.
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

/// The user's order for a shoot that was then interrupted. Such a shoot does not resume without a request.
package enum RequestedStop: String, Codable, CaseIterable, Hashable, Sendable {
    /// It was paused, or was to pause.
    case pause
    /// It was to end after the current frame.
    case cancel
}
