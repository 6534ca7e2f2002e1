import Cameras
import Controller
import Foundation
import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import Host

/// Tests the watcher with this computer's kernel, in networks of the tests.
@Suite(.enabled(if: NetworkSpace.isPossible, "needs root and iproute2"))
struct NetworkWatcherTests {
    private static let camera = "192.168.122.1"

    private func watched(
        receiveBufferSize: CInt = NetworkWatcher.usualReceiveBufferSize,
        _ body: (NetworkSpace, WatchedNetwork) throws -> Void
    ) throws {
        let space = try NetworkSpace()
        try space.plugIn()
        let network = try WatchedNetwork(space, receiveBufferSize: receiveBufferSize)
        defer { network.end() }
        try network.watch(Self.camera)
        try body(space, network)
    }

    @Test func `the state at the start is one snapshot, with the route to the camera`() throws {
        try watched { _, network in
            let first = try #require(network.until { $0.way == "cam0" })
            #expect(first.interfaces.map(\.index) == first.interfaces.map(\.index).sorted())
            let lo = try #require(first.named("lo"))
            #expect(lo.isUp && lo.isLoopback && !lo.isMulticast)
            let cam = try #require(first.named("cam0"))
            #expect(cam.isUp && !cam.isLoopback && cam.isMulticast && cam.radio == nil)
            let own = try #require(IPAddress("192.168.122.71"))
            #expect(cam.addresses.contains(NetworkInterface.Address(own, prefixLength: 24)))
            let to = try #require(IPAddress(Self.camera))
            #expect(first.route == .found(CameraRoute(to: to, interface: cam.index, source: own)))
        }
    }

    @Test func `a link that is switched off is down until it is switched on`() throws {
        try watched { space, network in
            try #require(network.until { $0.isUp("cam0") } != nil)
            try space.ip("link set cam0 down")
            #expect(network.until { !$0.isUp("cam0") && $0.obstacle == "Network is unreachable" } != nil)
            try space.ip("link set cam0 up")
            #expect(network.until { $0.isUp("cam0") && $0.way == "cam0" } != nil)
        }
    }

    @Test func `a link whose other end disappears is down, although its address stays`() throws {
        try watched { space, network in
            try #require(network.until { $0.isUp("cam0") } != nil)
            try space.ip("link set peer0 down")
            #expect(network.until { !$0.isUp("cam0") && $0.has("192.168.122.71", on: "cam0") } != nil)
            try space.ip("link set peer0 up")
            #expect(network.until { $0.isUp("cam0") } != nil)
        }
    }

    @Test func `an address that is removed and added is reported with its route`() throws {
        try watched { space, network in
            try #require(network.until { $0.way == "cam0" } != nil)
            try space.ip("address del 192.168.122.71/24 dev cam0")
            #expect(network.until { !$0.has("192.168.122.71", on: "cam0") && $0.way == nil } != nil)
            try space.ip("address add 192.168.122.88/24 dev cam0")
            let last = try #require(network.until { $0.has("192.168.122.88", on: "cam0") && $0.way == "cam0" })
            guard case .found(let route) = last.route else { return }
            #expect(route.source == IPAddress("192.168.122.88"))
        }
    }

    @Test func `an IPv6 address counts after duplicate address detection`() throws {
        try watched { space, network in
            try #require(network.until { $0.way == "cam0" } != nil)
            try space.ip("address add 2001:db8::71/64 dev cam0")
            #expect(network.until { $0.has("2001:db8::71", on: "cam0") } != nil)
            try network.watch("2001:db8::1")
            #expect(network.until { $0.way == "cam0" } != nil)
        }
    }

