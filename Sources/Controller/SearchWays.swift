import Cameras

/// A way to find cameras besides the configured address.
package enum SearchMethod: String, Codable, CaseIterable, Hashable, Sendable {
    /// Probes the addresses that known cameras had on this network.
    case known
    /// Sends SSDP search messages, and receives announcements.
    case ssdp
    /// Probes every address of the network.
    case scan
}

/// The rules of the search for cameras.
package struct SearchRules: Codable, Equatable, Sendable {
    package var ways: Set<SearchMethod>
    /// The only network interface to use; nil: all but the loopback.
    package var interface: String?

    package init(ways: Set<SearchMethod> = [], interface: String? = nil) {
        self.ways = ways
        self.interface = interface
    }

    /// The network interfaces that the search uses.
    func interfaces(of snapshot: NetworkSnapshot) -> [NetworkInterface] {
        snapshot.interfaces.filter { candidate in
            guard candidate.isUp, candidate.addresses.contains(where: \.address.isIPv4) else { return false }
            return interface.map { $0 == candidate.name } ?? !candidate.isLoopback
        }
    }
}

/// Selects the addresses that a scan probes.
enum Scan {
    /// The shortest prefix of a network that is scanned as a whole. A network with a shorter prefix is too large.
    static let prefixLengthMin = 22
    /// The limit of addresses in a scan, over all networks.
    static let addressesMax = 2048
    /// The prefix length of the part that is scanned if the network is too large.
    static let neighbourPrefixLength = 24

    /// The addresses of all other hosts on these networks, each once. Cameras have no link-local addresses.
    ///
    /// - Parameter ports: the ports to probe at each host.
    static func addresses(
        _ interfaces: [NetworkInterface],
        ports: [UInt16] = [CameraAddress.defaultPort]
    ) -> [CameraAddress] {
        var seen: Set<IPAddress> = []
        var list: [CameraAddress] = []
        for interface in interfaces {
            for own in interface.addresses where own.address.isIPv4 && !own.address.isLinkLocal {
                seen.insert(own.address)
                for host in hosts(around: own) where seen.insert(host).inserted {
                    list += ports.map { CameraAddress(host: host.description, port: $0) }
                }
            }
        }
        return Array(list.filter { address in !interfaces.contains { $0.has(address) } }.prefix(addressesMax))
    }

    private static func hosts(around own: NetworkInterface.Address) -> [IPAddress] {
        // A network of one or two addresses has no network or broadcast address (RFC 3021).
        guard own.prefixLength < 31 else {
            return own.prefixLength == 31 ? [IPAddress(UInt32(own.address) ^ 1)] : []
        }
        let length = own.prefixLength < prefixLengthMin ? neighbourPrefixLength : own.prefixLength
        let size = UInt32(1) << UInt32(32 - length)
        let first = UInt32(own.address) & ~(size - 1)
        return (1..<size - 1).map { IPAddress(first + $0) }
    }
}

extension NetworkInterface {
    fileprivate func has(_ address: CameraAddress) -> Bool {
        addresses.contains { $0.address.description == address.host }
    }
}

extension UInt32 {
    fileprivate init(_ address: IPAddress) {
        self = address.bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension IPAddress {
    fileprivate init(_ number: UInt32) {
        self.init(bytes: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
    }
}
