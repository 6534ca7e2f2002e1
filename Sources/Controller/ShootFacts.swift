import Cameras
import Exposure
import Statecharts

/// What a part of the core reads of the others: the values at the time of its message.
struct ShootFacts: Sendable {
    var camera: CameraView
    var ledger: Preflight.Ledger
    /// Why the ledger allows no new shoot; nil: it allows one.
    var ledgerFailure: String?
    var service: ServiceView
    /// Whether this computer is on the camera's network.
    var isJoined = false
    /// The setting that a client sets now; nil: none.
    var propertyOrder: PropertySetting?
    /// The number of clients that follow a shoot, or will when it is recorded.
    var streamCount = 0
    /// The number of clients that arm a plan.
    var armerCount = 0
}

/// The camera, as the other parts read it.
struct CameraView: Sendable {
    /// The last known identity.
    var identity: CameraIdentity?
    var address: CameraAddress?
    var status: CameraStatus?
    /// The camera answers.
    var isOnline = false
    /// The camera answers, and its mode is right.
    var isConnected = false
    var isInModeCheck = false
    /// This computer is not on its network.
    var isOffNetwork = false
    /// Why no camera can shoot, in a sentence.
    var absenceReason: String?
    /// The speed that the body shows; nil: it reported none.
    var shutterSpeed: String?
    /// The setting for a new speed; the usual one if the body does not answer.
    var speedProperty: CameraProperty { status?.speedProperty ?? .shutterSpeed }
    /// The drive mode as the body reports it; nil: it reports none.
    var drive: String?
    /// Why no camera is connected, and what the daemon does about it.
    var absence = ""
    /// Why a shoot is refused now.
    var refusal = ""

    var name: String? { identity?.name }

    /// The body, and the link to it; nil: none answers.
    var route: RecentTimings.Route? {
        guard isOnline, let identity, let address else { return nil }
        return RecentTimings.Route(cameraID: identity.id, link: address.host)
    }
}

/// The stop of the daemon, as the other parts read it.
struct ServiceView: Equatable, Sendable {
    enum State: Sendable {
        case serving
        /// The stop waits for the current frame.
        case finishingFrame
        /// The ordered stop has begun.
        case stopping
    }

    var state = State.serving
    /// The user's order for the shoot at the time of the stop.
    var requestedStop: RequestedStop?

    var isServing: Bool { state == .serving }
    var isLeaving: Bool { state == .stopping }
}

extension ChartRun where B == ServiceModel {
    /// The one answer to whether the daemon stops.
    var view: ServiceView {
        let state: ServiceView.State =
            if isActive(.serving) { .serving } else { isActive(.finishingFrame) ? .finishingFrame : .stopping }
        return ServiceView(state: state, requestedStop: machine.behavior.requestedStop)
    }
}
