import Cameras
import NIOCore

/// An HTTP request as the body reads it.
package struct ServedRequest: Equatable, Sendable {
    /// The HTTP method, for example `GET`.
    package var method: String
    /// The path with its query.
    package var path: String
    package var headers: [HTTPHeader]
    package var body: ByteBuffer

    package init(method: String, path: String, headers: [HTTPHeader] = [], body: ByteBuffer = ByteBuffer()) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    package enum Reading: Equatable, Sendable {
        case complete(ServedRequest)
        /// The request is not complete yet.
        case incomplete
        case unreadable
    }

    /// The maximum byte count of a head, and of a body.
    package static let byteCountMax = 1 << 20

    /// Reads a request (RFC 9112) whose body, if any, has a Content-Length.
    package static func read(_ bytes: ByteBuffer) -> Reading {
        let view = bytes.readableBytesView
        guard view.count <= byteCountMax else { return .unreadable }
        guard let end = view.indices.first(where: { view[$0...].starts(with: "\r\n\r\n".utf8) }) else {
            return .incomplete
        }
        let lines = String(decoding: view[..<end], as: UTF8.self).split(separator: "\r\n")
        let start = lines.first?.split(separator: " ") ?? []
        guard start.count == 3, start[2] == "HTTP/1.1" else { return .unreadable }
        var request = ServedRequest(method: String(start[0]), path: String(start[1]))
        for line in lines.dropFirst() {
            guard let mark = line.firstIndex(of: ":") else { return .unreadable }
            let value = line[line.index(after: mark)...].drop { $0 == " " }
            request.headers.append(HTTPHeader(String(line[..<mark]), String(value)))
        }
        let length = request.headers.first { $0.name.lowercased() == "content-length" }.map { Int($0.value) } ?? 0
        guard let length, (0...byteCountMax).contains(length) else { return .unreadable }
        let body = view[(end + 4)...]
        guard body.count >= length else { return .incomplete }
        request.body = ByteBuffer(bytes: body.prefix(length))
        return .complete(request)
    }
}

extension HTTPReply {
    /// The reply as bytes on the wire. The connection ends after the reply.
    var encoded: ByteBuffer {
        var head = "HTTP/1.1 \(self.head.status) \(self.head.status < 400 ? "OK" : "Error")\r\n"
        for header in self.head.headers { head += "\(header.name): \(header.value)\r\n" }
        head += "Content-Length: \(body.readableBytes)\r\nConnection: close\r\n\r\n"
        var bytes = ByteBuffer(string: head)
        bytes.writeImmutableBuffer(body)
        return bytes
    }
}
