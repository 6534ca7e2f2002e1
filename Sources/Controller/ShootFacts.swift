import Cameras
import Exposure
import Statecharts

/// What a part of the core reads of the others: values, as they are when its message is delivered.
struct ShootFacts: Sendable {
    var camera: CameraView
    var ledger: Preflight.Ledger
    /// Why the ledger allows no new shoot; nil: it allows one.
    var ledgerObjection: String?
    var service: ServiceView
    /// Whether the computer is on the camera's network.
    var isJoined = false
    /// What a client sets on the camera; nil: nothing.
    var propertyOrder: PropertySetting?
    /// How many clients follow a shoot, or will when it is recorded.
    var streamCount = 0
    /// How many clients arm a plan.
    var armerCount = 0
}

/// The camera, as the other parts read it.
struct CameraView: Sendable {
    /// The last known one.
    var identity: CameraIdentity?
    var address: CameraAddress?
    /// What the camera reported last.
    var status: CameraStatus?
    /// The camera answers.
    var isOnline = false
    /// The camera answers, and its mode is right.
    var isConnected = false
    var isInModeCheck = false
    /// The computer is not on its network.
    var isOffNetwork = false
    /// Why there is no camera that could shoot, in a sentence.
    var trouble: String?
    /// The speed that the body shows; nil: it did not say.
    var shutterSpeed: String?
    /// The setting that a new speed changes. Of a body that does not answer the usual one.
    var speedProperty: CameraProperty { status?.speedProperty ?? .shutterSpeed }
    /// The body's own word; nil: it does not say.
    var drive: String?
    /// Why there is no camera to shoot with, and what is being done about it.
    var absence = ""
    /// Why a client that wants to shoot now cannot.
    var refusal = ""

    var name: String? { identity?.name }

    /// The body, and by what it is reached; nil: none answers.
    var route: RecentTimings.Route? {
        guard isOnline, let identity, let address else { return nil }
        return RecentTimings.Route(cameraID: identity.id, link: address.host)
    }
}

/// The end of the daemon, as the other parts read it.
struct ServiceView: Equatable, Sendable {
    enum State: Sendable {
        case serving
        /// The end waits for the frame that is being taken.
        case finishingFrame
        /// The ordered stop has begun.
        case leaving
    }

    var state = State.serving
    /// What the user had ordered of the shoot when the stop was asked for.
    var requestedStop: RequestedStop?

    var isServing: Bool { state == .serving }
    var isLeaving: Bool { state == .leaving }
}

extension ChartRun where B == ServiceModel {
    /// The one answer to whether the daemon stops.
    var view: ServiceView {
        let state: ServiceView.State =
            if isActive(.serving) { .serving } else { isActive(.finishingFrame) ? .finishingFrame : .leaving }
        return ServiceView(state: state, requestedStop: machine.behavior.requestedStop)
    }
}
