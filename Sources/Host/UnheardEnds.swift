import CLinux
import Cameras
import Glibc
import NIOCore

/// Connections that were ended here and whose end the camera may not have heard of, because the network was gone. A
/// body that has not keeps its only slot for them.
///
/// The end is said again by a knock: a SYN from the same port. The camera's system, for which the connection is still
/// open, acknowledges it (RFC 9293, 3.5.1), and ours, for which it is not, answers with the reset that ends it. Where
/// the camera knows of no such connection, the beginning of a new one is taken back before any program hears of it.
/// Nothing is kept open for that, and it can be done again where a packet was lost.
struct UnheardEnds {
    /// So many are remembered, the last ones: a session has two, and a camera that is in use is called often.
    static let countMax = 16
    /// And for so long: no body that is known waits half of it for a silent session.
    static let ageMax = TimeAmount.minutes(10)
    /// How long the system may go on to say the end by itself. As long as it does, it lets nobody knock.
    static let ownTime = Duration.seconds(1)

    struct Connection {
        let asked: CameraAddress
        let local: SocketAddress
        let remote: SocketAddress

        /// Whether it was with this camera, by what was asked for or by where that led.
        func isWith(_ address: CameraAddress) -> Bool {
            asked == address || IPAddress(address.host).map(isWith) ?? false
        }

        func isWith(_ address: IPAddress) -> Bool { remote.ipAddress.flatMap { IPAddress($0) } == address }
    }

    /// One that is lost on the way is said again; a body that hears nothing of three is not the one that it was.
    private static let knocksMax = 3
    /// With one camera: a session has two, and no body has more than two sessions.
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

    /// Says the end of some again.
    mutating func knock(at now: NIODeadline, where isMeant: (Connection) -> Bool) {
        for index in ends.indices.reversed() {
            let end = ends[index]
            guard isMeant(end.connection), now - end.time <= Self.ageMax else {
                if now - end.time > Self.ageMax { ends.remove(at: index) }
                continue
            }
            switch Self.knock(end.connection) {
            case .sent:
                ends[index].knocks += 1
                if ends[index].knocks >= Self.knocksMax { ends.remove(at: index) }
            // Held for much longer than the system tries: the camera has acknowledged the end.
            case .held where now - end.time > TimeAmount(Self.ownTime * 5): ends.remove(at: index)
            case .held, .impossible: break
            }
        }
    }

    mutating func forget(where isMeant: (Connection) -> Bool) {
        ends.removeAll { isMeant($0.connection) }
    }

    private enum Outcome {
        case sent
        /// The system still has the connection, or another one on the same port.
        case held
        /// There is no way now, or the address is not ours any more.
        case impossible
    }

    private static func knock(_ connection: Connection) -> Outcome {
        let family = connection.local.protocol.rawValue
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard let descriptor = try? Descriptor({ socket(family, type, 0) }) else { return .impossible }
        // Without it, where the answer comes at once, a new connection would be closed in order and leave its port in
        // use.
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

    /// What the call that just came back failed with; 0: nothing.
    private static func code(of status: CInt) -> CInt { status == 0 ? 0 : errno }
}
