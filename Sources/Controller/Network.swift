import Statecharts

/// A network's name; nil on a cable or where it cannot be known.
package struct NetworkName: Hashable, Sendable {
    package var ssid: String?

    package init(ssid: String?) {
        self.ssid = ssid
    }
}

/// What the network chart tells the others.
package enum NetworkEffect: Equatable, Sendable {
    case left(NetworkDeparture)
    case back
}

/// The data behind `network.scxml`.
package struct NetworkModel: Equatable, Sendable {
    /// The network that we are on.
    private var current = NetworkName(ssid: nil)
    /// The network that the camera was last connected on; nil before it ever was.
    private var cameras: NetworkName?

    package init() {}

    /// The name of the network that we are on, where it is known.
    package var ssid: String? { current.ssid }
}

// Only what the chart names stands here; a test compares the two.
extension NetworkModel: NetworkBehavior {
    package typealias Effect = NetworkEffect

    package func isCamerasNetwork(_ name: NetworkName) -> Bool {
        guard let found = name.ssid, let wanted = cameras?.ssid else { return true }
        return found == wanted
    }

    package mutating func adoptNetwork(_ name: NetworkName, _ effects: inout [NetworkEffect]) {
        current = name
        // The camera was connected before the network's name was known: it is this one.
        if let cameras, cameras.ssid == nil { self.cameras = name }
    }

    package mutating func rememberNetwork(_ effects: inout [NetworkEffect]) {
        cameras = current
    }

    package mutating func reportBack(_ effects: inout [NetworkEffect]) {
        effects.append(.back)
    }

    package mutating func reportElsewhere(_ effects: inout [NetworkEffect]) {
        effects.append(.left(.elsewhere(from: cameras?.ssid, to: current.ssid)))
    }

    package mutating func reportDown(_ effects: inout [NetworkEffect]) {
        effects.append(.left(.down))
    }

    package mutating func reportNoRoute(_ effects: inout [NetworkEffect]) {
        effects.append(.left(.noRoute))
    }
}

extension NetworkDeparture {
    /// What happened and what to do, for people.
    package var sentence: String {
        switch self {
        case .elsewhere(let from?, let to?): "The computer left \(from) and is on \(to). Rejoin it to go on."
        case .elsewhere(let from?, nil): "The computer left \(from). Rejoin it to go on."
        case .elsewhere: "The computer left the camera's network. Rejoin it to go on."
        case .down: "The computer is on no network. Rejoin the camera's to go on."
        case .noRoute: "The computer has no route to the camera. Rejoin its network to go on."
        }
    }
}
