import CLinux
import Cameras
import Controller
import Glibc
import PrintableText

/// The nl80211 family of generic netlink, with the numbers that this kernel has assigned.
struct WiFiFamily: Equatable {
    var type: UInt16
    /// The multicast groups to join; nil when this kernel does not have the group.
    var settingsGroup: UInt32?
    var connectionsGroup: UInt32?

    private static let name = Array(NL80211_GENL_NAME.utf8)

    /// A request for the family's numbers (CTRL_CMD_GETFAMILY).
    static func ask(sequence: UInt32) -> [UInt8] {
        var writer = NetlinkWriter(type: GENL_ID_CTRL, flags: NLM_F_ACK, sequence: sequence)
        writer.append(record: [UInt8(CTRL_CMD_GETFAMILY), 1], size: Int(clinux_genlmsghdr_size))
        writer.append(attribute: CTRL_ATTR_FAMILY_NAME, name + [0])
        return writer.message()
    }

    /// Returns nil for messages about other families.
    init?(_ message: NetlinkMessage) throws(NetlinkMessage.Fault) {
        guard message.type == UInt16(GENL_ID_CTRL), let command = message.payload.first else { return nil }
        guard command == UInt8(CTRL_CMD_NEWFAMILY) else { return nil }
        let attributes = try message.genericAttributes()
        let name = attributes[named: CTRL_ATTR_FAMILY_NAME]?.payload.prefix { $0 != 0 }
        guard let name, name.elementsEqual(Self.name) else { return nil }
        guard let type = attributes[named: CTRL_ATTR_FAMILY_ID]?.integer(as: UInt16.self) else {
            throw NetlinkMessage.Fault(description: "the nl80211 family has no number")
        }
        self.type = type
        for group in try NetlinkAttribute.split(attributes[named: CTRL_ATTR_MCAST_GROUPS]?.payload ?? []) {
            let parts = try NetlinkAttribute.split(group.payload)
            let number = parts[named: CTRL_ATTR_MCAST_GRP_ID]?.integer(as: UInt32.self)
            switch parts[named: CTRL_ATTR_MCAST_GRP_NAME]?.text {
            case NL80211_MULTICAST_GROUP_CONFIG: settingsGroup = number
            case NL80211_MULTICAST_GROUP_MLME: connectionsGroup = number
            default: break
            }
        }
    }
}

/// An nl80211 message about one radio interface.
enum WiFiMessage: Equatable {
    /// An existing interface: whether it is in station mode, and its network's name if the message contains it.
    case interface(UInt32, joins: Bool, ssid: [UInt8]?)
    case interfaceGone(UInt32)
    /// The interface may have joined, left or changed its access point. Its state must be queried.
    case changed(UInt32, left: Bool)
    /// The access point to which the interface is joined. Other access points are ignored.
    case accessPoint(UInt32, bssid: [UInt8], ssid: [UInt8]?, signal: Int?)

    private static let addressSize = 6
    private static let joiners = [
        NL80211_IFTYPE_STATION.rawValue, NL80211_IFTYPE_P2P_CLIENT.rawValue, NL80211_IFTYPE_ADHOC.rawValue,
    ]

    /// Returns nil for other messages.
    init?(_ message: NetlinkMessage, of family: WiFiFamily) throws(NetlinkMessage.Fault) {
        guard message.type == family.type, let command = message.payload.first.map(UInt32.init) else { return nil }
        let attributes = try message.genericAttributes()
        // Radio interfaces without a network interface are ignored, such as those for Wi-Fi Direct.
        guard let index = attributes[named: NL80211_ATTR_IFINDEX.rawValue]?.integer(as: UInt32.self) else { return nil }
        switch command {
        case NL80211_CMD_NEW_INTERFACE.rawValue:
            let kind = attributes[named: NL80211_ATTR_IFTYPE.rawValue]?.integer(as: UInt32.self)
            let ssid = attributes[named: NL80211_ATTR_SSID.rawValue].map { Array($0.payload) }
            self = .interface(index, joins: kind.map(Self.joiners.contains) ?? true, ssid: ssid)
        case NL80211_CMD_DEL_INTERFACE.rawValue:
            self = .interfaceGone(index)
        case NL80211_CMD_DISCONNECT.rawValue:
            self = .changed(index, left: true)
        case NL80211_CMD_CONNECT.rawValue, NL80211_CMD_ROAM.rawValue, NL80211_CMD_DEAUTHENTICATE.rawValue,
            NL80211_CMD_DISASSOCIATE.rawValue, NL80211_CMD_JOIN_IBSS.rawValue, NL80211_CMD_SET_INTERFACE.rawValue:
            self = .changed(index, left: false)
        case NL80211_CMD_NEW_SCAN_RESULTS.rawValue:
            guard let point = try Self.accessPoint(index, attributes) else { return nil }
            self = point
        default:
            return nil
        }
    }

