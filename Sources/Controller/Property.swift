import Cameras
import Statecharts

/// A client's request that the camera performs alone: no frame is fired during that time.
package struct PropertyRequest: Equatable, Sendable {
    package enum Order: Equatable, Sendable {
        case set(CameraProperty, String)
        case files(CameraFileRequest)
        /// One picture of the live view.
        case liveView(LiveViewSize?)
    }

    package var client: RequestID
    package var order: Order
}

extension PropertyRequest.Order {
    /// The maximum time that a driver has.
    package var timeMax: Duration {
        switch self {
        case .set: PropertyModel.timeMax
        // The body can be busy for 10 s, and the driver waits 3 s for the picture.
        case .liveView: .seconds(30)
        case .files(.list), .files(.listSelected): .seconds(300)
        case .files(.getSelected): .seconds(3600)
        // A picture takes a few seconds. A transfer that makes no progress ends earlier by itself.
        case .files(.get(let uris)): .seconds(300) + .seconds(120) * min(uris.count, CameraFileRequest.countMax)
        }
    }
}

package enum PropertyEffect: Equatable, Sendable {
    case set(PropertyRequest, PropertyState)
    case files(PropertyRequest, CameraFileAnswer)
    case liveView(PropertyRequest, LiveViewAnswer)
    case notSet(PropertyRequest, PropertyRefusal)
}

package enum PropertyRefusal: Equatable, Sendable {
    case busy
    case failed(CameraFailure)
    case lost(LossReason)
    case absent
    case superseded
    case silent
    case stopping
}

/// The data behind `property.scxml`.
package struct PropertyModel: Equatable, Sendable {
    /// The active request; nil outside the state `setting`.
    package private(set) var request: PropertyRequest?

    /// The maximum time that a driver has to set a property.
    package static let timeMax = Duration.seconds(180)

    private mutating func end(_ refusal: PropertyRefusal, _ effects: inout [PropertyEffect]) {
        guard let request else { preconditionFailure("the state setting has a request") }
        self.request = nil
        effects.append(.notSet(request, refusal))
    }
}

// This extension has only the functions that the chart names. A test compares it with the chart.
extension PropertyModel: PropertyBehavior {
    package typealias Effect = PropertyEffect

    package func timeLimit() -> Duration { request?.order.timeMax ?? Self.timeMax }

    package mutating func adopt(_ request: PropertyRequest, _ effects: inout [PropertyEffect]) {
        self.request = request
    }

    package mutating func reportSet(_ state: PropertyState, _ effects: inout [PropertyEffect]) {
        guard let request else { preconditionFailure("the state setting has a request") }
        self.request = nil
        effects.append(.set(request, state))
    }

    package mutating func reportFiles(_ answer: CameraFileAnswer, _ effects: inout [PropertyEffect]) {
        guard let request else { preconditionFailure("the state setting has a request") }
        self.request = nil
        effects.append(.files(request, answer))
    }

    package mutating func reportLiveView(_ answer: LiveViewAnswer, _ effects: inout [PropertyEffect]) {
        guard let request else { preconditionFailure("the state setting has a request") }
        self.request = nil
        effects.append(.liveView(request, answer))
    }

    package mutating func reportBusy(_ effects: inout [PropertyEffect]) { end(.busy, &effects) }

    package mutating func reportFailure(_ failure: CameraFailure, _ effects: inout [PropertyEffect]) {
        end(.failed(failure), &effects)
    }

    package mutating func reportLoss(_ reason: LossReason, _ effects: inout [PropertyEffect]) {
        end(.lost(reason), &effects)
    }

    package mutating func reportAbsence(_ effects: inout [PropertyEffect]) { end(.absent, &effects) }

    package mutating func reportSuperseded(_ effects: inout [PropertyEffect]) { end(.superseded, &effects) }

    package mutating func reportStop(_ effects: inout [PropertyEffect]) { end(.stopping, &effects) }

    package mutating func reportSilence(_ effects: inout [PropertyEffect]) { end(.silent, &effects) }
}
