import CLinux
import Cameras
import Glibc

/// The messages of rtnetlink(7) about links, addresses and routes.
enum RouteMessage: Equatable {
    case link(LinkRecord)
    case linkGone(UInt32)
    case address(AddressRecord)
    case addressGone(AddressRecord)
    case route(RouteRecord)
    /// A route was removed, or a routing rule was added or removed. No details are kept.
    case routesChanged

    /// Parses a message; returns nil for messages of other types.
    init?(_ message: NetlinkMessage) throws(NetlinkMessage.Fault) {
        switch Int(message.type) {
        case Int(RTM_NEWLINK), Int(RTM_DELLINK):
            guard let link = try LinkRecord(message.payload) else { return nil }
            self = message.type == UInt16(RTM_NEWLINK) ? .link(link) : .linkGone(link.index)
        case Int(RTM_NEWADDR), Int(RTM_DELADDR):
            guard let address = try AddressRecord(message.payload) else { return nil }
            self = message.type == UInt16(RTM_NEWADDR) ? .address(address) : .addressGone(address)
        case Int(RTM_NEWROUTE):
            guard let route = try RouteRecord(message.payload) else { return nil }
            self = .route(route)
        case Int(RTM_DELROUTE), Int(RTM_NEWRULE), Int(RTM_DELRULE):
            self = .routesChanged
        default:
            return nil
        }
    }

    /// A request for all links, without their counters.
    static func askLinks(sequence: UInt32) -> [UInt8] {
        var writer = NetlinkWriter(type: RTM_GETLINK, flags: NetlinkWriter.dump, sequence: sequence)
        writer.append(record: [], size: Int(clinux_ifinfomsg_size))
        writer.append(attribute: IFLA_EXT_MASK, UInt32(RTEXT_FILTER_SKIP_STATS))
        return writer.message()
    }

    /// A request for all addresses, IPv4 and IPv6.
    static func askAddresses(sequence: UInt32) -> [UInt8] {
        var writer = NetlinkWriter(type: RTM_GETADDR, flags: NetlinkWriter.dump, sequence: sequence)
        writer.append(record: [], size: Int(clinux_ifaddrmsg_size))
        return writer.message()
    }

    /// A request for the route to an address. The kernel sends no packet to that address.
    ///
    /// - Parameter interface: the only interface that packets are allowed to use; nil: every interface.
    static func askRoute(to address: IPAddress, by interface: UInt32?, sequence: UInt32) -> [UInt8] {
        var writer = NetlinkWriter(type: RTM_GETROUTE, flags: NLM_F_ACK, sequence: sequence)
        let family = UInt8(address.isIPv4 ? AF_INET : AF_INET6)
        writer.append(record: [family, UInt8(address.bytes.count * 8)], size: Int(clinux_rtmsg_size))
        writer.append(attribute: RTA_DST.rawValue, address.bytes)
        if let interface { writer.append(attribute: RTA_OIF.rawValue, interface) }
        return writer.message()
    }
}

extension NetlinkWriter {
    static let dump = CInt(NLM_F_ROOT) | CInt(NLM_F_MATCH)
}

struct LinkRecord: Equatable {
    var index: UInt32
    /// The flags of `<linux/if.h>`, such as IFF_UP.
    var flags: UInt32
    /// The name; nil: the message has no name. A missing name or `operstate` does not change the earlier value.
    var name: String?
    /// The operational state (RFC 2863): IF_OPER_UP or another value of `<linux/if.h>`.
    var operstate: UInt8?

    /// Returns nil for a message of a bridge, because bridges use the same types for their ports.
    init?(_ payload: ArraySlice<UInt8>) throws(NetlinkMessage.Fault) {
        guard payload.count >= Int(clinux_ifinfomsg_size), let family = payload.first,
            let index = payload.netlinkInteger(at: 4, as: Int32.self),
            let flags = payload.netlinkInteger(at: 8, as: UInt32.self)
        else {
            throw NetlinkMessage.Fault(description: "\(payload.count) bytes are too few for a link")
        }
        guard family == UInt8(AF_UNSPEC) else { return nil }
        guard index > 0 else { throw NetlinkMessage.Fault(description: "a link has no number") }
        let attributes = try NetlinkAttribute.split(payload.dropFirst(netlinkAligned(Int(clinux_ifinfomsg_size))))
        self.index = UInt32(index)
        self.flags = flags
        // A name can contain any bytes except a slash and white space.
        name = attributes[named: IFLA_IFNAME].map { String(decoding: $0.payload.prefix { $0 != 0 }, as: UTF8.self) }
        operstate = attributes[named: IFLA_OPERSTATE]?.integer(as: UInt8.self)
    }
}

