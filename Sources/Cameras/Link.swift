import NIOCore

/// The number of one connection of a session. Only the driver knows the purpose of each connection.
package struct LinkID: RawRepresentable, Codable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Less than ``countMax``.
    package let rawValue: UInt8

    /// The greatest number of connections that a driver has at the same time.
    package static let countMax: UInt8 = 4

    package static let allCases = (0..<countMax).map { LinkID($0) }

    /// - Returns: nil if the number is too large.
    package init?(rawValue: UInt8) {
        guard rawValue < Self.countMax else { return nil }
        self.rawValue = rawValue
    }

    /// - Precondition: The number is less than ``countMax``.
    package init(_ number: UInt8) {
        precondition(number < Self.countMax, "a driver has \(Self.countMax) connections at the most")
        rawValue = number
    }

    package var description: String { "link \(rawValue)" }
}

/// The destination of a connection and its transport.
package struct LinkTarget: Hashable, Sendable {
    /// The transport protocol. Other protocols are added when a driver needs them.
    package enum Transport: Hashable, Sendable {
        case tcp
    }

    package var address: CameraAddress
    package var transport: Transport
    /// Whether pictures arrive on this connection. The host pauses its reading while pictures are stored too slowly.
    package var carriesPictures: Bool

    package init(_ address: CameraAddress, transport: Transport = .tcp, carriesPictures: Bool = false) {
        self.address = address
        self.transport = transport
        self.carriesPictures = carriesPictures
    }
}

/// What the host reports about a driver's connections.
package enum LinkEvent: Codable, Equatable, Sendable {
    /// The connection is open.
    case opened(LinkID)
    /// The connection could not be opened. `reason` is the system's text, and `cause` is the class of the failure.
    case openFailed(LinkID, reason: String, cause: OpenFailure = .other)
    /// Bytes arrived. They can begin and end anywhere in a packet.
    case received(LinkID, ByteBuffer)
    /// The connection is closed. `reason` nil: the peer closed it in order.
    case closed(LinkID, reason: String?)

    package var link: LinkID {
        switch self {
        case .opened(let link), .openFailed(let link, _, _), .received(let link, _), .closed(let link, _): link
        }
    }
}

/// The reason why a connection could not be opened.
package enum OpenFailure: Codable, Hashable, Sendable {
    /// The peer does not listen on the port.
    case refused
    /// The peer did not answer in time.
    case timedOut
    /// The system has no route, or no device has that address.
    case unreachable
    /// Any other reason, for example an unknown name or no free file descriptors.
    case other
}
