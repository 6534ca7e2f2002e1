import CLinux
import Cameras
import Controller
import Glibc

/// The interfaces and their addresses, as the kernel's messages report them.
///
/// The tables contain no routes. Only the kernel can say which route packets take, because rules and metrics decide.
/// The kernel also does not report every route that it removes with a link. The daemon therefore queries the route.
struct NetworkTables: Equatable {
    /// The maximum number of interfaces. A computer that controls cameras has fewer.
    static let interfacesMax = 256
    /// The maximum number of addresses of one interface. Real interfaces have fewer.
    static let addressesMax = 64

    private struct Link: Equatable {
        var name: String
        var flags: UInt32
        var operstate: UInt8

        /// Whether packets could use the interface. For some kinds of interfaces the kernel reports only the carrier.
        var isUp: Bool {
            guard flags & UInt32(IFF_UP) != 0 else { return false }
            let carries = flags & UInt32(IFF_RUNNING) != 0 && flags & clinux_iff_lower_up != 0
            return operstate == clinux_operstate_up || operstate == clinux_operstate_unknown && carries
        }
    }

    private var links: [UInt32: Link] = [:]
    private var addresses: [UInt32: [AddressRecord]] = [:]
    /// Whether entries are missing because the tables are full.
    private(set) var isOverfull = false

    mutating func apply(_ message: RouteMessage) {
        switch message {
        case .link(let link): set(link)
        case .linkGone(let index):
            links[index] = nil
            addresses[index] = nil
        case .address(let address): set(address)
        case .addressGone(let address):
            addresses[address.interface]?.removeAll { $0.isSame(address) }
            if addresses[address.interface]?.isEmpty == true { addresses[address.interface] = nil }
        case .route, .routesChanged: break
        }
    }

    private mutating func set(_ link: LinkRecord) {
        let before = links[link.index]
        guard before != nil || links.count < Self.interfacesMax else { return isOverfull = true }
        links[link.index] = Link(
            name: link.name ?? before?.name ?? "",
            flags: link.flags,
            operstate: link.operstate ?? before?.operstate ?? clinux_operstate_unknown
        )
    }

    private mutating func set(_ address: AddressRecord) {
        var list = addresses[address.interface] ?? []
        if let place = list.firstIndex(where: { $0.isSame(address) }) {
            list[place] = address
        } else {
            guard list.count < Self.addressesMax, !list.isEmpty || addresses.count < Self.interfacesMax else {
                return isOverfull = true
            }
            list.append(address)
        }
        addresses[address.interface] = list
    }

    func index(ofName name: some StringProtocol) -> UInt32? {
        links.keys.sorted().first { index in links[index].map { $0.name == name } ?? false }
    }

    /// The interfaces, sorted by index. Interfaces without a known name are left out.
    func interfaces(radios: [UInt32: NetworkInterface.Radio]) -> [NetworkInterface] {
        links.sorted { $0.key < $1.key }.compactMap { index, link -> NetworkInterface? in
            guard !link.name.isEmpty else { return nil }
            return NetworkInterface(
                index: index,
                name: link.name,
                isUp: link.isUp,
                isLoopback: link.flags & UInt32(IFF_LOOPBACK) != 0,
                isMulticast: link.flags & UInt32(IFF_MULTICAST) != 0,
                addresses: usableAddresses(of: index),
                radio: radios[index]
            )
        }
    }

    /// The usable addresses of an interface. They are sorted, so that the order of their addition does not matter.
    private func usableAddresses(of index: UInt32) -> [NetworkInterface.Address] {
        var usable: [NetworkInterface.Address] = []
        for record in addresses[index] ?? [] where !record.isDoubtful {
            let address = NetworkInterface.Address(record.address, prefixLength: record.prefixLength)
            if !usable.contains(address) { usable.append(address) }
        }
        return usable.sorted { one, other in
            guard one.address.isIPv4 == other.address.isIPv4 else { return one.address.isIPv4 }
            guard one.address != other.address else { return one.prefixLength < other.prefixLength }
            return one.address.bytes.lexicographicallyPrecedes(other.address.bytes)
        }
    }
}
