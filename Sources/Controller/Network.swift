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

/// The data behind `network.scxml`.
struct NetworkModel: Equatable, Sendable {
    /// The last report of the system; nil: none yet.
    private(set) var snapshot: NetworkSnapshot?
    /// The network of this computer.
    private var current = NetworkName(ssid: nil)
    /// The network where the camera was connected last; nil: never connected.
    private(set) var camera: CameraNetwork?
    /// The address where a camera was connected last.
    var cameraAddress: CameraAddress?

    /// The name of this computer's network, if it is known.
    var ssid: String? { current.ssid }

    /// The address whose route decides whether the camera's network was left; nil: none was connected.
    var watchedAddress: CameraAddress? { camera == nil ? nil : cameraAddress }

    /// The names of all networks that a radio has joined.
    var joinedNetworks: Set<String> { Set(snapshot?.interfaces.compactMap(\.ssid) ?? []) }

    /// How the camera's network was left in a state of the chart; nil: it was not, or that is not known.
    func departure(in state: Network.State) -> NetworkDeparture? {
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

    private mutating func adopt(_ name: NetworkName, _ effects: inout [PartEffect]) {
        if let ssid = name.ssid, name != current {
            let message = NetworkSentences.joined(ssid)
            let entry = JournalEntry(level: .info, kind: .note, message: message, fields: [.init("SSID", ssid)])
            effects.append(.journal(entry))
        }
        current = name
        // The camera was connected before everything of its network was known: it is this one.
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

// Only the functions that the chart names; a test compares both lists.
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

    mutating func rememberNetwork(_ effects: inout [PartEffect]) {
        camera = CameraNetwork(snapshot ?? NetworkSnapshot(), address: cameraAddress.flatMap { IPAddress($0.host) })
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
