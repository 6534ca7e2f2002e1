/// Where a camera listens. `host` is an address or a name; the daemon's host part resolves names outside the loop.
package struct CameraAddress: Codable, Hashable, Sendable, CustomStringConvertible {
    /// An address or a name.
    package var host: String
    package var port: UInt16

    /// The port of PTP/IP (CIPA DC-005, 2.2.2.1).
    package static let defaultPort: UInt16 = 15740

    /// The default port is that of PTP/IP.
    package init(host: String, port: UInt16 = defaultPort) {
        self.host = host
        self.port = port
    }

    /// `host:port`, an IPv6 address in brackets.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