struct AddressRecord: Equatable {
    var interface: UInt32
    var address: IPAddress
    var prefixLength: Int
    /// Whether packets do not use the address yet, or ever, because another host may have it (IFA_F_TENTATIVE,
    /// IFA_F_DADFAILED).
    var isDoubtful: Bool
    /// The address of the other end of a point-to-point link. On other links it is the address itself.
    var peer: IPAddress?

    /// Returns nil for address families other than IPv4 and IPv6.
    init?(_ payload: ArraySlice<UInt8>) throws(NetlinkMessage.Fault) {
        guard payload.count >= Int(clinux_ifaddrmsg_size), let family = payload.first,
            let prefixLength = payload.netlinkInteger(at: 1, as: UInt8.self),
            let shortFlags = payload.netlinkInteger(at: 2, as: UInt8.self),
            let interface = payload.netlinkInteger(at: 4, as: UInt32.self)
        else {
            throw NetlinkMessage.Fault(description: "\(payload.count) bytes are too few for an address")
        }
        guard let size = IPAddress.size(family: family) else { return nil }
        let attributes = try NetlinkAttribute.split(payload.dropFirst(netlinkAligned(Int(clinux_ifaddrmsg_size))))
        // On a point-to-point link IFA_ADDRESS is the peer's address (rtnetlink(7)).
        let named = attributes[named: IFA_LOCAL] ?? attributes[named: IFA_ADDRESS]
        guard let bytes = named?.address, bytes.count == size, Int(prefixLength) <= size * 8 else {
            throw NetlinkMessage.Fault(description: "an address of interface \(interface) has the wrong length")
        }
        let flags = attributes[named: IFA_FLAGS]?.integer(as: UInt32.self) ?? UInt32(shortFlags)
        self.interface = interface
        address = IPAddress(bytes: bytes)
        self.prefixLength = Int(prefixLength)
        isDoubtful = flags & UInt32(IFA_F_TENTATIVE | IFA_F_DADFAILED) != 0
        peer = attributes[named: IFA_ADDRESS]?.address.map { IPAddress(bytes: $0) }
    }

    func isSame(_ other: AddressRecord) -> Bool {
        (interface, address, prefixLength, peer) == (other.interface, other.address, other.prefixLength, other.peer)
    }
}

/// A route, from the answer to ``RouteMessage/askRoute(to:by:sequence:)``.
struct RouteRecord: Equatable {
    /// The type: RTN_UNICAST, RTN_LOCAL or another value of `<linux/rtnetlink.h>`.
    var type: UInt8
    var interface: UInt32?
    var source: IPAddress?
    var gateway: IPAddress?

    /// Returns nil for address families other than IPv4 and IPv6.
    init?(_ payload: ArraySlice<UInt8>) throws(NetlinkMessage.Fault) {
        // `rtm_type` is the eighth byte.
        guard payload.count >= Int(clinux_rtmsg_size), let family = payload.first,
            let type = payload.netlinkInteger(at: 7, as: UInt8.self)
        else {
            throw NetlinkMessage.Fault(description: "\(payload.count) bytes are too few for a route")
        }
        guard let size = IPAddress.size(family: family) else { return nil }
        let attributes = try NetlinkAttribute.split(payload.dropFirst(netlinkAligned(Int(clinux_rtmsg_size))))
        func address(_ attribute: NetlinkAttribute?) throws(NetlinkMessage.Fault) -> IPAddress? {
            guard let attribute else { return nil }
            guard let bytes = attribute.address, bytes.count == size else {
                throw NetlinkMessage.Fault(description: "a route has an address of the wrong length")
            }
            return IPAddress(bytes: bytes)
        }
        self.type = type
        interface = attributes[named: RTA_OIF.rawValue]?.integer(as: UInt32.self)
        source = try address(attributes[named: RTA_PREFSRC.rawValue])
        gateway = try address(attributes[named: RTA_GATEWAY.rawValue])
        // RTA_VIA has a router of the other family: the family in two bytes, then the address (`struct rtvia`).
        if gateway == nil, let via = attributes[named: RTA_VIA.rawValue]?.payload.dropFirst(2),
            [4, 16].contains(via.count)
        {
            gateway = IPAddress(bytes: Array(via))
        }
    }

    /// The reason why the route carries no packets; nil if the route carries packets.
    var obstacle: String? {
        switch Int(type) {
        case Int(RTN_UNREACHABLE): SystemError(code: ENETUNREACH).description
        case Int(RTN_PROHIBIT): NetworkHostSentences.routeProhibited
        case Int(RTN_BLACKHOLE): NetworkHostSentences.routeDiscards
        case Int(RTN_THROW): SystemError(code: ENETUNREACH).description
        default: nil
        }
    }
}

extension IPAddress {
    /// The number of bytes of an address; nil for address families other than IPv4 and IPv6.
    fileprivate static func size(family: UInt8) -> Int? {
        switch CInt(family) {
        case AF_INET: 4
        case AF_INET6: 16
        default: nil
        }
    }
}
