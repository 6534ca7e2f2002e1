import Cameras
import Exposure

/// An order to fire a plan, with the request to answer.
package struct ShootOrder: Equatable, Sendable {
    package var plan: Plan
    package var camera: CameraIdentity
    package var began: Moment
    package var request: RequestID
    package var streams: Bool
}

/// An order to fire what is missing of a shoot, with the request to answer.
package struct RetryOrder: Equatable, Sendable {
    /// Nil: nobody asked, the configuration says so.
    package var request: RequestID?
    package var streams: Bool
    /// Whether the last frame is to be fired once more.
    package var withRedo = false
    /// A shoot of the ledger, which takes the place of the last one; nil: the last one.
    package var shoot: Shoot?
    /// Whether the client wants the frames dropped that the last shoot lacks.
    package var drops = false
}

/// What an earlier run of the daemon left.
package struct Recovery: Equatable, Sendable {
    /// The greatest number of a shoot so far.
    package var lastShoot: Int
    /// The last shoot, unless it was completed or dropped.
    package var shoot: Shoot?
}
