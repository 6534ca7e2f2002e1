import Cameras
import NIOCore

/// A datagram of SSDP that came, in answer or to everybody.
package struct SSDPDatagram: Codable, Equatable, Sendable {
    package var from: IPAddress
    /// The interface that it came by.
    package var interface: UInt32
    package var bytes: ByteBuffer

    /// No message of SSDP is longer; what is, is dropped.
    package static let byteCountMax = 4096

    package init(from: IPAddress, interface: UInt32, bytes: ByteBuffer) {
        self.from = from
        self.interface = interface
        self.bytes = bytes
    }
}

/// What the host is to do to have cameras found; see ``Effect``.
package enum DiscoveryEffect: Equatable, Sendable {
    /// Hear SSDP on these interfaces and no others: a socket on each, bound to port 1900 and joined to the group,
    /// so that NOTIFY is heard, and one that asks from a port of its own, so that the answers come to us alone.
    /// Sockets on interfaces that stay are kept unless `rejoins` names them. What cannot be opened is said once in
    /// the journal. Datagrams come as ``Input/ssdp(_:)``.
    case listen(on: [UInt32], rejoins: [UInt32])
    /// Send each of these to 239.255.255.250:1900 by every interface that is listened on.
    case ask([ByteBuffer])
}
