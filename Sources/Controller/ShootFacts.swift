import Cameras
import Exposure
import Statecharts

/// The facts about other parts of the core that the shoot reads, at the time of a message.
struct ShootFacts: Sendable {
    var camera: CameraView
    var ledger: Preflight.Ledger
    /// The reason why the ledger allows no new shoot; nil: it allows one.
    var ledgerFailure: String?
    var service: ServiceView
    /// Whether this computer is on the camera's network.
    var isJoined = false
    /// The client's request that the camera performs; nil: none.
    var propertyOrder: PropertyRequest.Order?
    /// The number of clients that follow the shoot now, or wait to follow the new shoot until it is recorded.
    var streamCount = 0
    /// The number of clients that wait until their armed plan is on disk.
    var armerCount = 0
}

/// The state of the camera, for other parts of the core.
struct CameraView: Sendable {
    /// The last known identity of the camera.
    var identity: CameraIdentity?
    var address: CameraAddress?
    var status: CameraStatus?
    /// Whether the camera answers.
    var isOnline = false
    /// Whether the camera answers, and its mode is right.
    var isConnected = false
    var isInModeCheck = false
    /// Whether this computer is not on the camera's network.
    var isOffNetwork = false
    /// The sentence that says why no camera can shoot.
    var absenceReason: String?
    /// Why the camera rejected the last attempt to connect, as a sentence; nil: it rejected none.
    var rejection: String?
    /// The speed that the body shows; nil: the body reported none.
    var shutterSpeed: String?
    /// The property that sets a new speed. If the body does not answer, this is the shutter speed.
    var speedProperty: CameraProperty { status?.speedProperty ?? .shutterSpeed }
    /// The drive mode that the body reports; nil: the body reports none.
    var drive: DriveMode?
    /// The sentence that says why no camera is connected, and what the daemon does about it.
    var absence = ""
    /// The sentence that says why a shoot is refused now.
    var refusal = ""

    var name: String? { identity?.name }

    /// The body and the link to it; nil: no camera answers.
    var route: RecentTimings.Route? {
        guard isOnline, let identity, let address else { return nil }
        return RecentTimings.Route(cameraID: identity.id, link: address.host)
    }
}

/// The state of the daemon's stop, for other parts of the core.
struct ServiceView: Equatable, Sendable {
    enum State: Sendable {
        case serving
        /// The daemon was asked to stop, and waits for the current frame.
        case finishingFrame
        /// The daemon has begun to stop.
        case stopping
    }

    var state = State.serving
    /// The user's request to pause or cancel the shoot before the stop.
    var requestedStop: RequestedStop?

    var isServing: Bool { state == .serving }
    var isLeaving: Bool { state == .stopping }
}

extension ChartRun where B == ServiceModel {
    /// The state of the stop. No other value says whether the daemon stops.
    var view: ServiceView {
        let state: ServiceView.State =
            if isActive(.serving) { .serving } else { isActive(.finishingFrame) ? .finishingFrame : .stopping }
        return ServiceView(state: state, requestedStop: machine.behavior.requestedStop)
    }
}
