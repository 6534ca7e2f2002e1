import Bodies
import Cameras
import NIOCore
import Testing

/// Tests how a body reads HTTP requests.
struct ServedRequestTests {
    private static let post =
        "POST /sony/camera?a=b HTTP/1.1\r\nHost: 192.0.2.9:8080\r\ncontent-length: 5\r\n\r\nhello"

    private func read(_ text: some StringProtocol) -> ServedRequest.Reading {
        ServedRequest.read(ByteBuffer(string: String(text)))
    }

    @Test func `a request is complete with the last byte of its body, and not before`() {
        for count in 0..<Self.post.utf8.count {
            #expect(read(String(decoding: Array(Self.post.utf8.prefix(count)), as: UTF8.self)) == .incomplete)
        }
        let headers = [HTTPHeader("Host", "192.0.2.9:8080"), HTTPHeader("content-length", "5")]
        let request = ServedRequest(
            method: "POST",
            path: "/sony/camera?a=b",
            headers: headers,
            body: ByteBuffer(string: "hello")
        )
        #expect(read(Self.post) == .complete(request))
    }

    @Test func `requests on one connection are taken one after the other`() {
        var bytes = ByteBuffer(string: Self.post + "GET /dd.xml HTTP/1.1\r\nConnection: close\r\n\r\nGET")
        guard case .complete(let first) = ServedRequest.take(from: &bytes),
            case .complete(let second) = ServedRequest.take(from: &bytes)
        else {
            Issue.record("not complete")
            return
        }
        #expect(first["host"] == "192.0.2.9:8080" && String(buffer: first.body) == "hello")
        #expect(second.path == "/dd.xml" && second["connection"] == "close")
        let third = ServedRequest.take(from: &bytes)
        #expect(third == .incomplete && String(buffer: bytes) == "GET")
    }

    @Test(arguments: [
        "GET / HTTP/2\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nno header\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: many\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n",
    ])
    func `an invalid or too long request is refused`(text: String) {
        #expect(read(text) == .unreadable)
    }
}
