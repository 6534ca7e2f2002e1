import Cameras
import Statecharts

package struct PropertyRequest: Equatable, Sendable {
    package var client: RequestID
    package var property: CameraProperty
    package var value: String
}

package enum PropertyEffect: Equatable, Sendable {
    case set(PropertyRequest, PropertyState)
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

    package func timeLimit() -> Duration { Self.timeMax }

    package mutating func adopt(_ request: PropertyRequest, _ effects: inout [PropertyEffect]) {
        self.request = request
    }

    package mutating func reportSet(_ state: PropertyState, _ effects: inout [PropertyEffect]) {
        guard let request else { preconditionFailure("the state setting has a request") }
        self.request = nil
        effects.append(.set(request, state))
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
