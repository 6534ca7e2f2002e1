import Cameras

/// What the system says of its network at one moment: facts, no judgement. A new one comes whenever one of them
/// changed.
package struct NetworkSnapshot: Codable, Equatable, Sendable {
    /// By index, each once.
    package var interfaces: [NetworkInterface]
    /// How packets to the address of ``Effect/watchRoute(_:)`` would go.
    package var route: RouteFinding

    package init(interfaces: [NetworkInterface] = [], route: RouteFinding = .unwatched) {
        self.interfaces = interfaces
        self.route = route
    }
}

/// One interface.
package struct NetworkInterface: Codable, Equatable, Sendable {
    /// The kernel's number of it; another one after it vanished and came back.
    package var index: UInt32
    package var name: String
    /// Whether packets could leave by it now: switched on, with a carrier, and associated where it is a radio.
    package var isUp: Bool
    package var isLoopback: Bool
    /// Whether it can send to groups.
    package var isMulticast: Bool
    package var addresses: [Address]
    /// nil: no radio, or nothing is known of one.
    package var radio: Radio?

    /// An address of an interface, and how many of its bits name the network.
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

    /// What an interface that is a radio is joined to.
    package enum Radio: Codable, Equatable, Sendable {
        case apart
        case joined(AccessPoint)
    }

    /// An access point as nl80211 tells of it.
    package struct AccessPoint: Codable, Equatable, Sendable {
        /// The network's name, as people write it; see ``NetworkName``.
        package var ssid: String
        /// Its address, `02:00:00:00:00:01`.
        package var bssid: String
        /// dBm; as it was when the radio joined. nil: not known.
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

    /// What makes its networks others: which one it is, and its addresses.
    package var place: [String] { ["\(index)"] + addresses.map { "\($0.address)/\($0.prefixLength)" } }

    /// The name of the network that it is joined to; nil: none, a cable, or not known.
    package var ssid: String? {
        if case .joined(let point) = radio { point.ssid } else { nil }
    }
}

/// How packets to the camera would go, in the kernel's own words.
package enum RouteFinding: Codable, Equatable, Sendable {
    /// Nobody asked.
    case unwatched
    /// Not known yet, or the address is a name that nothing was opened to.
    case unknown
    /// There is none; in the system's words.
    case none(reason: String)
    case found(CameraRoute)
}

/// A way to the camera.
package struct CameraRoute: Codable, Equatable, Sendable {
    package var to: IPAddress
    /// The interface that packets leave by.
    package var interface: UInt32
    /// The address of ours that they carry; nil: not told.
    package var source: IPAddress?
    /// The router that they are handed to; nil: none.
    package var gateway: IPAddress?
    /// The address is one of this machine's own.
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