    private static func accessPoint(
        _ index: UInt32,
        _ attributes: [NetlinkAttribute]
    ) throws(NetlinkMessage.Fault) -> WiFiMessage? {
        guard let payload = attributes[named: NL80211_ATTR_BSS.rawValue]?.payload else { return nil }
        let parts = try NetlinkAttribute.split(payload)
        let status = parts[named: NL80211_BSS_STATUS.rawValue]?.integer(as: UInt32.self)
        let joined = [NL80211_BSS_STATUS_ASSOCIATED.rawValue, NL80211_BSS_STATUS_IBSS_JOINED.rawValue]
        guard let status, joined.contains(status) else { return nil }
        guard let bssid = parts[named: NL80211_BSS_BSSID.rawValue]?.payload, bssid.count == addressSize else {
            throw NetlinkMessage.Fault(description: "an access point's address has the wrong length")
        }
        let elements = parts[named: NL80211_BSS_INFORMATION_ELEMENTS.rawValue]?.payload ?? []
        // The kernel reports the signal in hundredths of dBm.
        let signal = parts[named: NL80211_BSS_SIGNAL_MBM.rawValue]?.integer(as: Int32.self).map { Int($0) / 100 }
        return .accessPoint(index, bssid: Array(bssid), ssid: networkName(in: elements), signal: signal)
    }

    /// The network's name in a beacon's elements; nil without a name. An element has a number, a length and as many
    /// bytes. The name has number 0 (IEEE 802.11-2020, 9.4.2.1 and 9.4.2.2).
    private static func networkName(in elements: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = elements
        while let number = rest.first, let length = rest.dropFirst().first {
            let content = rest.dropFirst(2).prefix(Int(length))
            guard content.count == Int(length) else { return nil }
            if number == 0 { return Array(content) }
            rest = rest.dropFirst(2 + Int(length))
        }
        return nil
    }

    static func askInterfaces(of family: WiFiFamily, sequence: UInt32) -> [UInt8] {
        ask(NL80211_CMD_GET_INTERFACE, of: family, interface: nil, flags: NetlinkWriter.dump, sequence: sequence)
    }

    static func askInterface(_ index: UInt32, of family: WiFiFamily, sequence: UInt32) -> [UInt8] {
        ask(NL80211_CMD_GET_INTERFACE, of: family, interface: index, flags: CInt(NLM_F_ACK), sequence: sequence)
    }

    /// A request for the scan results of an interface. The request does not start a scan.
    static func askAccessPoints(_ index: UInt32, of family: WiFiFamily, sequence: UInt32) -> [UInt8] {
        ask(NL80211_CMD_GET_SCAN, of: family, interface: index, flags: NetlinkWriter.dump, sequence: sequence)
    }

    private static func ask(
        _ command: nl80211_commands,
        of family: WiFiFamily,
        interface: UInt32?,
        flags: CInt,
        sequence: UInt32
    ) -> [UInt8] {
        var writer = NetlinkWriter(type: family.type, flags: flags, sequence: sequence)
        writer.append(record: [UInt8(command.rawValue)], size: Int(clinux_genlmsghdr_size))
        if let interface { writer.append(attribute: NL80211_ATTR_IFINDEX.rawValue, interface) }
        return writer.message()
    }
}

extension NetlinkMessage {
    fileprivate func genericAttributes() throws(Fault) -> [NetlinkAttribute] {
        guard payload.count >= Int(clinux_genlmsghdr_size) else {
            throw Fault(description: "\(payload.count) bytes are too few for a generic netlink message")
        }
        return try NetlinkAttribute.split(payload.dropFirst(Int(clinux_genlmsghdr_size)))
    }
}

extension NetworkInterface.AccessPoint {
    /// The maximum length of a network's name in bytes (IEEE 802.11-2020, 9.4.2.2).
    private static let nameLengthMax = 32

    /// Returns nil when the name is hidden, because the network is then unknown.
    init?(ssid: [UInt8], bssid: [UInt8], signal: Int?) {
        guard !ssid.isEmpty, ssid.count <= Self.nameLengthMax, ssid.contains(where: { $0 != 0 }) else { return nil }
        let hexadecimal = bssid.map { Self.hexadecimal($0) }
        self.init(ssid: Self.text(ssid), bssid: hexadecimal.joined(separator: ":"), signal: signal)
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// The text of a network's name, which can have any bytes. An unprintable name is written byte by byte, as `\x07`.
    private static func text(_ ssid: [UInt8]) -> String {
        if let text = String(validating: ssid, as: UTF8.self), text.unicodeScalars.allSatisfy(PrintableText.isPrintable)
        {
            return text
        }
        return ssid.map { byte in
            0x20..<0x7F ~= byte ? String(UnicodeScalar(byte)) : "\\x\(hexadecimal(byte))"
        }.joined()
    }
}
