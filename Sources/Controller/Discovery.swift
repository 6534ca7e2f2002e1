import Cameras
import NIOCore

/// A received datagram of SSDP: an answer, or an announcement.
package struct SSDPDatagram: Codable, Equatable, Sendable {
    package var from: IPAddress
    /// The interface of the datagram.
    package var interface: UInt32
    package var bytes: ByteBuffer

    /// The longest valid message of SSDP; longer datagrams are dropped.
    package static let byteCountMax = 4096

    package init(from: IPAddress, interface: UInt32, bytes: ByteBuffer) {
        self.from = from
        self.interface = interface
        self.bytes = bytes
    }
}

/// An action of the host for finding cameras; see ``Effect``.
package enum DiscoveryEffect: Equatable, Sendable {
    /// Receive SSDP on exactly these interfaces. Each has two sockets: one is bound to port 1900 and has joined the
    /// group, for NOTIFY. The other sends searches from its own port, so that the answers come to this daemon only.
    ///
    /// Sockets on interfaces that stay are kept, unless `rejoins` has them. A socket that cannot be opened is reported
    /// once in the journal. Datagrams come as ``Input/ssdp(_:)``.
    case listen(on: [UInt32], rejoins: [UInt32])
    /// Send each of these to 239.255.255.250:1900 on every interface that is listened on.
    case ask([ByteBuffer])
}
