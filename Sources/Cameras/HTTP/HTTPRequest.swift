import NIOCore

/// Identifies a request until its last event. Unique among the requests of one driver in one session.
package struct HTTPRequestID: RawRepresentable, Codable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// What the host must do with a request; see ``CameraAction`` and the core's effects.
package enum HTTPAction: Equatable, Sendable {
    /// Send the request on its own connection. The host answers with ``HTTPEvent``.
    case perform(HTTPRequest)
    /// Cancel the request. The host does not answer, but an event of the request can still arrive.
    case cancel
}

/// A request of HTTP/1.1 (RFC 9112). The host adds Host, Connection and, for a body, Content-Length.
///
/// Each request ends once, within its timeout, with a reply or a failure. The host does not follow redirects.
package struct HTTPRequest: Equatable, Sendable {
    package var method: Method
    package var address: CameraAddress
    /// The path and the query; begins with a slash.
    package var path: String
    package var headers: [HTTPHeader]
    /// Empty: the request has no body.
    package var body: ByteBuffer
    package var delivery: Delivery
    /// Whether the reply's body is a picture. Recordings do not keep pictures.
    package var isPicture: Bool
    /// The greatest accepted number of bytes of the reply's body.
    package var replyBytesMax: Int
    /// The time limit for the whole request.
    package var timeout: Duration

    package enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// How the reply is delivered.
    package enum Delivery: Hashable, CaseIterable, Sendable {
        /// As one event: ``HTTPEvent/reply(_:)``.
        case whole
        /// As it arrives: ``HTTPEvent/head(_:)``, then any number of ``HTTPEvent/body(_:)``, then ``HTTPEvent/end``.
        case pieces
    }

    package init(
        _ method: Method,
        _ address: CameraAddress,
        path: String,
        headers: [HTTPHeader] = [],
        body: ByteBuffer = ByteBuffer(),
        delivery: Delivery = .whole,
        isPicture: Bool = false,
        replyBytesMax: Int,
        timeout: Duration
    ) {
        self.method = method
        self.address = address
        self.path = path
        self.headers = headers
        self.body = body
        self.delivery = delivery
        self.isPicture = isPicture
        self.replyBytesMax = replyBytesMax
        self.timeout = timeout
    }

    /// How many requests of one session can run at the same time. Further requests wait while their timeouts run.
    package static let openMax = 8
    /// How many requests can wait. Further requests fail at once.
    package static let waitingMax = 32
}

/// A header line of a request or a reply.
package struct HTTPHeader: Codable, Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
