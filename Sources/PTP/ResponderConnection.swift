import NIOCore

/// One connection of a responder: its bytes and its part.
struct ResponderConnection: Sendable {
    enum Role: Equatable, Sendable {
        /// No packet yet; closed at the deadline.
        case fresh(deadline: Duration)
        /// Sent Init_Command_Request; the body has not made up its mind. What comes meanwhile waits, within a bound.
        case asking
        /// Sent Init_Command_Request while the place is taken; the present initiator is probed.
        case waiting(InitCommandRequest)
        case command
        case event
    }

    let id: ConnectionID
    var role: Role
    var decoder = PacketDecoder(payload: .inPieces)
    /// Whether the decoder may hold another packet.
    var hasBytes = false
    /// How many bytes came while nothing was decoded.
    var bytesWaiting = 0
    /// When the incomplete packet at the end must be complete.
    var packetDeadline: Duration?
    /// The protocol version of the Ack: the smaller of both sides' (DC5).
    var version = PTPIPPacket.protocolVersion

    /// The most that an initiator may send before it is admitted.
    static let bytesWaitingMax = 64 << 10

    init(id: ConnectionID, deadline: Duration) {
        self.id = id
        role = .fresh(deadline: deadline)
    }

    /// When this connection runs out of patience.
    var deadline: Duration? {
        if case .fresh(let deadline) = role { return min(deadline, packetDeadline ?? deadline) }
        return packetDeadline
    }

    /// Whether packets are taken from it now.
    var isDecoding: Bool { hasBytes && !isUndecided }

    /// Whether it is not admitted yet, and not turned away.
    var isUndecided: Bool {
        switch role {
        case .asking, .waiting: true
        case .fresh, .command, .event: false
        }
    }
}
