import Cameras

/// An address of a body, with an optional port.
package struct NetworkPlace: Hashable, Sendable, CustomStringConvertible {
    package var host: IPAddress
    /// The port; nil: the previous port of the body.
    package var port: UInt16?

    package init(host: IPAddress, port: UInt16? = nil) {
        self.host = host
        self.port = port
    }

    /// Reads `192.168.122.1`, `192.168.122.1:15740`, `fe80::1` or `[fe80::1]:15740`; nil: not an address.
    package init?(parsing text: String) {
        // The body cannot announce an address that is valid only on one interface.
        guard !text.contains("%") else { return nil }
        if let host = IPAddress(text) {
            self.init(host: host)
            return
        }
        var rest = text[...]
        var port: UInt16?
        if !rest.hasSuffix("]") {
            guard let mark = rest.lastIndex(of: ":"), let number = UInt16(rest[rest.index(after: mark)...]), number > 0
            else { return nil }
            port = number
            rest = rest[..<mark]
        }
        let isBracketed = rest.hasPrefix("[") && rest.hasSuffix("]")
        let bare = isBracketed ? rest.dropFirst().dropLast() : rest
        guard let host = IPAddress(String(bare)), host.isIPv4 != isBracketed else { return nil }
        self.init(host: host, port: port)
    }

    package var description: String {
        guard let port else { return "\(host)" }
        return host.isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)"
    }
}

/// How a body leaves its network, and the address at which it returns.
package struct Departure: Hashable, Sendable {
    /// How long the body is absent.
    package var back: Duration
    /// The address after the return; nil: the same address.
    package var place: NetworkPlace?
    /// Whether the body closes its connections in order and sends byebye by SSDP. Otherwise the connections break.
    package var isOrderly: Bool

    package init(back: Duration, place: NetworkPlace? = nil, isOrderly: Bool = false) {
        self.back = back
        self.place = place
        self.isOrderly = isOrderly
    }
}
