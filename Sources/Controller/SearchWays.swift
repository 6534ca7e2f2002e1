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
    /// The configured number of addresses that a wave probes at most; nil: the addresses of one /24.
    package var scanMax: Int?

    /// The numbers of addresses that a wave may probe. The largest number has room for two networks of the largest size
    /// that is scanned as a whole.
    package static let scanCounts = 1...2048
    /// The number of addresses in a /24.
    package static let scanMaxDefault = 254

    package init(ways: Set<SearchMethod> = [], interface: String? = nil, scanMax: Int? = nil) {
        self.ways = ways
        self.interface = interface
        self.scanMax = scanMax
    }

    /// The maximum number of addresses that a wave probes.
    var waveMax: Int {
        min(max(scanMax ?? Self.scanMaxDefault, Self.scanCounts.lowerBound), Self.scanCounts.upperBound)
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
    static let addressesMax = SearchRules.scanCounts.upperBound
    /// The prefix length of the part that is scanned if the network is too large.
    static let neighbourPrefixLength = 24

    /// The addresses of all other hosts on these networks, each once. WiFi networks come first, because most cameras
    /// are there, and small networks come before large ones. Cameras have no link-local addresses.
    ///
    /// - Parameters:
    ///   - ports: the ports to probe at each host.
    ///   - waveMax: the maximum number of addresses in a wave. Of a larger network only a part is scanned.
    static func addresses(
        _ interfaces: [NetworkInterface],
        ports: [UInt16] = [CameraAddress.defaultPort],
        waveMax: Int = Scan.addressesMax
    ) -> [CameraAddress] {
        var seen: Set<IPAddress> = []
        var list: [CameraAddress] = []
        for interface in interfaces.sorted(by: { $0.scanRank < $1.scanRank }) {
            for own in interface.addresses where own.address.isIPv4 && !own.address.isLinkLocal {
                seen.insert(own.address)
                for host in hosts(around: own, waveMax: waveMax) where seen.insert(host).inserted {
                    list += ports.map { CameraAddress(host: host.description, port: $0) }
                }
            }
        }
        return Array(list.filter { address in !interfaces.contains { $0.has(address) } }.prefix(addressesMax))
    }

    private static func hosts(around own: NetworkInterface.Address, waveMax: Int) -> [IPAddress] {
        // A network of one or two addresses has no network or broadcast address (RFC 3021).
        guard own.prefixLength < 31 else {
            return own.prefixLength == 31 ? [IPAddress(UInt32(own.address) ^ 1)] : []
        }
        let isTooLarge = own.prefixLength < prefixLengthMin || 1 << (32 - own.prefixLength) - 2 > waveMax
        let length = isTooLarge ? max(own.prefixLength, neighbourPrefixLength) : own.prefixLength
        let size = UInt32(1) << UInt32(32 - length)
        let first = UInt32(own.address) & ~(size - 1)
        return (1..<size - 1).map { IPAddress(first + $0) }
    }
}

extension NetworkInterface {
    /// The place of the interface in the order of the scan: WiFi before cables, then by the size of the networks, then
    /// by the index.
    fileprivate var scanRank: (isCable: Int, size: Int, index: UInt32) {
        let isCable = if case .joined = radio { 0 } else { 1 }
        let lengths = addresses.filter(\.address.isIPv4).map(\.prefixLength)
        return (isCable, -(lengths.min() ?? 0), index)
    }

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
