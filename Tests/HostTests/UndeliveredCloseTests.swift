import CLinux
import Cameras
import Controller
import Glibc
import NIOCore
import Testing

@testable import Host

/// Connections whose end does not reach the camera at first, in a network of the test.
@Suite(.enabled(if: DeadNetwork.isPossible, "network name spaces want root, iproute2 and nftables"), .serialized)
struct UndeliveredCloseTests {
    private typealias Fault = DeadNetwork.Fault

    private struct Bench {
        let fixture: LinksFixture
        let network: DeadNetwork
        let camera: IPAddress
        let peer: CInt

        init(userTimeout: Duration = .seconds(20)) async throws {
            let fixture = try await LinksFixture(limits: .init(userTimeout: userTimeout))
            let network = try await fixture.onThread { try DeadNetwork() }
            camera = try #require(IPAddress(network.address.host))
            try await fixture.open(1, .command, network.address)
            peer = try network.accept()
            #expect(await fixture.next() == .init(1, .opened(.command)))
            self.fixture = fixture
            self.network = network
        }

        func begin(_ fault: Fault) async throws { try await fixture.onThread { try network.begin(fault) } }

        func end(_ fault: Fault) async throws { try await fixture.onThread { try network.end(fault) } }

        func close() async throws { try await fixture.perform { $0.close(.init(rawValue: 1), .command) } }

        func noteRoute() async throws { try await fixture.perform { [camera] in $0.noteRoute(to: camera) } }

        /// The next bytes that the camera's program receives; nil: the connection was reset.
        func receive() throws -> String? {
            try waitUntilReadable(peer)
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = recv(peer, &bytes, bytes.count, 0)
            guard count < 0 else { return String(decoding: bytes[..<count], as: UTF8.self) }
            #expect(errno == ECONNRESET)
            return nil
        }

        func undeliveredCount() async throws -> Int { try await fixture.ask { $0.undeliveredCount } }

        func end() async throws {
            Glibc.close(peer)
            try await fixture.stop()
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: DeadNetwork.Fault.allCases)
    func `bytes in transit when the network fails are not sent later`(fault: DeadNetwork.Fault) async throws {
        let bench = try await Bench()
        try await bench.begin(fault)
        try await bench.fixture.send(1, "press")
        try await bench.close()
        // A packet that waits for the camera's hardware address is kept for three seconds after the end of its
        // connection.
        if fault == .carrier { try await Task.sleep(for: .seconds(4)) }
        try await bench.end(fault)
        // If the kernel repeated the end, it would do so within this time.
        var waiting = pollfd(fd: bench.peer, events: Int16(POLLIN), revents: 0)
        if poll(&waiting, 1, 3000) == 0 { try await bench.noteRoute() }
        #expect(try bench.receive() == nil)
        try await bench.end()
    }

    @Test(.timeLimit(.minutes(1)), arguments: DeadNetwork.Fault.allCases)
    func `a camera that missed the end receives it at once when a route exists`(
        fault: DeadNetwork.Fault
    ) async throws {
        let bench = try await Bench()
        try await bench.begin(fault)
        try await bench.close()
        // For a second, the kernel itself tries to send the end of the connection.
        #expect(
            try await eventually(asking: { try await !bench.fixture.onThread { try bench.network.hasConnection() } })
        )
        try await bench.noteRoute()
        #expect(try await bench.undeliveredCount() == 1)
        try await bench.end(fault)
        let start = ContinuousClock.now
        try await bench.noteRoute()
        // The waiting packet is sent although its connection has ended. It reports the end to the camera.
        #expect(try bench.receive()?.isEmpty ?? true)
        #expect(ContinuousClock.now - start < .seconds(3))
        try await bench.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a new connection to a camera sends the missed end first`() async throws {
        let bench = try await Bench()
        try await bench.begin(.hole)
        try await bench.fixture.send(1, "press")
        try await bench.close()
        try await bench.end(.hole)
        try await bench.fixture.open(2, .command, bench.network.address)
        #expect(try bench.receive() == nil)
        #expect(await bench.fixture.next() == .init(2, .opened(.command)))
        Glibc.close(try bench.network.accept())
        try await bench.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a camera receives the end of a connection that the kernel has dropped`() async throws {
        let bench = try await Bench(userTimeout: .seconds(2))
        try await bench.begin(.hole)
        try await bench.fixture.send(1, "press")
        #expect(await bench.fixture.next() == .init(1, .closed(.command, reason: "Connection timed out")))
        try await bench.end(.hole)
        try await bench.noteRoute()
        #expect(try bench.receive() == nil)
        try await bench.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func `an end that the camera received is orderly, and is not repeated`() async throws {
        let bench = try await Bench()
        try await bench.fixture.send(1, "bye")
        #expect(try bench.receive() == "bye")
        // The camera can answer, which shows that the bytes were acknowledged.
        #expect(send(bench.peer, "bye", 3, CInt(MSG_NOSIGNAL)) == 3)
        #expect(await bench.fixture.received(3) == "bye")
        try await bench.close()
        #expect(try bench.receive()?.isEmpty == true)
        #expect(
            try await eventually(asking: {
                try await bench.noteRoute()
                return try await bench.undeliveredCount() == 0
            })
        )
        #expect(!bench.network.isCalled)
        try await bench.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a camera that opens a new session has dropped the old one`() async throws {
        let bench = try await Bench()
        try await bench.close()
        #expect(try await bench.undeliveredCount() == 1)
        try await bench.fixture.open(2, .command, bench.network.address)
        #expect(await bench.fixture.next() == .init(2, .opened(.command)))
        #expect(try await bench.undeliveredCount() == 1)
        try await bench.fixture.open(2, .event, bench.network.address)
        #expect(await bench.fixture.next() == .init(2, .opened(.event)))
        #expect(try await bench.undeliveredCount() == 0)
        Glibc.close(try bench.network.accept())
        Glibc.close(try bench.network.accept())
        try await bench.end()
    }

    @Test
    func `the number of remembered ends and their age are limited`() throws {
        var ends = UndeliveredCloses()
        let now = NIODeadline.now()
        for port in 1...UndeliveredCloses.countMax + 3 {
            let local = try SocketAddress(ipAddress: "127.0.0.1", port: port)
            ends.add(.init(asked: .init(host: "192.0.2.2"), local: local, remote: local), at: now)
        }
        #expect(ends.count == UndeliveredCloses.countMax)
        ends.resend(at: now + UndeliveredCloses.ageMax) { _ in false }
        #expect(ends.count == UndeliveredCloses.countMax)
        ends.resend(at: now + UndeliveredCloses.ageMax + .seconds(1)) { _ in false }
        #expect(ends.count == 0)
    }
}
