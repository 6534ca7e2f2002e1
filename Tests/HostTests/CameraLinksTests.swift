import CLinux
import Cameras
import Controller
import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import Host

/// Connections over loopback with a scripted listener. If an event does not arrive, the test fails at its time limit.
@Suite(.timeLimit(.minutes(1)))
struct CameraLinksTests {
    /// A listening TCP socket on loopback, with blocking calls that have time limits.
    private final class Listener {
        let descriptor: CInt
        let address: CameraAddress
        private var filler: CInt?

        /// - Parameter backlog: the length of the queue; nil: the port is bound but does not listen.
        init(backlog: CInt? = 8) throws {
            let descriptor = try Self.socket()
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
                }
            }
            guard status == 0, backlog.map({ listen(descriptor, $0) }) ?? 0 == 0 else { throw SystemError.last }
            self.descriptor = descriptor
            self.address = CameraAddress(host: "127.0.0.1", port: UInt16(bigEndian: address.sin_port))
        }

        deinit {
            if let filler { close(filler) }
            close(descriptor)
        }

        /// A listener with a full queue, so that the kernel answers no further connection.
        static func full() throws -> Listener {
            // With a backlog of 0, Linux still accepts one connection.
            let listener = try Listener(backlog: 0)
            let filler = try socket()
            listener.filler = filler
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            address.sin_port = listener.address.port.bigEndian
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard status == 0 else { throw SystemError.last }
            // This end may be connected before the other end is in the queue.
            try waitUntilReadable(listener.descriptor)
            return listener
        }

        func accept() throws -> CInt { try acceptInTime(descriptor) }

        private static func socket() throws(SystemError) -> CInt {
            try check { Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0) }
        }
    }

    private static func send(_ text: String, on socket: CInt) {
        #expect(Glibc.send(socket, text, text.utf8.count, CInt(MSG_NOSIGNAL)) == text.utf8.count)
    }

    private func receive(_ count: Int, on socket: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = recv(socket, &bytes, count, CInt(MSG_WAITALL))
        return String(decoding: bytes[..<max(0, received)], as: UTF8.self)
    }

    private func event(_ generation: UInt32, _ event: LinkEvent) -> LinksFixture.Event {
        .init(generation, event)
    }

    /// The number of connection attempts to this port that were not answered (/proc/net/tcp, state 2).
    private func openingCount(_ port: UInt16) throws -> Int {
        let remote = "0100007F:" + String(0x10000 | UInt32(port), radix: 16, uppercase: true).dropFirst()
        // The kernel returns the file in pieces. When other sockets open or close, a row may be in two pieces.
        let locals = try wholeFile("/proc/net/tcp").split(separator: "\n").compactMap { line -> Substring? in
            let columns = line.split(separator: " ").dropFirst().prefix(3)
            return columns.dropFirst().elementsEqual([remote[...], "02"]) ? columns.first : nil
        }
        return Set(locals).count
    }

    /// Reads a file of /proc. Such a file has no size.
    private func wholeFile(_ path: String) throws -> String {
        let file = try check { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(file) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = try check({ read(file, &piece, piece.count) }), count > 0 { content += piece[..<count] }
        return String(decoding: content, as: UTF8.self)
    }

    @Test func `both channels open, carry bytes both ways, and close in order`() async throws {
        let fixture = try await LinksFixture()
        let listener = try Listener()
        try await fixture.open(7, .command, listener.address)
        let command = try listener.accept()
        #expect(await fixture.next() == event(7, .opened(.command)))
        try await fixture.open(7, .event, listener.address)
        let events = try listener.accept()
        #expect(await fixture.next() == event(7, .opened(.event)))

        try await fixture.perform { $0.send(.init(rawValue: 7), .event, ByteBuffer(string: "probe")) }
        #expect(receive(5, on: events) == "probe")
        Self.send("hello", on: command)
        #expect(await fixture.received(5) == "hello")

        Self.send("last", on: events)
        close(events)
        #expect(await fixture.next() == event(7, .received(.event, ByteBuffer(string: "last"))))
        #expect(await fixture.next() == event(7, .closed(.event, reason: nil)))
        // A send on a closed connection has no effect.
        try await fixture.perform { $0.send(.init(rawValue: 7), .event, ByteBuffer(string: "late")) }
        close(command)
        #expect(await fixture.next() == event(7, .closed(.command, reason: nil)))
        try await fixture.stop()
    }

    @Test func `a paused camera is not read from, but its events still arrive`() async throws {
        let fixture = try await LinksFixture()
        let listener = try Listener()
        try await fixture.open(7, .command, listener.address)
        let command = try listener.accept()
        #expect(await fixture.next() == event(7, .opened(.command)))
        try await fixture.open(7, .event, listener.address)
        let events = try listener.accept()
        #expect(await fixture.next() == event(7, .opened(.event)))
        try await fixture.perform { $0.hold(true) }
        // The bytes are more than any kernel buffer holds, so the camera must wait.
        let flags = fcntl(command, F_GETFL)
        _ = fcntl(command, F_SETFL, flags | CInt(O_NONBLOCK))
        let piece = [UInt8](repeating: 1, count: 1 << 16)
        var sent = 0
        while sent < 1 << 26 {
            let count = Glibc.send(command, piece, piece.count, CInt(MSG_NOSIGNAL))
            guard count > 0 else { break }
            sent += count
        }
        #expect(sent < 1 << 26)
        Self.send("event", on: events)
        #expect(await fixture.received(5) == "event")
        // Connections that open later are paused too.
        try await fixture.open(8, .command, listener.address)
        let next = try listener.accept()
        Self.send("later", on: next)
        #expect(await fixture.next() == event(8, .opened(.command)))
        try await fixture.perform { $0.close(.init(rawValue: 8), .command) }
        try await fixture.perform { $0.hold(false) }
        #expect(await fixture.received(sent).utf8.count == sent)
        for socket in [command, events, next] { close(socket) }
        try await fixture.stop()
    }

    @Test func `a refused connection is reported as refused`() async throws {
        let fixture = try await LinksFixture()
        let taken = try Listener(backlog: nil)
        let address = taken.address
        try await fixture.open(1, .command, address)
        let refused = event(1, .openFailed(.command, reason: "\(address): Connection refused", cause: .refused))
        #expect(await fixture.next() == refused)
        // The next attempt may use the same generation.
        try await fixture.open(1, .command, address)
        #expect(await fixture.next() == refused)
        withExtendedLifetime(taken) {}
        try await fixture.stop()
    }

    @Test func `a name that does not resolve is reported`() async throws {
        let fixture = try await LinksFixture()
        let address = CameraAddress(host: "no-such-camera.invalid", port: 15740)
        try await fixture.open(1, .command, address)
        let failed = event(1, .openFailed(.command, reason: "\(address): there is no host with this name"))
        #expect(await fixture.next() == failed)
        try await fixture.stop()
    }

    @Test func `an opening without an answer ends in time`() async throws {
        let fixture = try await LinksFixture()
        let listener = try Listener.full()
        try await fixture.open(3, .command, listener.address, timeout: .milliseconds(50))
        let reason = "\(listener.address) did not answer within 0.05 seconds"
        #expect(await fixture.next() == event(3, .openFailed(.command, reason: reason, cause: .timedOut)))
        try await fixture.stop()
    }

    @Test func `an opening that was answered does not end because the loop is late`() async throws {
        let fixture = try await LinksFixture()
        let listener = try Listener()
        let address = listener.address
        try await fixture.perform { links in
            links.open(.init(rawValue: 1), .command, LinkTarget(address), timeout: .milliseconds(20))
            // The loop is blocked for as long as a wave of a scan may block a slow processor.
            usleep(100_000)
        }
        #expect(await fixture.next() == event(1, .opened(.command)))
        try await fixture.stop()
    }

    @Test func `seventy openings at once all end in time, and leave nothing behind`() async throws {
        let fixture = try await LinksFixture()
        let listener = try Listener.full()
        let address = listener.address
        try await fixture.perform { links in
            for generation in 1...70 {
                // The time limit is long enough for this thread to see all attempts on a busy computer.
                links.open(.init(rawValue: UInt32(generation)), .command, LinkTarget(address), timeout: .seconds(5))
            }
        }
        #expect(try eventually { try openingCount(address.port) == 70 })
        var failed: Set<UInt32> = []
        while failed.count < 70, let next = await fixture.next() {
            guard case .openFailed(.command, _, .timedOut) = next.event else { break }
            failed.insert(next.generation)
        }
        #expect(failed.count == 70)
        #expect(try eventually { try openingCount(address.port) == 0 })
        try await fixture.stop()
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a cancelled opening ends at once, not at its time limit`(host: String) async throws {
        let fixture = try await LinksFixture()
        let listener = try Listener.full()
        let address = CameraAddress(host: host, port: listener.address.port)
        try await fixture.open(1, .command, address, timeout: .seconds(600))
        #expect(try eventually { try openingCount(address.port) == 1 })
        try await fixture.perform { $0.close(.init(rawValue: 1), .command) }
        #expect(try eventually { try openingCount(address.port) == 0 })
        try await fixture.stop()
    }

    @Test func `the address of a camera is reported when it is connected`() async throws {
        let fixture = try await LinksFixture()
        let listener = try Listener()
        let named = CameraAddress(host: "localhost", port: listener.address.port)
        for (generation, address) in [(UInt32(1), listener.address), (2, named)] {
            try await fixture.open(generation, .command, address)
            #expect(await fixture.next() == event(generation, .opened(.command)))
        }
        var openings: [LinksFixture.Opening] = []
        for await opening in fixture.openings {
            openings.append(opening)
            if openings.count == 2 { break }
        }
        #expect(openings.map(\.address) == [listener.address, named])
        #expect(openings.allSatisfy { $0.remote == IPAddress(bytes: [127, 0, 0, 1]) })
        try await fixture.stop()
    }

    @Test func `the kernel gets the limits for dead connections`() async throws {
        let fixture = try await LinksFixture()
        let listener = try Listener()
        var peers: [CInt] = []
        defer { for peer in peers { close(peer) } }
        for channel in [LinkID.command, .event] {
            try await fixture.open(1, channel, listener.address)
            let peer = try listener.accept()
            peers.append(peer)
            #expect(await fixture.next() == event(1, .opened(channel)))
            let socket = try #require(Self.other(end: peer))
            #expect(Self.option(socket, CInt(IPPROTO_TCP), CInt(clinux_tcp_user_timeout)) == 20_000)
            #expect(Self.option(socket, SOL_SOCKET, SO_KEEPALIVE) == 1)
            #expect(Self.option(socket, CInt(IPPROTO_TCP), TCP_KEEPIDLE) == 10)
            #expect(Self.option(socket, CInt(IPPROTO_TCP), TCP_KEEPINTVL) == 5)
            #expect(Self.option(socket, CInt(IPPROTO_TCP), TCP_KEEPCNT) == 2)
            #expect(Self.option(socket, CInt(IPPROTO_TCP), TCP_NODELAY) == 1)
        }
        try await fixture.stop()
    }

    @Test func `the system's limits lie between the driver's`() {
        let limits = CameraLinks.Limits()
        let timing = PTPIPTiming()
        let driver = max(timing.answer, timing.transferSilence)
        #expect(limits.userTimeout > driver)
        #expect(limits.userTimeout < timing.keepAlive)
        // With its two limits the kernel counts the same time. One lost probe is tolerated.
        #expect(limits.idleSeconds + limits.intervalSeconds * limits.probesMax == 20)
        #expect(limits.userTimeout == .seconds(20))
        #expect(limits.probesMax >= 2)
    }

    /// The descriptor, in this process, of the other end of a connection.
    private static func other(end: CInt) -> CInt? {
        guard let port = port(end, getpeername) else { return nil }
        return (0..<4096).first { $0 != end && self.port($0, getsockname) == port }
    }

    private static func port(
        _ socket: CInt,
        _ call: (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    ) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(socket, $0, &length) }
        }
        guard status == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func option(_ socket: CInt, _ level: CInt, _ name: CInt) -> CInt? {
        var value: CInt = -1
        var length = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(socket, level, name, &value, &length) == 0 ? value : nil
    }

    @Test func `a reset connection has a reason`() async throws {
        let fixture = try await LinksFixture()
        let listener = try Listener()
        try await fixture.open(1, .command, listener.address)
        let peer = try listener.accept()
        #expect(await fixture.next() == event(1, .opened(.command)))
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(peer, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        close(peer)
        #expect(await fixture.next() == event(1, .closed(.command, reason: "Connection reset by peer")))
        try await fixture.stop()
    }

    @Test func `nothing is reported of a connection that was closed or cancelled`() async throws {
        let fixture = try await LinksFixture()
        let listener = try Listener()
        try await fixture.open(1, .command, listener.address)
        let first = try listener.accept()
        #expect(await fixture.next() == event(1, .opened(.command)))
        // One connection is closed with bytes in transit. Another one is cancelled right after its start.
        let address = listener.address
        try await fixture.perform { links in
            Self.send("late", on: first)
            links.close(.init(rawValue: 1), .command)
            links.open(.init(rawValue: 2), .command, LinkTarget(address), timeout: .seconds(20))
            links.close(.init(rawValue: 2), .command)
            links.close(.init(rawValue: 2), .event)
            links.open(.init(rawValue: 3), .command, LinkTarget(address), timeout: .seconds(20))
        }
        #expect(receive(1, on: first) == "")
        #expect(await fixture.next() == event(3, .opened(.command)))
        close(first)
        try await fixture.stop()
    }

    @Test func `a camera that reads nothing loses its connection, and memory stays bounded`() async throws {
        let fixture = try await LinksFixture()
        let listener = try Listener()
        try await fixture.open(1, .command, listener.address)
        let peer = try listener.accept()
        #expect(await fixture.next() == event(1, .opened(.command)))
        try await fixture.perform { links in
            // The bytes are more than any socket buffer and the limit together.
            for _ in 0..<1000 { links.send(.init(rawValue: 1), .command, ByteBuffer(repeating: 0, count: 100_000)) }
        }
        guard case .closed(.command, let reason?)? = await fixture.next()?.event else {
            Issue.record("the connection is not closed")
            return
        }
        #expect(reason.hasPrefix("the camera did not accept "))
        close(peer)
        try await fixture.stop()
    }
}