    @Test func `a renamed interface keeps its index, and a new one has another index`() throws {
        try watched { space, network in
            let first = try #require(network.until { $0.way == "cam0" }?.named("cam0"))
            try space.ip("link set cam0 down", "link set cam0 name sony0", "link set sony0 up")
            let renamed = try #require(network.until { $0.way == "sony0" })
            #expect(renamed.named("sony0")?.index == first.index && renamed.named("cam0") == nil)
            try space.ip("link del sony0")
            #expect(network.until { $0.named("sony0") == nil && $0.way == nil } != nil)
            try space.plugIn()
            let again = try #require(network.until { $0.way == "cam0" }?.named("cam0"))
            #expect(again.index != first.index)
        }
    }

    @Test func `a default route that moves to another interface is reported`() throws {
        try watched { space, network in
            try network.watch("203.0.113.9")
            try #require(network.until { $0.obstacle != nil } != nil)
            try space.ip("route add default via 192.168.122.254 metric 600")
            let before = try #require(network.until { $0.way == "cam0" })
            guard case .found(let route) = before.route else { return }
            #expect(route.gateway == IPAddress("192.168.122.254"))
            try space.ip(
                "link add home0 type veth peer name home1",
                "link set home1 up",
                "link set home0 up",
                "address add 10.1.1.2/24 dev home0",
                "route add default via 10.1.1.1 metric 100"
            )
            #expect(network.until { $0.way == "home0" } != nil)
            try space.ip("route del default via 10.1.1.1 metric 100")
            #expect(network.until { $0.way == "cam0" } != nil)
        }
    }

    @Test func `a blocked route is reported with its reason, for routes and for rules`() throws {
        try watched { space, network in
            try #require(network.until { $0.way == "cam0" } != nil)
            try space.ip("route add unreachable 192.168.122.1/32")
            #expect(network.until { $0.obstacle == "No route to host" } != nil)
            try space.ip("route del unreachable 192.168.122.1/32")
            #expect(network.until { $0.way == "cam0" } != nil)
            try space.ip("rule add to 192.168.122.0/24 prohibit")
            #expect(network.until { $0.obstacle == "Permission denied" } != nil)
            try space.ip("rule del to 192.168.122.0/24 prohibit")
            #expect(network.until { $0.way == "cam0" } != nil)
        }
    }

    @Test func `our own address is local, and without a watched address there is no query`() throws {
        try watched { _, network in
            try network.watch("192.168.122.71")
            let snapshot = try #require(network.until { $0.way == "lo" })
            guard case .found(let route) = snapshot.route else { return }
            #expect(route.isLocal)
            try network.perform { $0.watchRoute(nil) }
            #expect(network.until { $0.route == .unwatched } != nil)
        }
    }

    @Test func `a name has no route until a connection to it was opened`() throws {
        try watched { _, network in
            try network.watch("camera.example")
            #expect(network.until { $0.route == .unknown } != nil)
            let remote = try #require(IPAddress(Self.camera))
            try network.perform { $0.noteOpened(CameraAddress(host: "other.example"), remote: remote) }
            try network.watch("192.168.122.71")
            try #require(network.until { $0.way == "lo" } != nil)
            try network.watch("camera.example")
            #expect(network.until { $0.route == .unknown } != nil)
            try network.perform { $0.noteOpened(CameraAddress(host: "camera.example"), remote: remote) }
            #expect(network.until { $0.way == "cam0" } != nil)
        }
    }

    @Test func `an address with a zone is reached through that interface only`() throws {
        try watched { _, network in
            try network.watch("fe80::1%cam0")
            #expect(network.until { $0.way == "cam0" } != nil)
            try network.watch("fe80::1%peer0")
            #expect(network.until { $0.way == "peer0" } != nil)
            try network.watch("fe80::1%wlan7")
            #expect(network.until { $0.obstacle == "There is no interface wlan7" } != nil)
        }
    }

