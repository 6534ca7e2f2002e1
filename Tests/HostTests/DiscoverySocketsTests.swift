import CLinux
import Cameras
import Controller
import Glibc
import NIOCore
import Testing

@testable import Host

/// SSDP on real interfaces, in networks of the tests.
@Suite(.enabled(if: DiscoveryNetwork.isPossible, "network name spaces want root and iproute2"))
struct DiscoverySocketsTests {
    private static let searches = DiscoveryTable.standard.searches
    private static let answer = "HTTP/1.1 200 OK\r\nLOCATION: http://10.66.0.1/dd.xml\r\n\r\n"

    private static func alive(_ name: String) -> String { "NOTIFY * HTTP/1.1\r\nNT: \(name)\r\n\r\n" }

    @Test func `a simulated camera on this machine is found over loopback`() async throws {
        let network = try await DiscoveryNetwork()
        let bench = try await DiscoveryBench(on: network)
        let loopback = try await network.index(of: "lo")
        try await bench.perform(.listen(on: [loopback], rejoins: []))
        let camera = try await DiscoveryCamera(on: network, by: "lo")
        try await bench.perform(.ask(Self.searches))
        for search in Self.searches { #expect(camera.answer(Self.answer) == String(buffer: search)) }
        camera.announce(Self.alive("x"))
        #expect(eventually { bench.datagrams.count == Self.searches.count + 1 })
        let answer = DiscoveryBench.Received(text: Self.answer, from: "127.0.0.1", interface: loopback)
        let alive = DiscoveryBench.Received(text: Self.alive("x"), from: "127.0.0.1", interface: loopback)
        #expect(bench.datagrams.filter { $0 == answer }.count == Self.searches.count)
        #expect(bench.datagrams.filter { $0 == alive }.count == 1)
        #expect(bench.notes == [])
        try await bench.close()
    }

    @Test func `a datagram is attributed to its interface of arrival`() async throws {
        let (here, there) = try await DiscoveryNetwork.pair()
        let bench = try await DiscoveryBench(on: here)
        let indexes = [try await here.index(of: "a0"), try await here.index(of: "a1")]
        let cameras = [
            try await DiscoveryCamera(on: there, by: "b0"), try await DiscoveryCamera(on: there, by: "b1"),
        ]
        try await bench.perform(.listen(on: indexes, rejoins: []))
        try await bench.perform(.ask([Self.searches[0]]))
        var expected: Set<DiscoveryBench.Received> = []
        for (number, camera) in cameras.enumerated() {
            #expect(camera.answer("answer \(number)") == String(buffer: Self.searches[0]))
            camera.announce("alive \(number)")
            for kind in ["answer", "alive"] {
                expected.insert(
                    .init(text: "\(kind) \(number)", from: "10.66.\(number).1", interface: indexes[number])
                )
            }
        }
        #expect(eventually { bench.datagrams.count >= 4 })
        #expect(bench.datagrams.count == 4)
        #expect(Set(bench.datagrams) == expected)
        try await bench.close()
    }

    @Test func `an unused interface neither receives nor sends`() async throws {
        let (here, there) = try await DiscoveryNetwork.pair()
        let bench = try await DiscoveryBench(on: here)
        let indexes = [try await here.index(of: "a0"), try await here.index(of: "a1")]
        // Another program on this computer joins a group. That must not affect the daemon.
        let other = try await DiscoveryCamera(on: here, by: "a1")
        let cameras = [
            try await DiscoveryCamera(on: there, by: "b0"), try await DiscoveryCamera(on: there, by: "b1"),
        ]
        try await bench.perform(.listen(on: indexes, rejoins: []))
        try await bench.perform(.listen(on: [indexes[0]], rejoins: []))
        cameras[1].announce("not for us")
        #expect(other.receive() == "not for us")
        cameras[0].announce("for us")
        #expect(eventually { !bench.datagrams.isEmpty })
        #expect(bench.datagrams.map(\.text) == ["for us"])
        try await bench.close()
    }

    @Test func `an interface that went down and up receives again`() async throws {
        let (here, there) = try await DiscoveryNetwork.pair()
        let bench = try await DiscoveryBench(on: here)
        let index = try await here.index(of: "a0")
        let camera = try await DiscoveryCamera(on: there, by: "b0")
        try await bench.perform(.listen(on: [index], rejoins: []))
        try await here.run("ip link set a0 down")
        try await bench.perform(.ask([Self.searches[0]]))
        #expect(bench.notes == ["the search for cameras cannot be sent on a0: Network is unreachable"])
        try await here.run("ip link set a0 up")
        try await bench.perform(.listen(on: [index], rejoins: [index]))
        // A new cable has no carrier for a short time.
        #expect(
            eventually {
                camera.announce("back")
                return !bench.datagrams.isEmpty
            }
        )
        #expect(bench.datagrams.first == .init(text: "back", from: "10.66.0.1", interface: index))
        try await bench.perform(.ask([Self.searches[0]]))
        #expect(camera.answer("") == String(buffer: Self.searches[0]))
        #expect(bench.notes.count == 1)
        try await bench.close()
    }

    @Test func `joining again sends a membership report`() async throws {
        let (here, there) = try await DiscoveryNetwork.pair()
        // With this setting, the kernel reports each membership once.
        try await here.run("echo 1 > /proc/sys/net/ipv4/igmp_qrv")
        let bench = try await DiscoveryBench(on: here)
        let index = try await here.index(of: "a0")
        let router = try await GroupRouter(on: there, by: "b0")
        try await bench.perform(.listen(on: [index], rejoins: []))
        #expect(router.hearsMembership())
        // An interface that existed before reports its membership more than once.
        while router.hearsMembership(within: 1500) {}
        try await bench.perform(.listen(on: [index], rejoins: [index]))
        #expect(router.hearsMembership())
        try await bench.close()
    }

