import CLinux
import Cameras
import Controller
import Foundation
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Host

/// Descriptions got over loopback, from servers that do what a test says.
struct DescriptionFetchTests {
    /// Fetches on a loop of their own, and what became of them.
    private final class Bench: Sendable {
        struct End: Equatable {
            var id: UInt32
            var outcome: FetchOutcome
        }

        private final class Ends: Sendable {
            let value = Mutex<[End]>([])
        }

        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        private let fetches: NIOLoopBound<DescriptionFetches>
        private let all = Ends()

        init() async throws {
            let loop = group.next()
            fetches = try await loop.submit { [all] in
                let fetches = DescriptionFetches(eventLoop: loop) { id, outcome in
                    all.value.withLock { $0.append(End(id: id.rawValue, outcome: outcome)) }
                }
                return NIOLoopBound(fetches, eventLoop: loop)
            }.get()
        }

        func perform(_ body: @escaping @Sendable (DescriptionFetches) -> Void) async throws {
            try await group.next().submit { [fetches] in body(fetches.value) }.get()
        }

        func fetch(_ id: UInt32 = 1, port: UInt16, timeout: Duration = .seconds(20)) async throws {
            let url = DescriptionURL(host: IPAddress(bytes: [127, 0, 0, 1]), port: port, path: "/dd.xml?a=b")
            try await perform { $0.fetch(.init(rawValue: id), url, byteCountMax: byteCountMax, timeout: timeout) }
        }

        var ends: [End] { all.value.withLock { $0 } }

        /// The only outcome so far.
        func outcome() -> FetchOutcome? {
            _ = eventually { !ends.isEmpty }
            return ends.count == 1 ? ends.first?.outcome : nil
        }

        func stop() async throws {
            let before = ends.count
            try await perform { $0.closeAll() }
            #expect(ends.count == before)
            try await group.shutdownGracefully()
        }
    }

    /// A connection that a server took.
    private final class Connection: Sendable {
        let descriptor: CInt

        /// nil: nobody came in time.
        init?(from server: Server, within milliseconds: CInt = 10_000) {
            var waiting = pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, milliseconds) == 1 else { return nil }
            descriptor = accept(server.descriptor, nil, nil)
            guard descriptor >= 0 else { return nil }
        }

        deinit { close(descriptor) }

        func request() -> String {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(descriptor, &byte, 1, 0) == 1 {
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Whether it could be sent.
        @discardableResult
        func send(_ text: String) -> Bool {
            Glibc.send(descriptor, text, text.utf8.count, CInt(MSG_NOSIGNAL)) == text.utf8.count
        }
    }

    private final class Server: Sendable {
        let descriptor: CInt
        let port: UInt16

        init() throws {
            descriptor = try check { socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let number = descriptor
            let status = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(number, $0, length) == 0 ? getsockname(number, $0, &length) : -1
                }
            }
            guard status == 0, listen(number, 64) == 0 else { throw SystemError.last }
            port = UInt16(bigEndian: address.sin_port)
        }

        deinit { close(descriptor) }
    }

