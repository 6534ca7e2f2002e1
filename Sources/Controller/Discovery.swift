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

/// Names a file that is being fetched.
package struct FetchID: RawRepresentable, Codable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// What came of fetching a file by HTTP.
package enum FetchOutcome: Codable, Equatable, Sendable {
    /// The body of an answer with status 200.
    case body(ByteBuffer)
    /// In a few words: the status, the system's reason, too long, too late.
    case failed(String)
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
    /// Get a file; answered by ``Input/fetched(_:_:)`` once and within `timeout`, whatever the server does. Not more
    /// than `byteCountMax` bytes of body are taken; redirects are not followed.
    case fetch(FetchID, DescriptionURL, byteCountMax: Int, timeout: Duration)
    /// Nobody wants it any more. Not answered.
    case cancelFetch(FetchID)
}
