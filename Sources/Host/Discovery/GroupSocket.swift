import CLinux
import Cameras
import Glibc
import NIOCore

/// A UDP socket for SSDP on one interface. It closes when its last reference ends.
final class GroupSocket {
    /// The index of the loopback interface, which is the same on every Linux.
    static let loopback: UInt32 = 1

    private let descriptor: CInt
    private let interface: UInt32

    /// The TTL of searches (UPnP Device Architecture 1.1, 1.3.2). It permits one router, which would belong to the
    /// camera.
    private static let hopsMax: CInt = 2

    /// Opens a socket that receives the group's datagrams on one interface. Other programs on this machine that use the
    /// port must share it.
    static func listening(port: UInt16, on interface: UInt32) throws(SystemError) -> GroupSocket {
        let socket = try GroupSocket(interface: interface)
        // SO_REUSEPORT is not used. With it, Linux (seen with 6.18) delivers a group's datagram to only one of the
        // sockets on the port, on any interface.
        try socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
        try socket.join()
        try socket.bind(port: port)
        return socket
    }

    /// Opens a socket that sends on one interface, from its own port.
    static func asking(on interface: UInt32) throws(SystemError) -> GroupSocket {
        let socket = try GroupSocket(interface: interface)
        // Without this source address Linux would send from 0.0.0.0 on the loopback. It does not choose 127.0.0.1 by
        // itself, because that address is only valid on this machine.
        let source: [UInt8] = interface == loopback ? [127, 0, 0, 1] : [0, 0, 0, 0]
        try socket.setGroup(IP_MULTICAST_IF, source: source)
        try socket.set(CInt(IPPROTO_IP), IP_MULTICAST_TTL, hopsMax)
        // A simulated camera on this machine must also receive the searches.
        try socket.set(CInt(IPPROTO_IP), IP_MULTICAST_LOOP, 1)
        try socket.bind(port: 0)
        return socket
    }

    private init(interface: UInt32) throws(SystemError) {
        self.interface = interface
        descriptor = try check {
            socket(
                AF_INET,
                CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue),
                0
            )
        }
        // Without this option a socket receives every group that any program here joined, on any interface (ip(7)).
        try set(CInt(IPPROTO_IP), IP_MULTICAST_ALL, 0)
    }

    deinit { close(descriptor) }

    /// Returns a duplicate descriptor of the socket. The caller owns the descriptor.
    func duplicate() throws(SystemError) -> CInt {
        try check { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    }

    /// Joins the group again. After an outage the kernel can still list a membership that the new access point does not
    /// know.
    func rejoin() throws(SystemError) {
        // Without a membership this call fails, and the failure does not matter.
        try? setGroup(IP_DROP_MEMBERSHIP)
        try join()
    }

    func send(_ bytes: ByteBuffer, port: UInt16) throws(SystemError) {
        try check {
            bytes.withUnsafeReadableBytes { bytes in
                clinux_send_to(descriptor, SSDPMessage.group.bytes, port, bytes.baseAddress, bytes.count)
            }
        }
    }

    private func join() throws(SystemError) {
        do {
            try setGroup(IP_ADD_MEMBERSHIP)
        } catch  where error.code == EADDRINUSE {
            // The socket is already a member.
        }
    }

    private func set(_ level: CInt, _ option: CInt, _ value: CInt) throws(SystemError) {
        var value = value
        try check { setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size)) }
    }

    /// Sets an option of ip(7) that takes the group and the interface.
    private func setGroup(_ option: CInt, source: [UInt8] = [0, 0, 0, 0]) throws(SystemError) {
        let index = CInt(truncatingIfNeeded: interface)
        try check { clinux_set_group(descriptor, option, SSDPMessage.group.bytes, index, source) }
    }

    private func bind(port: UInt16) throws(SystemError) {
        try check { clinux_bind_any(descriptor, port) }
    }
}
