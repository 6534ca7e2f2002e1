import NIOCore

/// Names a request until its last event. Unique among the requests of one driver in one session.
package struct HTTPRequestID: RawRepresentable, Codable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// What to do with a request; see ``CameraAction`` and the core's effects.
package enum HTTPAction: Equatable, Sendable {
    /// Send it on its own connection; answered by ``HTTPEvent``.
    case perform(HTTPRequest)
    /// Cancel it. Not answered; an event may still arrive.
    case cancel
}

/// A request of HTTP/1.1 (RFC 9112). The host adds Host, Connection and, for a body, Content-Length.
///
/// It ends once, within its timeout: by a reply or by a failure. Redirects are replies, and are not followed.
package struct HTTPRequest: Equatable, Sendable {
    package var method: Method
    package var address: CameraAddress
    /// With its query; begins with a slash.
    package var path: String
    package var headers: [HTTPHeader]
    /// Empty: none.
    package var body: ByteBuffer
    package var delivery: Delivery
    /// Whether the reply's body is a picture, which no recording keeps.
    package var isPicture: Bool
    /// The longest body that is accepted in the reply.
    package var replyBytesMax: Int
    /// The time limit from the beginning to the end.
    package var timeout: Duration

    package enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// How the reply is delivered.
    package enum Delivery: Hashable, CaseIterable, Sendable {
        /// At once: ``HTTPEvent/reply(_:)``.
        case whole
        /// As it arrives: ``HTTPEvent/head(_:)``, pieces, the end.
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

    /// How many requests of one session may run at once; more wait, and their timeouts run.
    package static let openMax = 8
    /// How many may wait; others fail at once.
    package static let waitingMax = 32
}

/// A line of a request's or a reply's head.
package struct HTTPHeader: Codable, Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
