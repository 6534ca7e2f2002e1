import Statecharts

/// A request to connect to a camera.
package struct ConnectOrder: Equatable, Sendable {
    /// The previous goal of the user. The daemon returns to this goal if the request fails.
    package var before: CameraGoal
}

package enum ConnectEffect: Equatable, Sendable {
    /// The camera was not connected in time.
    case expired(ConnectOrder)
}

/// The data behind `connect.scxml`.
package struct ConnectModel: Equatable, Sendable {
    /// The waiting request; nil outside the state `waiting`.
    package private(set) var order: ConnectOrder?

    /// The maximum time that a client waits for a camera.
    package static let timeMax = Duration.seconds(60)
}

// This extension has only the functions that the chart names. A test compares it with the chart.
extension ConnectModel: ConnectBehavior {
    package typealias Effect = ConnectEffect

    package func timeLimit() -> Duration { Self.timeMax }

    package mutating func adopt(_ order: ConnectOrder, _ effects: inout [ConnectEffect]) { self.order = order }

    package mutating func end(_ effects: inout [ConnectEffect]) { order = nil }

    package mutating func expire(_ effects: inout [ConnectEffect]) {
        guard let order else { preconditionFailure("the state waiting has a request") }
        self.order = nil
        effects.append(.expired(order))
    }
}
