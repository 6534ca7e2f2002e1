import CLinux
import Cameras
import Glibc
import NIOCore

/// Connections that the daemon closed while the network was down, so that the camera may not know of their end. Such a
/// camera may keep its only session occupied.
///
/// To repeat an end, the daemon sends a SYN from the same port. If the connection is still open in the camera, the
/// camera's kernel acknowledges the SYN (RFC 9293, 3.5.1). Our kernel answers with a reset, which ends that connection.
/// If it is not open, the SYN opens a new connection, which the daemon cancels before any program accepts it. This
/// method keeps no connection open and can be repeated after a lost packet.
struct UndeliveredCloses {
    /// The maximum number of remembered connections. A session has two; a camera in use gets many connections.
    static let countMax = 16
    /// How long a connection is remembered. No known body keeps a silent session for half of this time.
    static let ageMax = TimeAmount.minutes(10)
    /// How long the kernel is allowed to repeat the end by itself. The kernel blocks the port during that time.
    static let ownTime = Duration.seconds(1)

    struct Connection {
        let asked: CameraAddress
        let local: SocketAddress
        let remote: SocketAddress

        /// Whether the connection led to this camera, by the requested target or by the IP address.
        func isWith(_ address: CameraAddress) -> Bool {
            asked == address || IPAddress(address.host).map(isWith) ?? false
        }

        func isWith(_ address: IPAddress) -> Bool { remote.ipAddress.flatMap { IPAddress($0) } == address }
    }

    /// The maximum number of repetitions, because packets can be lost. If none arrives, the body is another one.
    private static let resendsMax = 3
    /// The maximum for one camera. A session has two connections, and no body has more than two sessions.
    private static let countMaxOfOne = 4

    private struct End {
        let connection: Connection
        let time: NIODeadline
        var knocks = 0
    }

    private var ends: [End] = []

    var count: Int { ends.count }

    mutating func add(_ connection: Connection, at now: NIODeadline) {
        let others = ends.indices.filter { ends[$0].connection.remote == connection.remote }
        if others.count >= Self.countMaxOfOne {
            ends.remove(at: others[0])
        } else if ends.count >= Self.countMax {
            ends.removeFirst()
        }
        ends.append(End(connection: connection, time: now))
    }

    /// Repeats the end of the selected connections.
    mutating func resend(at now: NIODeadline, where isSelected: (Connection) -> Bool) {
        for index in ends.indices.reversed() {
            let end = ends[index]
            guard isSelected(end.connection), now - end.time <= Self.ageMax else {
                if now - end.time > Self.ageMax { ends.remove(at: index) }
                continue
            }
            switch Self.resend(end.connection) {
            case .sent:
                ends[index].knocks += 1
                if ends[index].knocks >= Self.resendsMax { ends.remove(at: index) }
            // The kernel blocks the port for longer than it repeats an end, so the camera has acknowledged the end.
            case .held where now - end.time > TimeAmount(Self.ownTime * 5): ends.remove(at: index)
            case .held, .impossible: break
            }
        }
    }

    mutating func forget(where isSelected: (Connection) -> Bool) {
        ends.removeAll { isSelected($0.connection) }
    }

    private enum Outcome {
        case sent
        /// The kernel still has this connection, or another connection on the same port.
        case held
        /// No route exists now, or the local address no longer belongs to this machine.
        case impossible
    }

    private static func resend(_ connection: Connection) -> Outcome {
        let family = connection.local.protocol.rawValue
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard let descriptor = try? Descriptor({ socket(family, type, 0) }) else { return .impossible }
        // Without this option, a connection that the camera accepts at once would close normally and block its port.
        var abrupt = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        guard setsockopt(descriptor.number, SOL_SOCKET, SO_LINGER, &abrupt, size) == 0 else { return .impossible }
        var code = connection.local.withSockAddr { Self.code(of: bind(descriptor.number, $0, socklen_t($1))) }
        if code == 0 {
            code = connection.remote.withSockAddr { Self.code(of: connect(descriptor.number, $0, socklen_t($1))) }
        }
        switch code {
        case 0, EINPROGRESS: return .sent
        case EADDRINUSE: return .held
        default: return .impossible
        }
    }

    /// The errno of the system call that just returned; 0 for success.
    private static func code(of status: CInt) -> CInt { status == 0 ? 0 : errno }
}
