import CLinux
import Cameras
import Controller
import Glibc
import NIOCore
import NIOPosix
import Synchronization

@testable import Host

/// A network namespace for the thread of one event loop. The namespace ends with the test.
final class DiscoveryNetwork: Sendable {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let space: CInt

    static let isPossible: Bool = {
        guard geteuid() == 0, let program = try? ChildProgram("/bin/sh", ["-c", "exec unshare -n ip link set lo up"])
        else { return false }
        return program.wait() == 0
    }()

    init() async throws {
        space = try await group.next().submit {
            // Swift's module of the C library does not have this function.
            typealias Unshare = @convention(c) (CInt) -> CInt
            guard let symbol = dlsym(nil, "unshare") else { throw SystemError(code: ENOSYS) }
            let newNetwork: CInt = 0x4000_0000
            try check { unsafeBitCast(symbol, to: Unshare.self)(newNetwork) }
            return try check { open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC) }
        }.get()
        try await run("ip link set lo up")
    }

    deinit {
        close(space)
        group.shutdownGracefully { _ in }
    }

    /// The path of the namespace for other programs.
    var path: String { "/proc/\(getpid())/fd/\(space)" }

    /// Runs a shell command in the namespace.
    func run(_ line: String) async throws {
        try await perform {
            let program = try ChildProgram("/bin/sh", ["-ec", line])
            guard program.wait() == 0 else { throw SystemError(code: EINVAL) }
        }
    }

    /// Waits until a new cable has a carrier. Before that the cable drops packets.
    func waitForCarrier(_ name: String) async throws {
        let isUp = "ip link show \(name) | grep -q 'state UP'"
        try await run("for i in $(seq 400); do \(isUp) && exit; sleep 0.02; done; exit 1")
    }

    func index(of name: String) async throws -> UInt32 {
        try await perform { if_nametoindex(name) }
    }

    @discardableResult
    func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await group.next().submit(body).get()
    }

    /// Two networks with two cables between them. The ends are `a0` and `a1` in the first, `b0` and `b1` in the second.
    static func pair() async throws -> (here: DiscoveryNetwork, there: DiscoveryNetwork) {
        let here = try await DiscoveryNetwork()
        let there = try await DiscoveryNetwork()
        for cable in 0...1 {
            try await here.run(
                """
                ip link add a\(cable) type veth peer name b\(cable) netns \(there.path)
                ip address add 10.66.\(cable).2/24 dev a\(cable)
                ip link set a\(cable) up
                """
            )
            try await there.run(
                """
                ip address add 10.66.\(cable).1/24 dev b\(cable)
                ip link set b\(cable) up
                """
            )
            try await here.waitForCarrier("a\(cable)")
            try await there.waitForCarrier("b\(cable)")
        }
        return (here, there)
    }
}

/// A discovery on a network, with its reports.
final class DiscoveryBench: Sendable {
    private struct ReceivedDatagram {
        var inputs: [Input] = []
        var notes: [String] = []
    }

    private let network: DiscoveryNetwork
    private let discovery: NIOLoopBound<Discovery>
    private let receive = ReceivedBox()

    private final class ReceivedBox: Sendable {
        let value = Mutex(ReceivedDatagram())
    }

    init(on network: DiscoveryNetwork) async throws {
        self.network = network
        let loop = network.group.next()
        discovery = try await network.perform { [receive] in
            // The tests use plain texts as datagrams.
            let discovery = Discovery(eventLoop: loop, isRelevant: { _ in true }) { input in
                receive.value.withLock { $0.inputs.append(input) }
            } onNote: { note in
                receive.value.withLock { $0.notes.append(note) }
            }
            return NIOLoopBound(discovery, eventLoop: loop)
        }
    }

    func perform(_ effect: DiscoveryEffect) async throws {
        try await network.perform { [discovery] in discovery.value.perform(effect) }
    }

    /// Performs all effects in one turn of the loop.
    func perform(_ effects: [DiscoveryEffect]) async throws {
        try await network.perform { [discovery] in effects.forEach { discovery.value.perform($0) } }
    }

    func close() async throws {
        try await network.perform { [discovery] in discovery.value.close() }
    }

    var notes: [String] { receive.value.withLock { $0.notes } }
    var inputs: [Input] { receive.value.withLock { $0.inputs } }

    /// The received SSDP datagrams, without the daemon's own searches.
    var datagrams: [Received] {
        inputs.compactMap { input in
            guard case .ssdp(let datagram) = input else { return nil }
            let text = String(buffer: datagram.bytes)
            return text.hasPrefix("M-SEARCH")
                ? nil : Received(text: text, from: "\(datagram.from)", interface: datagram.interface)
        }
    }

    struct Received: Hashable {
        var text: String
        var from: String
        var interface: UInt32
    }
}

/// An SSDP device: receives searches, answers and announces itself.
final class DiscoveryCamera: Sendable {
    private let descriptor: CInt
    private let loud: CInt

    init(on network: DiscoveryNetwork, by name: String) async throws {
        (descriptor, loud) = try await network.perform {
            let index = if_nametoindex(name)
            let listening = try GroupSocket.listening(port: SSDPMessage.port, on: index).duplicate()
            return (listening, try GroupSocket.asking(on: index).duplicate())
        }
    }

    deinit {
        close(descriptor)
        close(loud)
    }

    func announce(_ text: String) {
        var group = sockaddr_in()
        group.sin_family = sa_family_t(AF_INET)
        group.sin_port = SSDPMessage.port.bigEndian
        group.sin_addr.s_addr = inet_addr("239.255.255.250")
        send(text, to: group, by: loud)
    }

    /// Answers the next search and returns its target. Returns nil if no search arrives in time.
    func answer(_ text: String) -> String? {
        // The camera also receives its own announcements.
        while let (search, asker) = receive() {
            guard search.hasPrefix("M-SEARCH") else { continue }
            send(text, to: asker, by: descriptor)
            return search
        }
        return nil
    }

    /// The next datagram of any kind.
    func receive() -> String? { receive()?.0 }

    private func receive() -> (String, sockaddr_in)? {
        var bytes = [UInt8](repeating: 0, count: 8192)
        var asker = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 10_000) == 1 else { return nil }
        let count = withUnsafeMutablePointer(to: &asker) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(descriptor, &bytes, bytes.count, 0, $0, &length)
            }
        }
        guard count >= 0 else { return nil }
        return (String(decoding: bytes[..<count], as: UTF8.self), asker)
    }

    private func send(_ text: String, to address: sockaddr_in, by descriptor: CInt) {
        var address = address
        let bytes = Array(text.utf8)
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
