import NIOCore

/// An event of a request. The last event of each request is `reply`, `end` or `failed`.
package enum HTTPEvent: Codable, Equatable, Sendable {
    /// The whole reply, for a request with the delivery `whole`.
    case reply(HTTPReply)
    /// The head of a reply whose body arrives in pieces.
    case head(HTTPHead)
    /// A piece of the body, of any length.
    case body(ByteBuffer)
    /// The body is complete.
    case end
    /// The request failed before the whole reply arrived.
    case failed(HTTPFailure)

    /// Whether this is the last event of its request.
    package var isLast: Bool {
        switch self {
        case .reply, .end, .failed: true
        case .head, .body: false
        }
    }
}

/// The status and the headers of a reply.
package struct HTTPHead: Codable, Equatable, Sendable {
    /// `200`, `404`.
    package var status: UInt16
    package var headers: [HTTPHeader]

    package init(status: UInt16, headers: [HTTPHeader] = []) {
        self.status = status
        self.headers = headers
    }

    /// The first header of this name. Upper and lower case do not matter.
    package subscript(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A complete reply.
package struct HTTPReply: Codable, Equatable, Sendable {
    package var head: HTTPHead
    package var body: ByteBuffer

    package init(_ head: HTTPHead, body: ByteBuffer = ByteBuffer()) {
        self.head = head
        self.body = body
    }

    package init(status: UInt16, body: ByteBuffer = ByteBuffer()) {
        self.init(HTTPHead(status: status), body: body)
    }
}

/// The reason why a reply is missing or incomplete.
package enum HTTPFailure: Error, Codable, Hashable, Sendable {
    /// The connection could not be opened. `reason` is the system's text.
    case notConnected(OpenFailure, reason: String)
    /// The connection broke. `reason` is the system's text.
    case broken(reason: String)
    /// The server closed the connection before the end of the reply. `isAnswered`: the head of the reply had arrived.
    case closed(isAnswered: Bool)
    case timedOut(Duration)
    /// The body of the reply is longer than the request accepts.
    case tooLong(byteCountMax: Int)
    case headersTooLong
    /// This number of bytes arrived, more than any valid reply has.
    case tooManyBytes(Int)
    case notHTTP
    /// Too many requests: this number of requests is already running or waiting.
    case tooManyRequests(Int)
}
