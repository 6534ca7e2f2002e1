import Cameras
import Controller

/// The network state of the daemon's computer, whose only radio is `wlan0`.
package struct Station: Hashable, Sendable {
    package var change: Change
    /// The computer's address while the computer has one.
    package var address: IPAddress
    /// The prefix length of the camera's network in bits.
    package var prefixLength: Int
    /// The name of the camera's network.
    package var ssid: String

    package enum Change: Hashable, Sendable {
        /// The computer has joined the camera's network.
        case near
        /// The computer has joined another network, which has no route to a camera.
        case elsewhere(ssid: String)
        /// The computer has joined the camera's network, but has no address or no route.
        case noRoute
        /// The computer has joined no network.
        case apart
        /// The radio is removed.
        case unplugged
    }

    package init(
        _ change: Change = .near,
        address: IPAddress = IPAddress(bytes: [192, 0, 2, 77]),
        prefixLength: Int = 24,
        ssid: String = "DIRECT-CAMERA"
    ) {
        self.change = change
        self.address = address
        self.prefixLength = prefixLength
        self.ssid = ssid
    }

    private static let interface: UInt32 = 3
    private static let elsewhereAddress = IPAddress(bytes: [198, 51, 100, 7])
    private static let elsewhereRouter = IPAddress(bytes: [198, 51, 100, 1])

    /// Whether the computer can reach the cameras in their network.
    package var isNear: Bool { change == .near }

    /// The kernel's report about the network.
    ///
    /// - Parameter watched: The address whose route the daemon watches; nil: none.
    package func snapshot(watched: CameraAddress?) -> NetworkSnapshot {
        NetworkSnapshot(interfaces: interfaces, route: watched.map { route(to: $0) } ?? .unwatched)
    }

    private var interfaces: [NetworkInterface] {
        switch change {
        case .near: [radio(ssid, address)]
        case .elsewhere(let other): [radio(other, Self.elsewhereAddress)]
        case .noRoute: [radio(ssid, nil)]
        case .apart: [radio(nil, nil)]
        case .unplugged: []
        }
    }

    private func radio(_ ssid: String?, _ address: IPAddress?) -> NetworkInterface {
        let point = ssid.map { NetworkInterface.AccessPoint(ssid: $0, bssid: "02:00:00:00:00:01") }
        return NetworkInterface(
            index: Self.interface,
            name: "wlan0",
            isUp: point != nil,
            addresses: address.map { [.init($0, prefixLength: prefixLength)] } ?? [],
            radio: point.map { .joined($0) } ?? .apart
        )
    }

    private func route(to camera: CameraAddress) -> RouteFinding {
        guard let host = IPAddress(camera.host) else { return .unknown }
        switch change {
        case .near:
            return .found(CameraRoute(to: host, interface: Self.interface, source: address))
        case .elsewhere:
            let source = Self.elsewhereAddress
            let router = Self.elsewhereRouter
            return .found(CameraRoute(to: host, interface: Self.interface, source: source, gateway: router))
        case .noRoute, .apart, .unplugged:
            return .none(reason: "Network is unreachable")
        }
    }
}
