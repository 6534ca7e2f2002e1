import Cameras
import Controller
import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import Host

/// Connections over loopback, against a listener that does what a test says.
struct CameraLinksTests {
    /// Links on a loop of their own; what they report comes as a stream.
    private final class Fixture: Sendable {
        struct Event: Equatable, Sendable {
            let generation: UInt32
            let event: LinkEvent
        }

        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let events: AsyncStream<Event>
        private let links: NIOLoopBound<CameraLinks>

        init() async throws {
            let (events, continuation) = AsyncStream.makeStream(of: Event.self)
            self.events = events
            let loop = group.next()
            links = try await loop.submit {
                let links = CameraLinks(eventLoop: loop) { generation, event in
                    continuation.yield(Event(generation: generation.rawValue, event: event))
                }
                return NIOLoopBound(links, eventLoop: loop)
            }.get()
        }

        func perform(_ body: @escaping @Sendable (CameraLinks) -> Void) async throws {
            try await group.next().submit { [links] in body(links.value) }.get()
        }

        func open(
            _ generation: UInt32,
            _ channel: LinkChannel = .command,
            _ address: CameraAddress,
            timeout: Duration = .seconds(20)
        ) async throws {
            try await perform { $0.open(.init(rawValue: generation), channel, address, timeout: timeout) }
        }

        func next() async -> Event? {
            for await event in events { return event }
            return nil
        }

        /// The bytes of the next events, as many as `count`.
        func received(_ count: Int) async -> String {
            var text = ""
            while text.utf8.count < count, case .received(_, let bytes)? = await next()?.event {
                text += String(buffer: bytes)
            }
            return text
        }

        func stop() async throws {
            try await perform { $0.closeAll() }
            try await group.shutdownGracefully()
        }
    }

    /// A listening TCP socket on loopback, used with blocking calls that have an end.
    private final class Listener {
        let descriptor: CInt
        let address: CameraAddress

        /// `backlog`: nil: the port is taken and nobody listens on it.
        init(backlog: CInt? = 8) throws {
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
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

        deinit { close(descriptor) }

        func accept() throws -> CInt { try check { Glibc.accept(descriptor, nil, nil) } }
    }

    private static func send(_ text: String, on socket: CInt) {
        #expect(Glibc.send(socket, text, text.utf8.count, CInt(MSG_NOSIGNAL)) == text.utf8.count)
    }

    private func receive(_ count: Int, on socket: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = recv(socket, &bytes, count, CInt(MSG_WAITALL))
        return String(decoding: bytes[..<max(0, received)], as: UTF8.self)
    }

    private func event(_ generation: UInt32, _ event: LinkEvent) -> Fixture.Event {
        .init(generation: generation, event: event)
    }

    @Test func `both channels open, carry bytes both ways, and close in order`() async throws {
        let fixture = try await Fixture()
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
        // What is sent into a connection that is gone is taken in silence.
        try await fixture.perform { $0.send(.init(rawValue: 7), .event, ByteBuffer(string: "late")) }
        close(command)
        #expect(await fixture.next() == event(7, .closed(.command, reason: nil)))
        try await fixture.stop()
    }

    @Test func `a camera that is held is not read from, and tells its events all the same`() async throws {
        let fixture = try await Fixture()
        let listener = try Listener()
        try await fixture.open(7, .command, listener.address)
        let command = try listener.accept()
        #expect(await fixture.next() == event(7, .opened(.command)))
        try await fixture.open(7, .event, listener.address)
        let events = try listener.accept()
        #expect(await fixture.next() == event(7, .opened(.event)))
        try await fixture.perform { $0.hold(true) }
        // More than any buffer of the system takes: the camera has to wait.
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
        // Those to come are held too.
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

    @Test func `a refused connection says so`() async throws {
        let fixture = try await Fixture()
        let taken = try Listener(backlog: nil)
        let address = taken.address
        try await fixture.open(1, .command, address)
        let refused = event(1, .openFailed(.command, reason: "\(address): Connection refused"))
        #expect(await fixture.next() == refused)
        // The same name may be used again by the next attempt.
        try await fixture.open(1, .command, address)
        #expect(await fixture.next() == refused)
        withExtendedLifetime(taken) {}
        try await fixture.stop()
    }

    @Test func `a name that nobody has is told of`() async throws {
        let fixture = try await Fixture()
        let address = CameraAddress(host: "no-such-camera.invalid", port: 15740)
        try await fixture.open(1, .command, address)
        let failed = event(1, .openFailed(.command, reason: "\(address): there is no host of this name"))
        #expect(await fixture.next() == failed)
        try await fixture.stop()
    }

    @Test func `a camera that does not answer is given up in time`() async throws {
        let fixture = try await Fixture()
        // A listener whose queue is full: the system answers no further connection.
        let listener = try Listener(backlog: 0)
        var fillers: [CInt] = []
        for _ in 0..<4 {
            let filler = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            address.sin_port = listener.address.port.bigEndian
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            fillers.append(filler)
        }
        try await fixture.open(3, .command, listener.address, timeout: .milliseconds(50))
        let failed = event(3, .openFailed(.command, reason: "\(listener.address) did not answer within 0.05 seconds"))
        #expect(await fixture.next() == failed)
        for filler in fillers { close(filler) }
        withExtendedLifetime(listener) {}
        try await fixture.stop()
    }

    @Test func `a reset connection has a reason`() async throws {
        let fixture = try await Fixture()
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

    @Test func `nothing is heard of a connection that was closed or given up`() async throws {
        let fixture = try await Fixture()
        let listener = try Listener()
        try await fixture.open(1, .command, listener.address)
        let first = try listener.accept()
        #expect(await fixture.next() == event(1, .opened(.command)))
        // Closed with bytes on their way, and given up in the same instant as begun.
        let address = listener.address
        try await fixture.perform { links in
            Self.send("late", on: first)
            links.close(.init(rawValue: 1), .command)
            links.open(.init(rawValue: 2), .command, address, timeout: .seconds(20))
            links.close(.init(rawValue: 2), .command)
            links.close(.init(rawValue: 2), .event)
            links.open(.init(rawValue: 3), .command, address, timeout: .seconds(20))
        }
        #expect(receive(1, on: first) == "")
        #expect(await fixture.next() == event(3, .opened(.command)))
        close(first)
        try await fixture.stop()
    }

    @Test func `a camera that takes no bytes loses its connection, not our memory`() async throws {
        let fixture = try await Fixture()
        let listener = try Listener()
        try await fixture.open(1, .command, listener.address)
        let peer = try listener.accept()
        #expect(await fixture.next() == event(1, .opened(.command)))
        try await fixture.perform { links in
            // More than any socket buffer and the limit together.
            for _ in 0..<1000 { links.send(.init(rawValue: 1), .command, ByteBuffer(repeating: 0, count: 100_000)) }
        }
        guard case .closed(.command, let reason?)? = await fixture.next()?.event else {
            Issue.record("the connection is not closed")
            return
        }
        #expect(reason.hasPrefix("the camera left "))
        close(peer)
        try await fixture.stop()
    }
}