    private static let byteCountMax = 1000
    private static let long = String(repeating: "x", count: byteCountMax)

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n<a/>\n", "<a/>\n"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n<a\r\n3;x=y\r\n/>\n\r\n0\r\n\r\n", "<a/>\n"),
            ("HTTP/1.0 200 OK\r\n\r\n<a/>\n", "<a/>\n"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", "x"),
            ("HTTP/1.1 200 OK\r\nContent-Length: \(byteCountMax)\r\n\r\n\(long)", long),
        ]
    )
    func `a file is got`(answer: String, body: String) async throws {
        let bench = try await Bench()
        let server = try Server()
        try await bench.fetch(port: server.port)
        var connection = Connection(from: server)
        let request = try #require(connection?.request())
        #expect(request == "GET /dd.xml?a=b HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n")
        connection?.send(answer)
        connection = nil
        #expect(bench.outcome() == .body(ByteBuffer(string: body)))
        try await bench.stop()
    }

    @Test(
        arguments: [
            ("", "the connection closed without an answer"),
            ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "the answer has status 404"),
            ("HTTP/1.1 204 No Content\r\n\r\n", "the answer has status 204"),
            (
                "HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\n\r\n",
                "it is elsewhere, which is not followed (status 302)"
            ),
            ("SSH-2.0-OpenSSH_9.2\r\n", "the answer is not HTTP"),
            ("\u{0}\u{1}\u{2}\u{3}", "the answer is not HTTP"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n", "it is longer than 1000 bytes"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "the answer is not HTTP"),
            ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "the answer is not HTTP"),
            ("HTTP/1.1 200 OK\r\n\r\n\(long)y", "it is longer than 1000 bytes"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n<a", "the connection closed in the middle of it"),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n<a\r\n",
                "the connection closed in the middle of it"
            ),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n<a\r\n", "the answer is not HTTP"),
            (
                "HTTP/1.1 200 OK\r\nA: \(String(repeating: "x", count: 8000))\r\n\r\n",
                "the answer's headers are too long"
            ),
            (
                "HTTP/1.1 200 OK\r\n\(String(repeating: "A: b\r\n", count: 100))\r\n",
                "the answer's headers are too long"
            ),
        ]
    )
    func `a server that does wrong is refused in words`(answer: String, reason: String) async throws {
        let bench = try await Bench()
        let server = try Server()
        try await bench.fetch(port: server.port)
        var connection = Connection(from: server)
        _ = connection?.request()
        connection?.send(answer)
        connection = nil
        #expect(bench.outcome() == .failed(reason))
        try await bench.stop()
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n", "it is longer than 1000 bytes"),
            ("HTTP/1.1 200 OK\r\n", "X: \(String(repeating: "x", count: 90))\r\n", "the answer's headers are too long"),
            ("", "HTTP/1.1 100 Continue\r\n\r\n", "more than 73536 bytes came"),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", String(repeating: "x", count: 90),
                "more than 73536 bytes came"
            ),
            ("HTTP/1.1 200 ", String(repeating: "x", count: 90), "more than 73536 bytes came"),
        ]
    )
    func `an answer without an end is cut off`(start: String, part: String, reason: String) async throws {
        let bench = try await Bench()
        let server = try Server()
        try await bench.fetch(port: server.port)
        let connection = try #require(Connection(from: server))
        _ = connection.request()
        connection.send(start)
        // Ends when the other side closes.
        var count = 0
        while connection.send(part), count < 1 << 20 { count += 1 }
        #expect(bench.outcome() == .failed(reason))
        try await bench.stop()
    }

    @Test func `a server that answers a byte at a time does not outlast the time`() async throws {
        let bench = try await Bench()
        let server = try Server()
        try await bench.fetch(port: server.port, timeout: .milliseconds(300))
        let connection = try #require(Connection(from: server))
        _ = connection.request()
        connection.send("HTTP/1.1 200 OK\r\nX-Slow: ")
        #expect(
            eventually {
                connection.send("x")
                return !bench.ends.isEmpty
            }
        )
        #expect(bench.ends == [.init(id: 1, outcome: .failed("it did not come within 0.3 seconds"))])
        try await bench.stop()
    }

    @Test func `nobody there is said in the system's words`() async throws {
        let bench = try await Bench()
        var server: Server? = try Server()
        let port = try #require(server?.port)
        server = nil
        try await bench.fetch(port: port)
        #expect(bench.outcome() == .failed("Connection refused"))
        try await bench.stop()
    }

    @Test func `one that is given up says nothing more, open or waiting`() async throws {
        let bench = try await Bench()
        let server = try Server()
        let count = UInt32(DescriptionFetches.openMax + 2)
        for id in 1...count { try await bench.fetch(id, port: server.port) }
        var open = (0..<DescriptionFetches.openMax).compactMap { _ in Connection(from: server) }
        #expect(open.count == DescriptionFetches.openMax)
        #expect(Connection(from: server, within: 0) == nil)
        // The one that waits longest, and one that is open: then the next one's turn has come.
        try await bench.perform { $0.cancel(.init(rawValue: UInt32(DescriptionFetches.openMax + 1))) }
        try await bench.perform { $0.cancel(.init(rawValue: 1)) }
        open.append(try #require(Connection(from: server)))
        for connection in open {
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        }
        let rest = Set(1...count).subtracting([1, UInt32(DescriptionFetches.openMax + 1)])
        #expect(eventually { bench.ends.count == rest.count })
        #expect(Set(bench.ends.map(\.id)) == rest)
        #expect(bench.ends.allSatisfy { $0.outcome == .body(ByteBuffer(string: "x")) })
        try await bench.stop()
    }

    @Test func `so many may wait, and each is answered once`() async throws {
        let bench = try await Bench()
        let server = try Server()
        let places = DescriptionFetches.openMax + DescriptionFetches.waitingMax
        for id in 1...UInt32(places + 1) { try await bench.fetch(id, port: server.port, timeout: .seconds(3)) }
        #expect(bench.ends.first?.outcome == .failed("40 descriptions are being fetched already"))
        #expect(bench.ends.first?.id == UInt32(places + 1))
        #expect(eventually { bench.ends.count == places + 1 })
        #expect(Set(bench.ends.map(\.id)).count == places + 1)
        #expect(bench.ends.dropFirst().allSatisfy { $0.outcome == .failed("it did not come within 3.0 seconds") })
        try await bench.stop()
    }
}
