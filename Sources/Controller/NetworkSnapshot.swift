import Cameras

/// The facts about the network at one moment, as the system reports them. A new snapshot comes whenever one of them
/// changed.
package struct NetworkSnapshot: Codable, Equatable, Sendable {
    /// By index, each once.
    package var interfaces: [NetworkInterface]
    /// The route to the address of ``Effect/watchRoute(_:)``.
    package var route: RouteFinding

    package init(interfaces: [NetworkInterface] = [], route: RouteFinding = .unwatched) {
        self.interfaces = interfaces
        self.route = route
    }
}

package struct NetworkInterface: Codable, Equatable, Sendable {
    /// The kernel's number of the interface. It changes if the interface vanishes and comes back.
    package var index: UInt32
    package var name: String
    /// Whether packets could leave by it now: switched on, with a carrier, and, for a radio, associated.
    package var isUp: Bool
    package var isLoopback: Bool
    /// Whether it can send to groups.
    package var isMulticast: Bool
    package var addresses: [Address]
    /// nil: no radio, or nothing is known of one.
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

    /// The network that a radio has joined.
    package enum Radio: Codable, Equatable, Sendable {
        case apart
        case joined(AccessPoint)
    }

    /// An access point as nl80211 reports it.
    package struct AccessPoint: Codable, Equatable, Sendable {
        /// The network's name in readable form; see ``NetworkName``.
        package var ssid: String
        /// Its address, `02:00:00:00:00:01`.
        package var bssid: String
        /// In dBm, at the time when the radio joined. nil: not known.
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

    /// What distinguishes its networks: the interface and its addresses.
    package var place: [String] { ["\(index)"] + addresses.map { "\($0.address)/\($0.prefixLength)" } }

    /// The name of the network that it has joined; nil: none, a cable, or not known.
    package var ssid: String? {
        if case .joined(let point) = radio { point.ssid } else { nil }
    }
}

/// The route to the camera, as the kernel reports it.
package enum RouteFinding: Codable, Equatable, Sendable {
    /// The core has not requested it.
    case unwatched
    /// Not known yet, or the address is a name without an opened connection.
    case unknown
    /// There is none; the reason is the system's.
    case none(reason: String)
    case found(CameraRoute)
}

/// A route to the camera.
package struct CameraRoute: Codable, Equatable, Sendable {
    package var to: IPAddress
    /// The interface for the packets.
    package var interface: UInt32
    /// This computer's address in the packets; nil: not reported.
    package var source: IPAddress?
    /// The router for the packets; nil: none.
    package var gateway: IPAddress?
    /// The address belongs to this computer.
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