    @Test func `a port in exclusive use is reported once, and searches still work`() async throws {
        let (here, there) = try await DiscoveryNetwork.pair()
        let bench = try await DiscoveryBench(on: here)
        let index = try await here.index(of: "a0")
        let thief = try await here.perform { try ExclusivePortHolder(port: SSDPMessage.port) }
        for _ in 0..<3 { try await bench.perform(.listen(on: [index], rejoins: [])) }
        #expect(
            bench.notes == [
                "announcements of cameras on a0 cannot be received, only searches work: "
                    + "another program uses UDP port 1900 exclusively"
            ]
        )
        let camera = try await DiscoveryCamera(on: there, by: "b0")
        try await bench.perform(.ask([Self.searches[0]]))
        #expect(camera.answer(Self.answer) != nil)
        #expect(eventually { bench.datagrams.map(\.text) == [Self.answer] })
        thief.release()
        try await bench.perform(.listen(on: [index], rejoins: []))
        camera.announce("received")
        #expect(eventually { bench.datagrams.last?.text == "received" })
        try await bench.close()
    }

    @Test func `a flood is cut off and reported once, and a datagram that is too long is dropped`() async throws {
        let (here, there) = try await DiscoveryNetwork.pair()
        let bench = try await DiscoveryBench(on: here)
        let index = try await here.index(of: "a0")
        let camera = try await DiscoveryCamera(on: there, by: "b0")
        try await bench.perform(.listen(on: [index], rejoins: []))
        camera.announce(String(repeating: "x", count: SSDPDatagram.byteCountMax + 1))
        camera.announce(String(repeating: "x", count: SSDPDatagram.byteCountMax))
        #expect(eventually { !bench.datagrams.isEmpty })
        #expect(bench.datagrams.map(\.text.utf8.count) == [SSDPDatagram.byteCountMax])
        for _ in 0..<200 { camera.announce("flood") }
        #expect(eventually { !bench.notes.isEmpty })
        #expect(
            bench.notes == [
                """
                more than 64 SSDP messages per second arrive on a0, or 16 from one sender; the daemon drops the rest
                """
            ]
        )
        // This datagram comes after all datagrams of the flood.
        #expect(
            eventually {
                camera.announce("calm")
                return bench.datagrams.contains { $0.text == "calm" }
            }
        )
        #expect(bench.datagrams.count { $0.text == "flood" } <= 100)
        try await bench.close()
    }

    @Test func `a missing interface is reported once`() async throws {
        let bench = try await DiscoveryBench(on: try await DiscoveryNetwork())
        for _ in 0..<3 {
            try await bench.perform(.listen(on: [77], rejoins: [77]))
            try await bench.perform(.ask(Self.searches))
        }
        #expect(
            bench.notes == [
                "announcements of cameras on interface 77 cannot be received, only searches work: No such device",
                "cannot search for cameras on interface 77: Cannot assign requested address",
            ]
        )
        try await bench.close()
    }

    @Test func `a gate limits messages per second`() {
        var gate = RateLimiter()
        let start = NIODeadline.uptimeNanoseconds(1 << 40)
        let sender = IPAddress(bytes: [192, 168, 122, 1])
        let others = (2...100).map { IPAddress(bytes: [192, 168, 122, $0]) }
        for _ in 0..<RateLimiter.senderCountMax { #expect(gate.admit(sender, at: start) == .admitted) }
        #expect(gate.isFloodOver(at: start))
        // One busy sender does not block the others, but the total is limited.
        #expect(gate.admit(sender, at: start) == .dropped)
        let admitted = others.count { gate.admit($0, at: start) == .admitted }
        #expect(admitted == RateLimiter.countMax - RateLimiter.senderCountMax)
        let late = start + RateLimiter.span - .nanoseconds(1)
        #expect(gate.admit(sender, at: late) == .dropped)
        #expect(gate.admit(sender, at: start + RateLimiter.span) == .admitted)
        // A flood ends with a long pause, not with a short one.
        #expect(!gate.isFloodOver(at: start + RateLimiter.span))
        #expect(!gate.isFloodOver(at: late + RateLimiter.quietTime - .nanoseconds(1)))
        #expect(gate.isFloodOver(at: late + RateLimiter.quietTime))
    }
}

/// A router that receives the hosts' membership reports (IGMP version 3, RFC 3376).
private final class GroupRouter: Sendable {
    private let descriptor: CInt

    init(on network: DiscoveryNetwork, by name: String) async throws {
        descriptor = try await network.perform {
            let raw = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
            let descriptor = try check { socket(AF_INET, raw, CInt(IPPROTO_IGMP)) }
            var group = ip_mreqn()
            group.imr_multiaddr.s_addr = inet_addr("224.0.0.22")
            group.imr_ifindex = CInt(if_nametoindex(name))
            let length = socklen_t(MemoryLayout<ip_mreqn>.size)
            try check { setsockopt(descriptor, CInt(IPPROTO_IP), IP_ADD_MEMBERSHIP, &group, length) }
            return descriptor
        }
    }

    deinit { close(descriptor) }

    /// Waits for one membership report for the group of SSDP.
    func hearsMembership(within milliseconds: CInt = 10_000) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 2048)
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, milliseconds) == 1 {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0, bytes[..<count].contains([239, 255, 255, 250]) { return true }
        }
        return false
    }
}

/// A program that does not share its port.
private final class ExclusivePortHolder: Sendable {
    private let descriptor: CInt

    init(port: UInt16) throws {
        descriptor = try check { socket(AF_INET, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        let number = descriptor
        try check {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    func release() { close(descriptor) }
}