    @Test func `after the kernel drops messages a full query restores the true state`() throws {
        try watched(receiveBufferSize: 4096) { space, network in
            try #require(network.until { $0.way == "cam0" } != nil)
            #expect(try network.perform { $0.dumpCount } == 1)
            // The loop is blocked, and in this time the kernel sends far more than the buffer holds.
            try network.perform { _ in
                try space.run(
                    """
                    for i in $(seq 1 60); do for d in 1 2 3; do echo "address add 10.7.$d.$i/32 dev cam0"; done; done \
                    | ip -batch -
                    for i in $(seq 1 60); do for d in 1 2 3; do echo "address del 10.7.$d.$i/32 dev cam0"; done; done \
                    | ip -batch -
                    ip address del 192.168.122.71/24 dev cam0
                    ip address add 192.168.122.99/24 dev cam0
                    ip link set cam0 down; ip link set cam0 name cam1; ip link set cam1 up
                    """
                )
            }
            let last = try #require(network.until { $0.way == "cam1" })
            #expect(last.has("192.168.122.99", on: "cam1") && !last.has("192.168.122.71", on: "cam1"))
            #expect(last.named("cam1")?.addresses.filter { $0.address.isIPv4 }.count == 1)
            #expect(try network.perform { $0.dumpCount } > 1)
            // The watcher still receives later messages.
            try space.ip("link set peer0 down")
            #expect(network.until { !$0.isUp("cam1") } != nil)
        }
    }

    @Test func `a change during a dump causes a full query`() throws {
        let space = try NetworkSpace()
        try space.plugIn()
        // The interfaces need more messages than the kernel sends at once.
        try space.run(
            #"for i in $(seq 1 40); do echo "link add one$i type veth peer name two$i"; done | ip -batch -"#
        )
        let network = try WatchedNetwork(space) { try? space.ip("link add late0 type veth peer name late1") }
        defer { network.end() }
        #expect(network.until { $0.named("late0") != nil && $0.named("two40") != nil } != nil)
        #expect(try network.perform { $0.dumpCount } > 1)
    }

    @Test func `messages that the kernel drops during reading are noticed at once`() throws {
        final class Listener {
            var socket: NetlinkSocket?
            var lossCount = 0
            var isFlooded = false
        }
        try watched { space, network in
            let bound = try network.perform { _ in
                let loop = try #require(MultiThreadedEventLoopGroup.currentEventLoop)
                let listener = Listener()
                // The numbers mean NETLINK_ROUTE and RTNLGRP_IPV4_IFADDR.
                let socket = try NetlinkSocket(family: 0, receiveBufferSize: 4096, on: loop)
                socket.join(group: 5)
                socket.onLoss = { listener.lossCount += 1 }
                socket.onMessages = { _, _ in
                    guard !listener.isFlooded else { return }
                    listener.isFlooded = true
                    try? space.run(
                        #"for i in $(seq 1 200); do echo "address add 10.7.0.$i/32 dev cam0"; done | ip -batch -"#
                    )
                }
                listener.socket = socket
                socket.listen()
                return NIOLoopBound(listener, eventLoop: loop)
            }
            try space.ip("address add 10.9.0.1/32 dev cam0")
            let deadline = NIODeadline.now() + .seconds(10)
            var count = 0
            while count == 0, NIODeadline.now() < deadline {
                count = try network.perform { _ in bound.value.lossCount }
                poll(nil, 0, 5)
            }
            #expect(count == 1)
            try network.perform { _ in bound.value.socket?.close() }
        }
    }

    @Test func `an unchanged state is not reported`() throws {
        try watched { space, network in
            try #require(network.until { $0.way == "cam0" } != nil)
            for _ in 0..<3 { try space.ip("route add 10.55.0.0/16 dev cam0", "route del 10.55.0.0/16 dev cam0") }
            try space.ip("address add 10.8.0.1/32 dev cam0")
            try #require(network.until { $0.has("10.8.0.1", on: "cam0") } != nil)
            let told = network.snapshots
            #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 })
        }
    }

