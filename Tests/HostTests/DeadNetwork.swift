import CLinux
import Cameras
import Foundation
import Glibc

@testable import Host

/// Two networks that a cable connects. The creating thread moves into one network; a listening camera is in the other.
/// Both networks end with the thread and this object.
final class DeadNetwork: Sendable {
    let address: CameraAddress
    /// An address to which the near network has a route that refuses packets.
    static let fenced = "203.0.113.1"
    private static let far = "192.0.2.2"
    private static let near = "192.0.2.1/24"
    private let listener: Descriptor
    private let space: Descriptor

    static let isPossible: Bool = {
        guard geteuid() == 0 else { return false }
        let probe = "exec unshare -n sh -c 'ip link add near type veth peer name far && nft add table inet probe'"
        do { try run(probe) } catch { return false }
        return true
    }()

    /// - Precondition: the thread does nothing else afterwards.
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
            ip addr add \(Self.near) dev near
            ip link set near up
            ip route add unreachable \(Self.fenced)/32
            exec nsenter --net=\(path) sh -c 'ip addr add \(Self.far)/24 dev far && ip link set far up'
            """
        )
    }

    /// How the network of a connection fails.
    enum Fault: CaseIterable {
        /// Packets are dropped without any report.
        case hole
        /// The other end of the cable is switched off.
        case carrier
        /// The computer loses its address.
        case address
    }

    /// - Precondition: called on the thread that created this object.
    func begin(_ fault: Fault) throws {
        switch fault {
        case .hole: try cut()
        case .carrier: try there("ip link set far down")
        case .address: try Self.run("ip address delete \(Self.near) dev near")
        }
    }

    /// - Precondition: called on the thread that created this object.
    func end(_ fault: Fault) throws {
        switch fault {
        case .hole: try clearFaults()
        case .carrier: try there("ip link set far up")
        case .address: try Self.run("ip address add \(Self.near) dev near")
        }
    }

    /// Whether the near kernel still has a connection to the camera, even a closing one.
    ///
    /// - Precondition: called on the thread that created this object.
    func hasConnection() throws -> Bool {
        let table = try String(contentsOfFile: "/proc/thread-self/net/tcp", encoding: .utf8)
        return table.split(separator: "\n").contains { $0.contains(":3D7C ") }
    }

    /// Whether a connection to the camera waits to be accepted.
    var isCalled: Bool {
        var waiting = pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }

    func accept() throws -> CInt { try acceptInTime(listener.number) }

    /// Drops every further packet to the camera.
    func cut() throws {
        try there("nft add table inet hole")
        try there("nft add chain inet hole arriving \"{ type filter hook input priority 0; policy drop; }\"")
    }

    func clearFaults() throws { try there("nft delete table inet hole") }

    private func there(_ command: String) throws {
        try Self.run("exec nsenter --net=/proc/\(getpid())/fd/\(space.number) \(command)")
    }

    private static func run(_ script: String) throws {
        let status = try ChildProgram("/bin/sh", ["-c", script]).wait()
        guard status == 0 else { throw SystemError(code: EIO) }
    }

    /// Moves this thread to a new network namespace by unshare(2) with CLONE_NEWNET, which is missing in Swift's Glibc.
    private static func leaveNetwork() throws(SystemError) {
        typealias Call = @convention(c) (CInt) -> CInt
        guard let symbol = dlsym(nil, "unshare") else { throw SystemError(code: ENOSYS) }
        let call = unsafeBitCast(symbol, to: Call.self)
        try check { call(0x4000_0000) }
    }
}
