import Cameras
import NIOCore

/// A received SSDP datagram: an answer to a search, or an announcement.
package struct SSDPDatagram: Codable, Equatable, Sendable {
    package var from: IPAddress
    /// The index of the interface that received the datagram.
    package var interface: UInt32
    package var bytes: ByteBuffer

    /// The maximum length of an SSDP message. Longer datagrams are ignored.
    package static let byteCountMax = 4096

    package init(from: IPAddress, interface: UInt32, bytes: ByteBuffer) {
        self.from = from
        self.interface = interface
        self.bytes = bytes
    }
}

/// An action that the host performs to find cameras; see ``Effect``.
package enum DiscoveryEffect: Equatable, Sendable {
    /// Receive SSDP on exactly these interfaces, and pass each datagram as ``Input/ssdp(_:)``.
    ///
    /// Each interface has two sockets. One socket receives NOTIFY: it is bound to port 1900 and has joined the group.
    /// The other socket sends searches from its own port, so that only this daemon receives the answers.
    ///
    /// The host keeps the open sockets of these interfaces, and opens those in `rejoins` again. The journal reports
    /// once if a socket cannot be opened.
    case listen(on: [UInt32], rejoins: [UInt32])
    /// Send each of these messages to 239.255.255.250:1900 on every interface of `listen`.
    case ask([ByteBuffer])
}
