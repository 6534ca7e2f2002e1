import Cameras
import Exposure

/// A client's order to fire a plan, with the request to answer.
package struct ShootOrder: Equatable, Sendable {
    package var plan: Plan
    package var camera: CameraIdentity
    package var began: Moment
    package var request: RequestID
    package var streams: Bool
    /// Whether the settings that the plan changes are recorded already; see ``RecordMarks/holdShoot()``.
    package var isAnnounced = false
}

/// An order to fire the missing frames of a shoot, with the request to answer.
package struct RetryOrder: Equatable, Sendable {
    /// The request to answer; nil: the configuration, not a client, resumes the shoot.
    package var request: RequestID?
    package var streams: Bool
    /// Whether the last frame is to be fired once more.
    package var withRedo = false
    /// The shoot from the ledger that replaces the last shoot; nil: the last shoot continues.
    package var shoot: Shoot?
    /// The speeds of the frames that extend the shoot.
    package var added: [ShutterSpeed] = []
    /// Whether the client wants to drop the missing frames of the last shoot.
    package var drops = false
}

/// The shoot that an earlier run of the daemon left.
package struct Recovery: Equatable, Sendable {
    /// The highest number of a shoot so far.
    package var lastShoot: Int
    /// The last shoot, unless it was completed or dropped.
    package var shoot: Shoot?
}
