import Cameras
import NIOCore
import Testing

@testable import Worlds

/// Replies of HTTP in a world, which a small reader parses.
@Suite struct HTTPReplyReaderTests {
    private static func request(_ delivery: HTTPRequest.Delivery = .whole) -> HTTPRequest {
        HTTPRequest(
            .post,
            CameraAddress(host: "192.0.2.9", port: 8080),
            path: "/a?b=c",
            headers: [HTTPHeader("X", "1")],
            body: ByteBuffer(string: "body"),
            delivery: delivery,
            replyBytesMax: 100,
            timeout: .seconds(1)
        )
    }

    private func events(
        _ pieces: [String],
        delivery: HTTPRequest.Delivery = .whole,
        reason: String? = nil
    ) -> [HTTPEvent] {
        var reader = HTTPReplyReader(Self.request(delivery))
        return pieces.flatMap { reader.receive(ByteBuffer(string: $0)) } + reader.end(reason)
    }

    @Test func `a request is sent with its length`() {
        let text =
            "POST /a?b=c HTTP/1.1\r\nX: 1\r\nHost: 192.0.2.9:8080\r\nConnection: close\r\n"
            + "Content-Length: 4\r\n\r\nbody"
        #expect(String(buffer: Self.request().bytes) == text)
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n<a/>\n", "<a/>\n"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n<a\r\n3;x=y\r\n/>\n\r\n0\r\n\r\n", "<a/>\n"),
            ("HTTP/1.0 200 OK\r\n\r\n<a/>\n", "<a/>\n"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""),
            ("HTTP/1.1 204 -\r\n\r\n", ""),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", "x"),
        ]
    )
    func `a reply is read in full, wherever it is cut`(text: String, body: String) {
        let bytes = Array(text.utf8)
        for place in 0...bytes.count {
            let pieces = [bytes[..<place], bytes[place...]].map { String(decoding: $0, as: UTF8.self) }
            let events = events(pieces)
            guard case .reply(let reply)? = events.first, events.count == 1 else {
                Issue.record("\(events)")
                return
            }
            #expect(String(buffer: reply.body) == body)
        }
    }

    @Test func `a body arrives in pieces`() {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n<a\r\n3\r\n/>\n\r\n0\r\n\r\n"
        let head = HTTPHead(status: 200, headers: [HTTPHeader("Transfer-Encoding", "chunked")])
        let pieces = [HTTPEvent.body(ByteBuffer(string: "<a")), .body(ByteBuffer(string: "/>\n"))]
        #expect(events([text], delivery: .pieces) == [.head(head)] + pieces + [.end])
    }

    @Test(
        arguments: [
            ("", nil, HTTPFailure.closed(isAnswered: false)),
            ("", "Connection reset by peer", .broken(reason: "Connection reset by peer")),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n<a", nil, .closed(isAnswered: true)),
            ("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n", nil, .tooLong(byteCountMax: 100)),
            ("HTTP/1.1 200 OK\r\n\r\n\(String(repeating: "x", count: 101))", nil, .tooLong(byteCountMax: 100)),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", nil, .notHTTP),
            ("SSH-2.0-OpenSSH_9.2\r\n", nil, .notHTTP),
            ("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 17_000))", nil, .headersTooLong),
        ] as [(String, String?, HTTPFailure)]
    )
    func `an invalid reply ends with its failure, once`(text: String, reason: String?, failure: HTTPFailure) {
        #expect(events([text], reason: reason) == [.failed(failure)])
    }
}