    @Test func `a connection to another camera does not resolve the watched name`() throws {
        try watched { _, network in
            try network.watch("camera.example")
            let remote = try #require(IPAddress(Self.camera))
            try network.perform { $0.noteOpened(CameraAddress(host: "camera.example"), remote: remote) }
            try #require(network.until { $0.way == "cam0" } != nil)
            try network.perform { $0.noteOpened(CameraAddress(host: "other.example"), remote: remote) }
            try network.watch("192.168.122.71")
            try #require(network.until { $0.way == "lo" } != nil)
            try network.watch("camera.example")
            #expect(network.until { $0.way == "cam0" } != nil)
        }
    }

    @Test func `many changes end in the true state, with few full queries`() throws {
        let begin = NIODeadline.now()
        try watched(receiveBufferSize: 4096) { space, network in
            try #require(network.until { $0.way == "cam0" } != nil)
            try space.run(
                """
                for i in $(seq 1 500); do echo "address add 10.7.0.1/32 dev cam0"; \
                echo "address del 10.7.0.1/32 dev cam0"; done | ip -batch -
                ip address add 10.8.0.1/32 dev cam0
                """
            )
            let last = try #require(network.until { $0.has("10.8.0.1", on: "cam0") && $0.way == "cam0" })
            #expect(!last.has("10.7.0.1", on: "cam0"))
            let intervals = (NIODeadline.now() - begin).nanoseconds / 100_000_000
            #expect(try network.perform { $0.dumpCount } <= intervals + 2)
        }
    }

    @Test func `excess addresses are left out, with one note`() throws {
        try watched { space, network in
            try #require(network.until { $0.way == "cam0" } != nil)
            try space.run(#"for i in $(seq 1 100); do echo "address add 10.7.0.$i/32 dev cam0"; done | ip -batch -"#)
            let max = NetworkTables.addressesMax
            #expect(network.until { $0.named("cam0")?.addresses.count == max } != nil)
            #expect(network.notes.filter { $0.contains("The daemon ignores the rest") }.count == 1)
        }
    }

    @Test func `without changes its thread sleeps and nothing is reported`() throws {
        try watched { _, network in
            // The kernel lists the link-local addresses last.
            try #require(
                network.until { $0.interfaces.dropFirst().allSatisfy { $0.addresses.contains { !$0.address.isIPv4 } } }
                    != nil
            )
            let wakeUps = { () -> String? in
                let path = "/proc/\(network.thread)/status"
                let status = try String(contentsOfFile: path, encoding: .utf8)
                return status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }.map(String.init)
            }
            poll(nil, 0, 50)
            let before = (try wakeUps(), network.snapshots.count)
            poll(nil, 0, 400)
            #expect(before.0 != nil)
            #expect((try wakeUps(), network.snapshots.count) == before)
        }
    }

    @Test func `a kernel without radios gives one note, and interfaces without radios`() throws {
        try watched { space, network in
            let snapshot = try #require(network.until { $0.way == "cam0" })
            #expect(snapshot.interfaces.allSatisfy { $0.radio == nil })
            try space.ip("link set cam0 down", "link set cam0 up")
            let notes = network.notes.filter { $0.contains("SSID is unknown") }
            #expect(notes.count == (access("/sys/class/ieee80211", F_OK) == 0 ? 0 : 1))
        }
    }

    @Test func `only the kernel can write to the watcher's sockets`() throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        // 0 is NETLINK_ROUTE.
        let family: CInt = 0
        let socket = try NetlinkSocket(family: family, receiveBufferSize: nil, on: loop)
        let other = try check { Glibc.socket(AF_NETLINK, CInt(SOCK_RAW.rawValue), family) }
        defer { close(other) }
        // The bytes are struct sockaddr_nl: family, two bytes of padding, port, no groups.
        var address = withUnsafeBytes(of: UInt32(AF_NETLINK)) { Array($0) }
        address += withUnsafeBytes(of: socket.port) { Array($0) } + [0, 0, 0, 0]
        let message = NetlinkWriter(type: 16, flags: 0, sequence: 1).message()
        let status = address.withUnsafeBytes { bytes in
            sendto(other, message, message.count, 0, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, 12)
        }
        #expect(status == -1 && errno == ECONNREFUSED)
        socket.close()
    }
}
