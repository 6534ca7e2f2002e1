import NIOCore

/// One connection of a responder: its bytes and its role.
struct ResponderConnection: Sendable {
    enum Role: Equatable, Sendable {
        /// No packet yet; closed at the deadline.
        case fresh(deadline: Duration)
        /// Sent Init_Command_Request; the body has not decided yet. Bytes that arrive before the decision wait, up to a
        /// limit.
        case asking
        /// Sent Init_Command_Request while another initiator is connected, which is probed.
        case waiting(InitCommandRequest)
        case command
        case event
    }

    let id: ConnectionID
    var role: Role
    var decoder = PacketDecoder(payload: .inPieces)
    /// Whether the decoder may contain another packet.
    var hasBytes = false
    /// How many bytes arrived while nothing was decoded.
    var bytesWaiting = 0
    /// When the incomplete last packet must be complete.
    var packetDeadline: Duration?
    /// The protocol version of the Ack: the smaller of both sides' (DC5).
    var version = PTPIPPacket.protocolVersion

    /// The most bytes that an initiator may send before it is accepted.
    static let bytesWaitingMax = 64 << 10

    init(id: ConnectionID, deadline: Duration) {
        self.id = id
        role = .fresh(deadline: deadline)
    }

    /// When this connection times out.
    var deadline: Duration? {
        if case .fresh(let deadline) = role { return min(deadline, packetDeadline ?? deadline) }
        return packetDeadline
    }

    /// Whether its packets are handled now.
    var isDecoding: Bool { hasBytes && !isUndecided }

    /// Whether it is neither accepted nor rejected yet.
    var isUndecided: Bool {
        switch role {
        case .asking, .waiting: true
        case .fresh, .command, .event: false
        }
    }
}
