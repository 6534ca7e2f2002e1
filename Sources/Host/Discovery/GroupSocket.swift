import CLinux
import Cameras
import Glibc
import NIOCore

/// A UDP socket for SSDP on one interface. Closed once nobody holds it.
final class GroupSocket {
    /// The loopback's index, on any Linux.
    static let loopback: UInt32 = 1

    private let descriptor: CInt
    private let interface: UInt32

    /// How far a search goes: a router on the way would be one of the camera's own (UPnP Device Architecture 1.1,
    /// 1.3.2).
    private static let hopsMax: CInt = 2

    /// Hears what is sent to the group by one interface. Others that do the same on this machine have to let us in.
    static func hearing(port: UInt16, on interface: UInt32) throws(SystemError) -> GroupSocket {
        let socket = try GroupSocket(interface: interface)
        // Not SO_REUSEPORT: Linux then hands a group's datagram to any one of the sockets that share the port,
        // whichever interface that one joined on (seen with 6.18).
        try socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
        try socket.join()
        try socket.bind(port: port)
        return socket
    }

    /// Asks by one interface, from a port of its own.
    static func asking(on interface: UInt32) throws(SystemError) -> GroupSocket {
        let socket = try GroupSocket(interface: interface)
        // The loopback's own address is not taken by itself, for it reaches no further than this machine: datagrams
        // would come from 0.0.0.0.
        let source: [UInt8] = interface == loopback ? [127, 0, 0, 1] : [0, 0, 0, 0]
        try socket.setGroup(IP_MULTICAST_IF, source: source)
        try socket.set(CInt(IPPROTO_IP), IP_MULTICAST_TTL, hopsMax)
        // A simulated camera on this machine is to hear it too.
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
        // Without it a socket hears every group that anybody on this machine joined, by whichever interface (ip(7)).
        try set(CInt(IPPROTO_IP), IP_MULTICAST_ALL, 0)
    }

    deinit { close(descriptor) }

    /// Another descriptor of the same socket, which belongs to the caller.
    func duplicate() throws(SystemError) -> CInt {
        try check { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    }

    /// Joins the group anew: an interface that was away may be a member in our books only, and the access point that
    /// it is back at knows nothing of it.
    func rejoin() throws(SystemError) {
        // It fails where there is no membership left, which is what we want.
        try? setGroup(IP_DROP_MEMBERSHIP)
        try join()
    }

    /// Sends to the group.
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
            // We are a member already.
        }
    }

    private func set(_ level: CInt, _ option: CInt, _ value: CInt) throws(SystemError) {
        var value = value
        try check { setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size)) }
    }

    /// An option that takes the group and the interface.
    private func setGroup(_ option: CInt, source: [UInt8] = [0, 0, 0, 0]) throws(SystemError) {
        let index = CInt(truncatingIfNeeded: interface)
        try check { clinux_set_group(descriptor, option, SSDPMessage.group.bytes, index, source) }
    }

    private func bind(port: UInt16) throws(SystemError) {
        try check { clinux_bind_any(descriptor, port) }
    }
}
