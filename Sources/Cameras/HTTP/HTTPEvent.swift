import NIOCore

/// An event of a request. The last event of each is `reply`, `end` or `failed`.
package enum HTTPEvent: Codable, Equatable, Sendable {
    /// The whole reply, if the request asks for it.
    case reply(HTTPReply)
    /// The head of a reply whose body arrives in pieces.
    case head(HTTPHead)
    /// A piece of the body, of any length.
    case body(ByteBuffer)
    /// The body is complete.
    case end
    /// There is no reply, or no more of it.
    case failed(HTTPFailure)

    /// Whether no event follows.
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

    /// The first header of this name, in any case.
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

/// Why there is no reply, or only a part of one.
package enum HTTPFailure: Error, Codable, Hashable, Sendable {
    /// No connection could be opened. `reason` is the system's text, `cause` its class.
    case notConnected(OpenFailure, reason: String)
    /// The connection broke, for the system's reason.
    case broken(reason: String)
    /// The server closed the connection before the end; `isAnswered`: the head of the reply was there.
    case closed(isAnswered: Bool)
    case timedOut(Duration)
    /// The body is longer than the request accepts.
    case tooLong(byteCountMax: Int)
    case headersTooLong
    /// So many bytes arrived in total that they cannot be a reply.
    case tooManyBytes(Int)
    case notHTTP
    /// So many requests are already running or waiting.
    case tooManyRequests(Int)
}
