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
        var bytes = bytes
        return take(from: &bytes)
    }

    /// Reads the first request of a connection, and removes its bytes if it is complete.
    package static func take(from bytes: inout ByteBuffer) -> Reading {
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
        bytes.moveReaderIndex(forwardBy: end + 4 - view.startIndex + length)
        return .complete(request)
    }

    /// The value of the first header with this name; nil: no such header.
    package subscript(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

extension HTTPHead {
    /// The head as bytes on the wire.
    ///
    /// - Parameters:
    ///   - framing: The header that says where the body ends; nil: the head has it.
    ///   - closes: Whether the connection ends after the reply.
    func encoded(framing: HTTPHeader?, closes: Bool) -> ByteBuffer {
        var lines = "HTTP/1.1 \(status) \(status < 400 ? "OK" : "Error")\r\n"
        let own = headers.filter { $0.name != "Connection" }
        let connection = HTTPHeader("Connection", closes ? "close" : "keep-alive")
        for header in own + [framing, connection].compactMap(\.self) { lines += "\(header.name): \(header.value)\r\n" }
        return ByteBuffer(string: lines + "\r\n")
    }
}
