import CLinux
import Cameras
import Controller
import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import Host

/// Connections that end without a packet that says so, in a network of the test.
@Suite(.enabled(if: DeadNetwork.isPossible, "network name spaces want root, iproute2 and nftables"), .serialized)
struct DeadLinkTests {
    private static let userTimeout = Duration.seconds(2)
    /// The time that a busy computer may need in addition to a time limit.
    private static let slack = Duration.seconds(8)

    private static func limits(idleSeconds: Int, userTimeout: Duration) -> CameraLinks.Limits {
        .init(userTimeout: userTimeout, idleSeconds: idleSeconds, intervalSeconds: 1, probesMax: 1)
    }

    private struct Bench {
        let fixture: LinksFixture
        let network: DeadNetwork
        let peer: CInt

        init(idleSeconds: Int, userTimeout: Duration = DeadLinkTests.userTimeout) async throws {
            let limits = limits(idleSeconds: idleSeconds, userTimeout: userTimeout)
            let fixture = try await LinksFixture(limits: limits)
            let network = try await fixture.onThread { try DeadNetwork() }
            try await fixture.open(1, .command, network.address)
            peer = try network.accept()
            #expect(await fixture.next() == .init(1, .opened(.command)))
            self.fixture = fixture
            self.network = network
        }

        func end() async throws {
            close(peer)
            try await fixture.stop()
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a connection into a black hole is closed when sent bytes stay unacknowledged`() async throws {
        // The connection has no keep-alive probes.
        let bench = try await Bench(idleSeconds: 600)
        try bench.network.cut()
        let start = ContinuousClock.now
        try await bench.fixture.send(1, "are you there")
        #expect(await bench.fixture.next() == .init(1, .closed(.command, reason: "Connection timed out")))
        let time = ContinuousClock.now - start
        #expect(time > Self.userTimeout - .milliseconds(500) && time < Self.userTimeout + Self.slack)
        try await bench.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a connection into a black hole is closed when nothing was sent, too`() async throws {
        let bench = try await Bench(idleSeconds: 1)
        try bench.network.cut()
        let start = ContinuousClock.now
        #expect(await bench.fixture.next() == .init(1, .closed(.command, reason: "Connection timed out")))
        #expect(ContinuousClock.now - start < Self.userTimeout + Self.slack)
        try await bench.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a long poll into a black hole ends before its own time limit`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let (events, continuation) = AsyncStream.makeStream(of: HTTPEvent.self)
        let network = try await loop.submit { try DeadNetwork() }.get()
        let address = network.address
        let requests = try await loop.submit {
            let limits = Self.limits(idleSeconds: 1, userTimeout: Self.userTimeout)
            let requests = HTTPRequests(eventLoop: loop, limits: limits) { _, _, event, _ in continuation.yield(event) }
            let poll = HTTPRequest(.post, address, path: "/sony/camera", replyBytesMax: 1000, timeout: .seconds(75))
            requests.perform(.perform(poll), HTTPRequestID(rawValue: 1), of: .init(rawValue: 1))
            return NIOLoopBound(requests, eventLoop: loop)
        }.get()
        let peer = try network.accept()
        try network.cut()
        let start = ContinuousClock.now
        let first = await events.first { _ in true }
        #expect(first == .failed(.broken(reason: "Connection timed out")))
        #expect(ContinuousClock.now - start < Self.userTimeout + Self.slack)
        close(peer)
        withExtendedLifetime(requests) {}
        try await group.shutdownGracefully()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a silent camera keeps its connection, because its kernel answers`() async throws {
        let bench = try await Bench(idleSeconds: 1)
        try await bench.fixture.send(1, "are you there")
        // No event reports that the time has passed, so the test waits. Only a driver can detect that a camera is
        // silent.
        try await Task.sleep(for: Self.userTimeout * 3 / 2)
        #expect(send(bench.peer, "here", 4, CInt(MSG_NOSIGNAL)) == 4)
        #expect(await bench.fixture.next() == .init(1, .received(.command, .init(string: "here"))))
        try await bench.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func `an outage that ends in time costs nothing`() async throws {
        // On a busy computer the outage is longer than intended, and retransmissions come even later.
        let bench = try await Bench(idleSeconds: 600, userTimeout: Self.userTimeout + Self.slack)
        try bench.network.cut()
        try await bench.fixture.send(1, "are you there")
        // The kernel's time limit and the outage both run in real time.
        try await Task.sleep(for: Self.userTimeout / 4)
        try bench.network.clearFaults()
        var bytes = [UInt8](repeating: 0, count: 13)
        #expect(recv(bench.peer, &bytes, bytes.count, CInt(MSG_WAITALL)) == 13)
        #expect(send(bench.peer, "here", 4, CInt(MSG_NOSIGNAL)) == 4)
        #expect(await bench.fixture.next() == .init(1, .received(.command, .init(string: "here"))))
        try await bench.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func `an address without a route is unreachable`() async throws {
        let fixture = try await LinksFixture()
        let network = try await fixture.onThread { try DeadNetwork() }
        let reasons = ["198.51.100.1": "Network is unreachable", DeadNetwork.fenced: "No route to host"]
        for (host, reason) in reasons {
            let address = CameraAddress(host: host, port: 15740)
            try await fixture.open(1, .command, address)
            let failed = LinkEvent.openFailed(.command, reason: "\(address): \(reason)", cause: .unreachable)
            #expect(await fixture.next() == .init(1, failed))
        }
        withExtendedLifetime(network) {}
        try await fixture.stop()
    }
}
