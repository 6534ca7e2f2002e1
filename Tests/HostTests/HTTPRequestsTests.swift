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

/// Tests requests over loopback, with scripted servers.
struct HTTPRequestsTests {
    /// Requests on a separate loop, and the events that they report.
    private final class Bench: Sendable {
        struct Report: Equatable {
            var id: UInt32
            var event: HTTPEvent
        }

        private final class Reports: Sendable {
            let value = Mutex<[Report]>([])
            /// The acknowledgements of pieces that were not acknowledged yet, oldest first.
            let untaken = Mutex<[@Sendable () -> Void]>([])
        }

        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        private let requests: NIOLoopBound<HTTPRequests>
        private let all = Reports()

        /// - Parameter takes: whether pieces are acknowledged on arrival.
        init(takes: Bool = true) async throws {
            let loop = group.next()
            requests = try await loop.submit { [all] in
                let requests = HTTPRequests(eventLoop: loop) { _, id, event, whenTaken in
                    all.value.withLock { $0.append(Report(id: id.rawValue, event: event)) }
                    guard let whenTaken else { return }
                    if takes { return whenTaken() }
                    let bound = NIOLoopBound(whenTaken, eventLoop: loop)
                    all.untaken.withLock { $0.append { bound.value() } }
                }
                return NIOLoopBound(requests, eventLoop: loop)
            }.get()
        }

        func perform(_ body: @escaping @Sendable (HTTPRequests) -> Void) async throws {
            try await group.next().submit { [requests] in body(requests.value) }.get()
        }

        func request(
            _ id: UInt32 = 1,
            of generation: LinkGeneration = .discovery,
            method: HTTPRequest.Method = .get,
            port: UInt16,
            host: String = "127.0.0.1",
            headers: [HTTPHeader] = [],
            body: String = "",
            delivery: HTTPRequest.Delivery = .whole,
            isPicture: Bool = false,
            replyBytesMax: Int = byteCountMax,
            timeout: Duration = .seconds(20)
        ) async throws {
            let request = HTTPRequest(
                method,
                CameraAddress(host: host, port: port),
                path: "/dd.xml?a=b",
                headers: headers,
                body: ByteBuffer(string: body),
                delivery: delivery,
                isPicture: isPicture,
                replyBytesMax: replyBytesMax,
                timeout: timeout
            )
            try await perform { $0.perform(.perform(request), .init(rawValue: id), of: generation) }
        }

        func cancel(_ id: UInt32, of generation: LinkGeneration = .discovery) async throws {
            try await perform { $0.perform(.cancel, .init(rawValue: id), of: generation) }
        }

        /// Acknowledges the oldest piece.
        func takePiece() async throws {
            let take = all.untaken.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let take else { return }
            try await group.next().submit { take() }.get()
        }

        var reports: [Report] { all.value.withLock { $0 } }
        var pieceByteCount: Int {
            reports.reduce(0) { if case .body(let bytes) = $1.event { $0 + bytes.readableBytes } else { $0 } }
        }

        var ends: [Report] { reports.filter(\.event.isLast) }

        /// The event that ended the request. No other event of this kind may have come.
        func end() -> HTTPEvent? {
            _ = eventually { !ends.isEmpty }
            return ends.count == 1 ? ends.first?.event : nil
        }

        func failure() -> HTTPFailure? { if case .failed(let failure)? = end() { failure } else { nil } }

        func body() -> String? { if case .reply(let reply)? = end() { String(buffer: reply.body) } else { nil } }

        func stop() async throws {
            let before = reports.count
            try await perform { $0.closeAll() }
            #expect(reports.count == before)
            try await group.shutdownGracefully()
        }
    }

    /// A connection that a server accepted.
    private final class Connection: Sendable {
        let descriptor: CInt

        /// Returns nil if no client connects in time.
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

