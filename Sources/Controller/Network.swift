import Cameras
import Statecharts

/// A network's name. `ssid` is nil on a cable, or if the name is not known.
package struct NetworkName: Hashable, Sendable {
    package var ssid: String?
}

/// Whether the interface towards the camera is up, and whether the camera can be reached through it.
package enum NetworkReport: Hashable, Sendable {
    /// This computer has no usable network.
    case down
    /// This computer has joined a network. `ssid` is nil on a cable, or if the name is not known.
    case joined(ssid: String?)
    /// This computer is on the camera's network, but it has lost the address that the connection used.
    case moved(ssid: String?)
    /// This computer has joined a network that has no route to the camera's latest address.
    case noRoute
}

/// The data behind `network.scxml`.
struct NetworkModel: Equatable, Sendable {
    /// The latest snapshot; nil: there is none yet.
    private(set) var snapshot: NetworkSnapshot?
    /// The network of this computer.
    private var current = NetworkName(ssid: nil)
    /// The network on which a camera was last connected; nil: no camera was ever connected.
    private(set) var camera: CameraNetwork?
    /// The address at which a camera was last connected.
    var cameraAddress: CameraAddress?
    /// The network over which this camera answers; nil: not known.
    var linkSnapshot: NetworkSnapshot?

    /// The name of this computer's network; nil: a cable, or not known.
    var ssid: String? { current.ssid }

    /// The address whose route shows whether this computer left the camera's network; nil: no camera was connected.
    var watchedAddress: CameraAddress? { camera == nil ? nil : cameraAddress }

    /// Whether this computer is still on the network of the camera's link, as far as known.
    var isLinkStanding: Bool { snapshot.flatMap { camera?.stands(in: $0) } ?? true }

    /// The names of all WiFi networks that this computer has joined.
    var joinedNetworks: Set<String> { Set(snapshot?.interfaces.compactMap(\.ssid) ?? []) }

    /// How this computer left the camera's network, by the chart's state; nil: it has not left, or this is not known.
    func departure(in state: Network.State) -> NetworkDeparture? {
        switch state {
        case .down: .down(from: camera?.ssid)
        case .noRoute: .noRoute
        default: nil
        }
    }

    /// Replaces the guessed interface of the camera, once the kernel has reported the route.
    private mutating func settleGuess() {
        guard let camera, camera.isGuess, let snapshot, case .found(let route) = snapshot.route,
            route.to == camera.address, route.gateway == nil || !camera.wasNear
        else { return }
        self.camera = CameraNetwork(snapshot, address: camera.address)
    }

    private mutating func adopt(_ name: NetworkName, _ effects: inout [PartEffect]) {
        if let ssid = name.ssid, name != current {
            let message = NetworkSentences.joined(ssid)
            let entry = JournalEntry(level: .info, kind: .note, message: message, fields: [.init("SSID", ssid)])
            effects.append(.journal(entry))
        }
        current = name
        // The first facts about the camera's network may be incomplete, so better facts replace them.
        if let camera, let snapshot {
            let now = CameraNetwork(snapshot, address: camera.address)
            if now.isBetter(than: camera) { self.camera = now }
        }
    }

    /// Compares a snapshot with the camera's network.
    mutating func assess(_ snapshot: NetworkSnapshot, by rules: SearchRules) -> NetworkReport {
        self.snapshot = snapshot
        settleGuess()
        let isSearched = !rules.ways.isEmpty
        return NetworkReport(snapshot, camera: camera, isSearched: isSearched, interface: rules.interface)
    }
}

// This extension has only the functions that the chart names. A test compares it with the chart.
extension NetworkModel: NetworkBehavior {
    typealias Effect = PartEffect

    func isCamerasNetwork(_ name: NetworkName) -> Bool {
        camera?.isNetwork(name.ssid) ?? true
    }

    func isSameNetwork(_ name: NetworkName) -> Bool { isCamerasNetwork(name) }

    func isSameElsewhere(_ name: NetworkName) -> Bool { name == current && !isCamerasNetwork(name) }

    mutating func adoptNetwork(_ name: NetworkName, _ effects: inout [PartEffect]) {
        adopt(name, &effects)
    }

    mutating func adoptMove(_ name: NetworkName, _ effects: inout [PartEffect]) {
        camera?.source = nil
        adopt(name, &effects)
    }

    mutating func reportMoved(_ name: NetworkName, _ effects: inout [PartEffect]) {
        effects.append(.enqueue(.networkLeft(.moved)))
    }

    /// Remembers the network over which the link was opened. This computer may have left it since.
    mutating func rememberNetwork(_ effects: inout [PartEffect]) {
        let (latest, address) = (snapshot ?? NetworkSnapshot(), cameraAddress.flatMap { IPAddress($0.host) })
        var network = CameraNetwork(linkSnapshot ?? NetworkSnapshot(), address: address)
        if network.stands(in: latest) {
            network = CameraNetwork(latest, address: address)
        } else {
            // A route in the present network does not concern this link.
            network.isGuess = false
        }
        camera = network
    }

    mutating func forgetNetwork(_ effects: inout [PartEffect]) {
        camera = nil
    }

    mutating func reportBack(_ effects: inout [PartEffect]) {
        effects.append(.enqueue(.networkBack))
    }

    mutating func reportElsewhere(_ effects: inout [PartEffect]) {
        effects.append(.enqueue(.networkLeft(.elsewhere(from: camera?.ssid, to: current.ssid))))
    }

    mutating func reportDown(_ effects: inout [PartEffect]) {
        effects.append(.enqueue(.networkLeft(.down(from: camera?.ssid))))
    }

    mutating func reportNoRoute(_ effects: inout [PartEffect]) {
        effects.append(.enqueue(.networkLeft(.noRoute)))
    }
}
