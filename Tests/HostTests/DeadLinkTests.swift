import CLinux
import Cameras
import Controller
import Glibc
import NIOCore
import Testing

@testable import Host

/// Connections that end without a word, over a network that the test made itself.
@Suite(.enabled(if: DeadNetwork.isPossible, "network name spaces want root, iproute2 and nftables"), .serialized)
struct DeadLinkTests {
    private static let userTimeout = Duration.seconds(2)
    /// More than a busy machine needs on top of a time limit.
    private static let slack = Duration.seconds(8)

    private static func limits(idleSeconds: Int, userTimeout: Duration) -> CameraLinks.Limits {
        .init(userTimeout: userTimeout, idleSeconds: idleSeconds, intervalSeconds: 1, probesMax: 1)
    }

    /// An open link, and the camera's end of it.
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
    func `a camera behind a black hole is given up when what was sent stays unanswered`() async throws {
        // Without probes.
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
    func `a camera behind a black hole is given up when nothing was sent, too`() async throws {
        let bench = try await Bench(idleSeconds: 1)
        try bench.network.cut()
        let start = ContinuousClock.now
        #expect(await bench.fixture.next() == .init(1, .closed(.command, reason: "Connection timed out")))
        #expect(ContinuousClock.now - start < Self.userTimeout + Self.slack)
        try await bench.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a camera that is mute keeps its connection, for its system answers`() async throws {
        let bench = try await Bench(idleSeconds: 1)
        try await bench.fixture.send(1, "are you there")
        // Nothing is read there, nothing is said: only the driver can know that this is too long.
        try await Task.sleep(for: Self.userTimeout * 3 / 2)
        #expect(send(bench.peer, "here", 4, CInt(MSG_NOSIGNAL)) == 4)
        #expect(await bench.fixture.next() == .init(1, .received(.command, .init(string: "here"))))
        try await bench.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a hole that ends in time costs nothing`() async throws {
        // On a busy machine the hole is longer than it is meant to be, and the bytes are sent again later still.
        let bench = try await Bench(idleSeconds: 600, userTimeout: Self.userTimeout + Self.slack)
        try bench.network.cut()
        try await bench.fixture.send(1, "are you there")
        try await Task.sleep(for: Self.userTimeout / 4)
        try bench.network.heal()
        var bytes = [UInt8](repeating: 0, count: 13)
        #expect(recv(bench.peer, &bytes, bytes.count, CInt(MSG_WAITALL)) == 13)
        #expect(send(bench.peer, "here", 4, CInt(MSG_NOSIGNAL)) == 4)
        #expect(await bench.fixture.next() == .init(1, .received(.command, .init(string: "here"))))
        try await bench.end()
    }

    @Test(.timeLimit(.minutes(1)))
    func `an address without a way to it is unreachable`() async throws {
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

/// Two networks and a cable between them. The thread that makes it is moved into the one, a listening camera stands in
/// the other. Both are gone with the thread and this.
private final class DeadNetwork: Sendable {
    let address: CameraAddress
    /// An address that the near network has a route for which says no.
    static let fenced = "203.0.113.1"
    private static let far = "192.0.2.2"
    private let listener: Descriptor
    private let space: Descriptor

    static let isPossible: Bool = {
        guard geteuid() == 0 else { return false }
        let probe = "exec unshare -n sh -c 'ip link add near type veth peer name far && nft add table inet probe'"
        do { try run(probe) } catch { return false }
        return true
    }()

    /// - Precondition: on a thread that does nothing else any more.
    init() throws {
        try Self.leaveNetwork()
        space = try Descriptor { open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC) }
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        listener = try Descriptor { socket(AF_INET, type, 0) }
        let number = listener.number
        var any = sockaddr_in()
        any.sin_family = sa_family_t(AF_INET)
        any.sin_port = UInt16(15740).bigEndian
        let status = withUnsafePointer(to: &any) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0, listen(number, 8) == 0 else { throw SystemError.last }
        address = CameraAddress(host: Self.far)
        try Self.leaveNetwork()
        let path = "/proc/\(getpid())/fd/\(space.number)"
        try Self.run(
            """
            set -e
            ip link add near type veth peer name far netns \(path)
            ip addr add 192.0.2.1/24 dev near
            ip link set near up
            ip route add unreachable \(Self.fenced)/32
            exec nsenter --net=\(path) sh -c 'ip addr add \(Self.far)/24 dev far && ip link set far up'
            """
        )
    }

    func accept() throws -> CInt { try acceptInTime(listener.number) }

    /// From now on every packet that comes to the camera vanishes.
    func cut() throws {
        try there("nft add table inet hole")
        try there("nft add chain inet hole arriving \"{ type filter hook input priority 0; policy drop; }\"")
    }

    func heal() throws { try there("nft delete table inet hole") }

    private func there(_ command: String) throws {
        try Self.run("exec nsenter --net=/proc/\(getpid())/fd/\(space.number) \(command)")
    }

    private static func run(_ script: String) throws {
        let status = try ChildProgram("/bin/sh", ["-c", script]).wait()
        guard status == 0 else { throw SystemError(code: EIO) }
    }

    /// unshare(2) with CLONE_NEWNET, which Swift's Glibc does not show: this thread gets a network of its own.
    private static func leaveNetwork() throws(SystemError) {
        typealias Call = @convention(c) (CInt) -> CInt
        guard let symbol = dlsym(nil, "unshare") else { throw SystemError(code: ENOSYS) }
        let call = unsafeBitCast(symbol, to: Call.self)
        try check { call(0x4000_0000) }
    }
}
