import Cameras

/// The facts about the network at one time, as the system reports them. Each change of a fact causes a new snapshot.
package struct NetworkSnapshot: Codable, Equatable, Sendable {
    /// The interfaces in the order of their indices.
    package var interfaces: [NetworkInterface]
    /// The route to the address of ``Effect/watchRoute(_:)``.
    package var route: RouteFinding

    package init(interfaces: [NetworkInterface] = [], route: RouteFinding = .unwatched) {
        self.interfaces = interfaces
        self.route = route
    }
}

package struct NetworkInterface: Codable, Equatable, Sendable {
    /// The kernel's number of the interface. A removed interface that returns has a new number.
    package var index: UInt32
    package var name: String
    /// Whether the interface can send packets: it is enabled, has a carrier, and its radio, if any, is associated.
    package var isUp: Bool
    package var isLoopback: Bool
    /// Whether the interface supports multicast.
    package var isMulticast: Bool
    package var addresses: [Address]
    /// The state of the interface's radio; nil: there is no radio, or its state is not known.
    package var radio: Radio?

    /// An address of an interface, and the length of its network prefix.
    package struct Address: Codable, Hashable, Sendable {
        package var address: IPAddress
        package var prefixLength: Int

        package init(_ address: IPAddress, prefixLength: Int) {
            self.address = address
            self.prefixLength = prefixLength
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            address = try fields.decode(IPAddress.self, forKey: .address)
            prefixLength = try fields.decode(Int.self, forKey: .prefixLength)
            guard (0...address.bytes.count * 8).contains(prefixLength) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .prefixLength,
                    in: fields,
                    debugDescription: "an address has fewer bits"
                )
            }
        }

        package func isNear(_ other: IPAddress) -> Bool { address.sharesBits(prefixLength, with: other) }
    }

    /// The state of a radio, with the network that it has joined.
    package enum Radio: Codable, Equatable, Sendable {
        case apart
        case joined(AccessPoint)
    }

    /// An access point as nl80211 reports it.
    package struct AccessPoint: Codable, Equatable, Sendable {
        /// The network's name in readable form; see ``NetworkName``.
        package var ssid: String
        /// The address of the access point, such as `02:00:00:00:00:01`.
        package var bssid: String
        /// The signal strength in dBm when the radio joined; nil: not known.
        package var signal: Int?

        package init(ssid: String, bssid: String, signal: Int? = nil) {
            self.ssid = ssid
            self.bssid = bssid
            self.signal = signal
        }
    }

    package init(
        index: UInt32,
        name: String,
        isUp: Bool,
        isLoopback: Bool = false,
        isMulticast: Bool = true,
        addresses: [Address] = [],
        radio: Radio? = nil
    ) {
        self.index = index
        self.name = name
        self.isUp = isUp
        self.isLoopback = isLoopback
        self.isMulticast = isMulticast
        self.addresses = addresses
        self.radio = radio
    }

    /// A value that distinguishes the networks of an interface: the index and the addresses of the interface.
    package var place: [String] { ["\(index)"] + addresses.map { "\($0.address)/\($0.prefixLength)" } }

    /// The name of the network that the interface has joined; nil: no network, a cable, or not known.
    package var ssid: String? {
        if case .joined(let point) = radio { point.ssid } else { nil }
    }
}

/// The route to the camera, as the kernel reports it.
package enum RouteFinding: Codable, Equatable, Sendable {
    /// The core has not requested the route.
    case unwatched
    /// The route is not known yet, or the address is a host name that is not resolved.
    case unknown
    /// There is no route. `reason` is the text of the system.
    case none(reason: String)
    case found(CameraRoute)
}

/// A route to the camera.
package struct CameraRoute: Codable, Equatable, Sendable {
    package var to: IPAddress
    /// The index of the interface that sends the packets.
    package var interface: UInt32
    /// The source address of the packets; nil: not reported.
    package var source: IPAddress?
    /// The address of the router; nil: the route uses no router.
    package var gateway: IPAddress?
    /// Whether the address belongs to this computer.
    package var isLocal: Bool

    package init(
        to: IPAddress,
        interface: UInt32,
        source: IPAddress? = nil,
        gateway: IPAddress? = nil,
        isLocal: Bool = false
    ) {
        self.to = to
        self.interface = interface
        self.source = source
        self.gateway = gateway
        self.isLocal = isLocal
    }
}
