/// The host and the port on which a camera listens.
package struct CameraAddress: Codable, Hashable, Sendable, CustomStringConvertible {
    /// An IP address or a name. The `Host` target resolves names, not the core.
    package var host: String
    package var port: UInt16

    /// The port of PTP/IP (CIPA DC-005, 2.2.2.1).
    package static let defaultPort: UInt16 = 15740

    package init(host: String, port: UInt16 = defaultPort) {
        self.host = host
        self.port = port
    }

    /// The form `host:port`. An IPv6 address is in brackets.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
