import Cameras
import Controller

// Network snapshots for tests: one WiFi interface, and the camera in its network.
extension NetworkSnapshot {
    static let down = NetworkSnapshot(interfaces: [radio(nil, isUp: false)], route: .none(reason: "unreachable"))

    static let noRoute = NetworkSnapshot(
        interfaces: [radio(nil, isUp: true, addresses: [])],
        route: .none(reason: "unreachable")
    )

    /// - Parameter ssid: the name of the WiFi network; nil: the computer is on a cable.
    static func joined(ssid: String?) -> NetworkSnapshot {
        let route = CameraRoute(to: IPAddress(bytes: [127, 0, 0, 1]), interface: 3)
        return NetworkSnapshot(interfaces: [radio(ssid, isUp: true)], route: .found(route))
    }

    private static let near = [NetworkInterface.Address(IPAddress(bytes: [127, 0, 0, 2]), prefixLength: 24)]

    private static func radio(
        _ ssid: String?,
        isUp: Bool,
        addresses: [NetworkInterface.Address] = near
    ) -> NetworkInterface {
        let point = ssid.map { NetworkInterface.AccessPoint(ssid: $0, bssid: "02:00:00:00:00:01") }
        return NetworkInterface(
            index: 3,
            name: "wlan0",
            isUp: isUp,
            addresses: addresses,
            radio: point.map { .joined($0) }
        )
    }
}
