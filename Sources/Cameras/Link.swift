import NIOCore

/// One of the few connections of a session, by its number. Only the driver knows what each one is for.
package struct LinkID: RawRepresentable, Codable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Less than ``countMax``.
    package let rawValue: UInt8

    /// The most connections that a driver has at once.
    package static let countMax: UInt8 = 4

    package static let allCases = (0..<countMax).map { LinkID($0) }

    /// - Returns: nil: the number is too large.
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

/// Where a connection of a driver leads, and how it is to be treated.
package struct LinkTarget: Hashable, Sendable {
    /// How bytes are carried. Another way is added with its first user.
    package enum Transport: Hashable, Sendable {
        case tcp
    }

    package var address: CameraAddress
    package var transport: Transport
    /// Whether pictures come on it: nothing is read from it while this computer stores them too slowly.
    package var carriesPictures: Bool

    /// See the fields.
    package init(_ address: CameraAddress, transport: Transport = .tcp, carriesPictures: Bool = false) {
        self.address = address
        self.transport = transport
        self.carriesPictures = carriesPictures
    }
}

/// What the outside tells a driver about its connections.
package enum LinkEvent: Codable, Equatable, Sendable {
    /// The connection stands.
    case opened(LinkID)
    /// `reason` says it in words, `cause` in one.
    case openFailed(LinkID, reason: String, cause: OpenFailure = .other)
    /// Bytes, cut anywhere.
    case received(LinkID, ByteBuffer)
    /// The connection is gone. nil: the peer closed in order.
    case closed(LinkID, reason: String?)

    /// The connection that it is about.
    package var link: LinkID {
        switch self {
        case .opened(let link), .openFailed(let link, _, _), .received(let link, _), .closed(let link, _): link
        }
    }
}

/// Why a connection did not come about.
package enum OpenFailure: Codable, Hashable, Sendable {
    /// Somebody is there, and nobody listens.
    case refused
    /// Nobody answered in time.
    case timedOut
    /// The system knows no way, or nobody has that address.
    case unreachable
    /// Anything else: no such name, no descriptors left.
    case other
}