        func receive(_ count: Int) -> String {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while bytes.count < count, recv(descriptor, &byte, 1, 0) == 1 { bytes.append(byte) }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Makes the connection non-blocking: bytes that cannot be sent at once are discarded.
        func setNonBlocking() {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }

        /// Sends a text. Returns whether all of it was sent.
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
    func `a reply is received`(answer: String, body: String) async throws {
        let bench = try await Bench()
        let server = try Server()
        try await bench.request(port: server.port)
        var connection = Connection(from: server)
        let request = try #require(connection?.request())
        #expect(request == "GET /dd.xml?a=b HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n")
        connection?.send(answer)
        connection = nil
        #expect(bench.body() == body)
        try await bench.stop()
    }

    @Test(
        arguments: [
            ("", HTTPFailure.closed(isAnswered: false)),
            ("SSH-2.0-OpenSSH_9.2\r\n", .notHTTP),
            ("\u{0}\u{1}\u{2}\u{3}", .notHTTP),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n", .tooLong(byteCountMax: 1000)),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", .notHTTP),
            ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .notHTTP),
            ("HTTP/1.1 200 OK\r\n\r\n\(long)y", .tooLong(byteCountMax: 1000)),
            ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n<a", .closed(isAnswered: true)),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n<a\r\n",
                .closed(isAnswered: true)
            ),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n<a\r\n", .notHTTP),
            (
                "HTTP/1.1 200 OK\r\nA: \(String(repeating: "x", count: 8000))\r\n\r\n",
                .headersTooLong
            ),
            (
                "HTTP/1.1 200 OK\r\n\(String(repeating: "A: b\r\n", count: 100))\r\n",
                .headersTooLong
            ),
        ]
    )
    func `an invalid server is refused`(answer: String, failure: HTTPFailure) async throws {
        let bench = try await Bench()
        let server = try Server()
        try await bench.request(port: server.port)
        var connection = Connection(from: server)
        _ = connection?.request()
        connection?.send(answer)
        connection = nil
        #expect(bench.failure() == failure)
        try await bench.stop()
    }

    @Test(
        arguments: [
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n",
                HTTPFailure.tooLong(byteCountMax: 1000)
            ),
            ("HTTP/1.1 200 OK\r\n", "X: \(String(repeating: "x", count: 90))\r\n", .headersTooLong),
            ("", "HTTP/1.1 100 Continue\r\n\r\n", .tooManyBytes(73536)),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", String(repeating: "x", count: 90),
                .tooManyBytes(73536)
            ),
            ("HTTP/1.1 200 ", String(repeating: "x", count: 90), .tooManyBytes(73536)),
        ]
    )
    func `an answer without an end is cut off`(start: String, part: String, failure: HTTPFailure) async throws {
        let bench = try await Bench()
        let server = try Server()
        try await bench.request(port: server.port)
        let connection = try #require(Connection(from: server))
        _ = connection.request()
        connection.send(start)
        // The loop ends when the other side closes the connection.
        var count = 0
        while connection.send(part), count < 1 << 20 { count += 1 }
        #expect(bench.failure() == failure)
        try await bench.stop()
    }

    @Test func `a server that answers a byte at a time does not outlast the time`() async throws {
        let bench = try await Bench()
        let server = try Server()
        try await bench.request(port: server.port, timeout: .milliseconds(300))
        let connection = try #require(Connection(from: server))
        _ = connection.request()
        connection.send("HTTP/1.1 200 OK\r\nX-Slow: ")
        #expect(
            eventually {
                connection.send("x")
                return !bench.ends.isEmpty
            }
        )
        #expect(bench.ends == [.init(id: 1, event: .failed(.timedOut(.milliseconds(300))))])
        try await bench.stop()
    }

    @Test func `a port without a listener is reported with the system's reason`() async throws {
        let bench = try await Bench()
        var server: Server? = try Server()
        let port = try #require(server?.port)
        server = nil
        try await bench.request(port: port)
        #expect(bench.failure() == .notConnected(.refused, reason: "127.0.0.1:\(port): Connection refused"))
        #expect(bench.failure()?.description == "127.0.0.1:\(port): Connection refused")
        try await bench.stop()
    }

    @Test func `a request that is cancelled at once is not performed`() async throws {
        let bench = try await Bench()
        let nowhere = HTTPRequest(
            .get,
            CameraAddress(host: "127.0.0.1", port: 9),
            path: "/",
            replyBytesMax: 10,
            timeout: .seconds(20)
        )
        try await bench.perform {
            $0.perform(.perform(nowhere), .init(rawValue: 2), of: .discovery)
            $0.perform(.cancel, .init(rawValue: 2), of: .discovery)
            $0.perform(.perform(nowhere), .init(rawValue: 3), of: .discovery)
        }
        #expect(bench.failure() == .notConnected(.refused, reason: "127.0.0.1:9: Connection refused"))
        #expect(bench.reports.map(\.id) == [3])
        try await bench.stop()
    }

    @Test func `a request that is cancelled reports nothing more, open or waiting`() async throws {
        let bench = try await Bench()
        let server = try Server()
        let count = UInt32(HTTPRequest.openMax + 2)
        for id in 1...count { try await bench.request(id, port: server.port) }
        var open = (0..<HTTPRequest.openMax).compactMap { _ in Connection(from: server) }
        #expect(open.count == HTTPRequest.openMax)
        #expect(Connection(from: server, within: 0) == nil)
        // The test cancels the oldest waiting request and an open one, so that the next request starts.
        try await bench.cancel(UInt32(HTTPRequest.openMax + 1))
        try await bench.cancel(1)
        open.append(try #require(Connection(from: server)))
        for connection in open {
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        }
        let rest = Set(1...count).subtracting([1, UInt32(HTTPRequest.openMax + 1)])
        #expect(eventually { bench.ends.count == rest.count })
        #expect(Set(bench.ends.map(\.id)) == rest)
        let isX = { (event: HTTPEvent) in
            if case .reply(let reply) = event { String(buffer: reply.body) == "x" } else { false }
        }
        #expect(bench.ends.allSatisfy { isX($0.event) })
        try await bench.stop()
    }

    @Test func `the number of waiting requests is limited, and each is answered once`() async throws {
        let bench = try await Bench()
        let server = try Server()
        let places = HTTPRequest.openMax + HTTPRequest.waitingMax
        let address = CameraAddress(host: "127.0.0.1", port: server.port)
        let request = HTTPRequest(.get, address, path: "/", replyBytesMax: 10, timeout: .seconds(3))
        // All requests are made at once, so that none reaches its time limit before the last one starts.
        try await bench.perform { requests in
            for id in 1...UInt32(places + 1) {
                requests.perform(.perform(request), .init(rawValue: id), of: .discovery)
            }
        }
        #expect(bench.ends.first?.event == .failed(.tooManyRequests(40)))
        #expect(bench.ends.first?.id == UInt32(places + 1))
        #expect(eventually { bench.ends.count == places + 1 })
        #expect(Set(bench.ends.map(\.id)).count == places + 1)
        #expect(bench.ends.dropFirst().allSatisfy { $0.event == .failed(.timedOut(.seconds(3))) })
        try await bench.stop()
    }

    // MARK: Invalid replies

    @Test(
        arguments: [
            ("404 Not Found\r\nContent-Length: 4\r\n\r\nnone", 404, "none"),
            ("204 No Content\r\n\r\n", 204, ""),
            ("302 Found\r\nLocation: http://10.0.0.1/\r\n\r\n", 302, ""),
            ("500 Oh\r\nX-Reason: a\r\nx-reason: b\r\n\r\nfor\r\nno reason", 500, "for\r\nno reason"),
        ]
    )
    func `any status is a reply, and a redirect is not followed`(
        answer: String,
        status: UInt16,
        body: String
    )
        async throws
    {
        let bench = try await Bench()
        let server = try Server()
        try await bench.request(port: server.port)
        var connection = Connection(from: server)
        _ = connection?.request()
        connection?.send("HTTP/1.1 \(answer)")
        connection = nil
        guard case .reply(let reply)? = bench.end() else {
            Issue.record("no reply")
            return
        }
        #expect(reply.head.status == status && String(buffer: reply.body) == body)
        if status == 500 { #expect(reply.head["X-REASON"] == "a") }
        #expect(Connection(from: server, within: 100) == nil)
        try await bench.stop()
    }

    @Test func `a body and headers are sent as they are`() async throws {
        let bench = try await Bench()
        let server = try Server()
        let json = #"{"method":"getEvent","params":[true]}"#
        let headers = [HTTPHeader("Content-Type", "application/json")]
        try await bench.request(method: .post, port: server.port, headers: headers, body: json)
        let connection = try #require(Connection(from: server))
        let head =
            "POST /dd.xml?a=b HTTP/1.1\r\nContent-Type: application/json\r\nHost: 127.0.0.1:\(server.port)\r\n"
            + "Connection: close\r\nContent-Length: \(json.utf8.count)\r\n\r\n"
        #expect(connection.request() == head)
        #expect(connection.receive(json.utf8.count) == json)
        try await bench.stop()
    }

    @Test func `a header with a line break is not sent`() async throws {
        let bench = try await Bench()
        let server = try Server()
        try await bench.request(port: server.port, headers: [HTTPHeader("X", "a\r\nHost: elsewhere")])
        guard case .broken? = bench.failure() else {
            Issue.record("\(bench.reports)")
            return
        }
        try await bench.stop()
    }

    @Test func `a name is resolved, and the address is reported`() async throws {
        let bench = try await Bench()
        let server = try Server()
        try await bench.request(port: server.port, host: "localhost")
        let connection = try #require(Connection(from: server))
        #expect(connection.request().contains("\r\nHost: localhost:\(server.port)\r\n"))
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        #expect(bench.body() == "x")
        try await bench.stop()
    }

    @Test func `a reply that is cut at any byte is invalid, and ends once`() async throws {
        let bench = try await Bench()
        let server = try Server()
        let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n<a\r\n3\r\n/>\n\r\n0\r\n\r\n"
        let count = answer.utf8.count
        for length in 0...count {
            try await bench.request(UInt32(length), port: server.port)
            var connection = Connection(from: server)
            _ = connection?.request()
            connection?.send(String(decoding: Array(answer.utf8).prefix(length), as: UTF8.self))
            connection = nil
            #expect(eventually { bench.ends.count == length + 1 })
        }
        for end in bench.ends {
            switch end.event {
            case .reply: #expect(end.id == count)
            case .failed(.closed): #expect(end.id < count)
            // The first line of the reply is incomplete, which is invalid.
            case .failed(.notHTTP): #expect(end.id < 17)
            default: Issue.record("\(end)")
            }
        }
        try await bench.stop()
    }

    @Test func `requests of one session do not wait for those of another`() async throws {
        let bench = try await Bench()
        let server = try Server()
        let count = UInt32(HTTPRequest.openMax + HTTPRequest.waitingMax)
        for id in 1...count { try await bench.request(id, port: server.port) }
        let open = (0..<HTTPRequest.openMax).compactMap { _ in Connection(from: server) }
        try await bench.request(1, of: LinkGeneration(rawValue: 7), port: server.port)
        let connection = try #require(Connection(from: server))
        _ = connection.request()
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        #expect(bench.body() == "x")
        #expect(open.count == HTTPRequest.openMax)
        try await bench.stop()
    }

    // MARK: Bodies in pieces

    @Test func `a body in pieces comes between its head and its end`() async throws {
        let bench = try await Bench()
        let server = try Server()
        try await bench.request(port: server.port, delivery: .pieces)
        let connection = try #require(Connection(from: server))
        _ = connection.request()
        connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(eventually { bench.reports.count == 1 })
        for count in 1...3 {
            connection.send("3\r\nabc\r\n")
            #expect(eventually { bench.pieceByteCount == 3 * count })
        }
        #expect(bench.ends.isEmpty)
        connection.send("0\r\n\r\n")
        #expect(bench.end() == .end)
        guard case .head(let head)? = bench.reports.first?.event else {
            Issue.record("no head")
            return
        }
        #expect(head.status == 200 && head["transfer-encoding"] == "chunked")
        try await bench.stop()
    }

    @Test func `nothing is read before earlier pieces are handled`() async throws {
        let bench = try await Bench(takes: false)
        let server = try Server()
        let size = 32 << 20
        try await bench.request(port: server.port, delivery: .pieces, replyBytesMax: size)
        let connection = try #require(Connection(from: server))
        _ = connection.request()
        connection.setNonBlocking()
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
        #expect(eventually { bench.reports.count == 1 })
        // The total is as much as the kernel buffers on both sides.
        let block = String(repeating: "x", count: 1 << 16)
        var sent = 0
        while connection.send(block) { sent += 1 << 16 }
        #expect(sent < size)
        #expect(eventually { bench.pieceByteCount > 0 })
        for _ in 0..<5 {
            let before = bench.pieceByteCount
            // The test expects no event, so it can only wait for a while.
            usleep(20_000)
            #expect(bench.pieceByteCount == before)
            #expect(before <= (bench.reports.count) << 16)
            try await bench.takePiece()
            #expect(eventually { bench.pieceByteCount > before })
        }
        try await bench.cancel(1)
        try await bench.stop()
    }

    @Test func `while pictures are paused no piece is read, and all other requests continue`() async throws {
        let bench = try await Bench()
        let server = try Server()
        try await bench.perform { $0.hold(true) }
        try await bench.request(1, port: server.port, delivery: .pieces, isPicture: true)
        let picture = try #require(Connection(from: server))
        _ = picture.request()
        picture.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        try await bench.request(2, port: server.port)
        let other = try #require(Connection(from: server))
        _ = other.request()
        other.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        #expect(bench.body() == "x")
        #expect(bench.reports.count == 1)
        try await bench.perform { $0.hold(false) }
        #expect(eventually { bench.reports.last == .init(id: 1, event: .end) })
        #expect(bench.pieceByteCount == 3)
        try await bench.stop()
    }

    @Test(
        arguments: [
            ("Content-Length: 10485760\r\n\r\n", HTTPFailure.tooLong(byteCountMax: 1000), 0),
            ("\r\n\(String(repeating: "x", count: 1001))", .tooLong(byteCountMax: 1000), 1),
            ("Content-Length: 10\r\n\r\nabc", .closed(isAnswered: true), 2),
            ("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", .closed(isAnswered: true), 2),
            ("Transfer-Encoding: chunked\r\n\r\n3\r\nabcdef", .notHTTP, 2),
        ]
    )
    func `an invalid body in pieces ends with its failure`(
        rest: String,
        failure: HTTPFailure,
        countMax: Int
    )
        async throws
    {
        let bench = try await Bench()
        let server = try Server()
        try await bench.request(port: server.port, delivery: .pieces)
        var connection = Connection(from: server)
        _ = connection?.request()
        connection?.send("HTTP/1.1 200 OK\r\n\(rest)")
        connection = nil
        #expect(bench.failure() == failure)
        #expect(bench.reports.count <= countMax + 1)
        try await bench.stop()
    }
}
