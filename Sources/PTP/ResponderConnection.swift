import NIOCore

/// One connection of a responder: its bytes and its role.
struct ResponderConnection: Sendable {
    enum Role: Equatable, Sendable {
        /// No packet has arrived. The responder closes the connection at the deadline.
        case fresh(deadline: Duration)
        /// The initiator sent Init_Command_Request, and the body has not decided yet. Later bytes wait, up to a limit.
        case asking
        /// The initiator sent Init_Command_Request. The responder probes another initiator, which is connected.
        case waiting(InitCommandRequest)
        case command
        case event
    }

    let id: ConnectionID
    var role: Role
    var decoder = PacketDecoder(payload: .inPieces)
    /// Whether the decoder may contain another packet.
    var hasBytes = false
    /// The number of bytes that arrived while the responder decoded no bytes.
    var bytesWaiting = 0
    /// The deadline for the rest of an incomplete packet.
    var packetDeadline: Duration?
    /// The protocol version of the Ack: the smaller version of the two sides (DC5).
    var version = PTPIPPacket.protocolVersion

    /// The maximum number of bytes that an initiator is allowed to send before the body accepts it.
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

    /// Whether the responder handles packets of this connection now.
    var isDecoding: Bool { hasBytes && !isUndecided }

    /// Whether the initiator is neither accepted nor rejected yet.
    var isUndecided: Bool {
        switch role {
        case .asking, .waiting: true
        case .fresh, .command, .event: false
        }
    }
}
