import Cameras
import Statecharts

/// A network's name; nil on a cable or if it is not known.
package struct NetworkName: Hashable, Sendable {
    package var ssid: String?
}

/// The state of the network relative to the camera.
package enum NetworkReport: Hashable, Sendable {
    /// No usable link.
    case down
    /// Joined a network; `ssid` is nil on a cable or if it is not known.
    case joined(ssid: String?)
    /// Joined to the camera's network, but this computer has lost the address of the connection, and the connection
    /// with it.
    case moved(ssid: String?)
    /// Joined, without a route to the camera's last address.
    case noRoute
}

package enum NetworkEffect: Equatable, Sendable {
    case left(NetworkDeparture)
    case back
    case report(JournalEntry)
}

/// The data behind `network.scxml`.
package struct NetworkModel: Equatable, Sendable {
    /// The last report of the system; nil: none yet.
    package private(set) var snapshot: NetworkSnapshot?
    /// The network of this computer.
    private var current = NetworkName(ssid: nil)
    /// The network where the camera was connected last; nil: never connected.
    package private(set) var camera: CameraNetwork?
    /// The address where a camera was connected last.
    package var cameraAddress: CameraAddress?

    /// The name of this computer's network, if it is known.
    package var ssid: String? { current.ssid }

    /// The address whose route decides whether the camera's network was left; nil: none was connected.
    package var watchedAddress: CameraAddress? { camera == nil ? nil : cameraAddress }

    /// The names of all networks that a radio has joined.
    package var joinedNetworks: Set<String> { Set(snapshot?.interfaces.compactMap(\.ssid) ?? []) }

    /// How the camera's network was left in a state of the chart; nil: it was not, or that is not known.
    package func standing(_ state: Network.State) -> NetworkDeparture? {
        switch state {
        case .down: .down(from: camera?.ssid)
        case .noRoute: .noRoute
        default: nil
        }
    }

    /// Corrects the camera's interface, which was only likely, when the kernel reports the route.
    private mutating func settleGuess() {
        guard let camera, camera.isGuess, let snapshot, case .found(let route) = snapshot.route,
            route.to == camera.address, route.gateway == nil || !camera.wasNear
        else { return }
        self.camera = CameraNetwork(snapshot, address: camera.address)
    }

    private mutating func adopt(_ name: NetworkName, _ effects: inout [NetworkEffect]) {
        if let ssid = name.ssid, name != current {
            let message = "This computer is on the network \(ssid)."
            let entry = JournalEntry(level: .info, kind: .note, message: message, fields: [.init("SSID", ssid)])
            effects.append(.report(entry))
        }
        current = name
        // The camera was connected before everything of its network was known: it is this one.
        if let camera, let snapshot {
            let now = CameraNetwork(snapshot, address: camera.address)
            if now.isBetter(than: camera) { self.camera = now }
        }
    }

    /// Compares a snapshot with the camera's network.
    package mutating func look(_ snapshot: NetworkSnapshot, by rules: SearchRules, _ report: inout NetworkReport) {
        self.snapshot = snapshot
        settleGuess()
        report = NetworkReport(
            snapshot,
            camera: camera,
            isSearched: !rules.ways.isEmpty,
            interface: rules.interface
        )
    }
}

// Only the functions that the chart names; a test compares both lists.
extension NetworkModel: NetworkBehavior {
    package typealias Effect = NetworkEffect

    package func isCamerasNetwork(_ name: NetworkName) -> Bool {
        camera?.isNetwork(name.ssid) ?? true
    }

    package func isSameNetwork(_ name: NetworkName) -> Bool { isCamerasNetwork(name) }

    package func isSameElsewhere(_ name: NetworkName) -> Bool { name == current && !isCamerasNetwork(name) }

    package mutating func adoptNetwork(_ name: NetworkName, _ effects: inout [NetworkEffect]) {
        adopt(name, &effects)
    }

    package mutating func adoptMove(_ name: NetworkName, _ effects: inout [NetworkEffect]) {
        camera?.source = nil
        adopt(name, &effects)
    }

    package mutating func reportMoved(_ name: NetworkName, _ effects: inout [NetworkEffect]) {
        effects.append(.left(.moved))
    }

    package mutating func rememberNetwork(_ effects: inout [NetworkEffect]) {
        camera = CameraNetwork(snapshot ?? NetworkSnapshot(), address: cameraAddress.flatMap { IPAddress($0.host) })
    }

    package mutating func forgetNetwork(_ effects: inout [NetworkEffect]) {
        camera = nil
    }

    package mutating func reportBack(_ effects: inout [NetworkEffect]) {
        effects.append(.back)
    }

    package mutating func reportElsewhere(_ effects: inout [NetworkEffect]) {
        effects.append(.left(.elsewhere(from: camera?.ssid, to: current.ssid)))
    }

    package mutating func reportDown(_ effects: inout [NetworkEffect]) {
        effects.append(.left(.down(from: camera?.ssid)))
    }

    package mutating func reportNoRoute(_ effects: inout [NetworkEffect]) {
        effects.append(.left(.noRoute))
    }
}

extension NetworkDeparture {
    /// What happened and what to do, for users.
    package var sentence: String {
        switch self {
        case .elsewhere(let from?, let to?): "This computer left \(from) and is on \(to). Rejoin it to continue."
        case .elsewhere(let from?, nil): "This computer left \(from). Rejoin it to continue."
        case .elsewhere: "This computer left the camera's network. Rejoin it to continue."
        case .down(let from?): "This computer lost \(from). Rejoin it to continue."
        case .down: "This computer is on no network. Rejoin the camera's network to continue."
        case .noRoute: "This computer has no route to the camera. Rejoin its network to continue."
        case .moved: "The address of this computer changed: the connection to the camera is lost."
        }
    }
}
