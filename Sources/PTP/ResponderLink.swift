import NIOCore

/// An accepted initiator: its two connections, its session, and its running transaction.
struct ResponderLink: Sendable {
    enum Session: Sendable {
        case closed
        /// `last` is the id of the newest transaction.
        case open(id: UInt32, last: UInt32)
    }

    enum Transaction: Sendable {
        case none
        /// The request has a data phase. `verdict` is an answer that is already decided: the responder sends it when
        /// the data begins. nil: the body performs the request.
        case receiving(OperationRequest, ResponderInbound, verdict: ResponderAnswer?)
        /// The body performs the request.
        case performing(OperationRequest)
        /// The body has answered, and the responder is sending the data of the answer.
        case sending(ResponderOutbound)
        /// A Cancel arrived on the event connection, and its copy on the command connection is expected. Until the copy
        /// arrives, or until this time, the responder discards packets of the transaction.
        case cancelled(UInt32, until: Duration)
    }

    enum Probe: Sendable {
        case off
        case due(Duration)
        case unanswered(until: Duration)
    }

    let command: ConnectionID
    let connectionNumber: UInt32
    let eventDeadline: Duration
    var event: ConnectionID?
    var session = Session.closed
    var transaction = Transaction.none
    var lastOperation: Duration
    var probe = Probe.off

    /// Whether the responder is sending data of an answer. The initiator then does not count as idle.
    var isSending: Bool {
        if case .sending = transaction { true } else { false }
    }

    var isInSession: Bool {
        if case .open = session { true } else { false }
    }
}

/// Data from the initiator.
struct ResponderInbound: Sendable {
    /// The announced length. Outer nil: no Start_Data arrived. Inner nil: the length is not known in advance.
    var announced: UInt64??
    var bytes = ByteBuffer()
}

/// Data for the initiator.
struct ResponderOutbound: Sendable {
    var rest: ResponderContent
    let response: OperationResponse
    let waitsForNetwork: Bool
    /// The number of bytes before the transfer breaks off; nil: the transfer does not break off.
    var breaksAfter: Int?
    var end: End

    /// The form of the data phase.
    enum End: Sendable {
        /// Data packets, then an empty End_Data packet.
        case separate
        /// One End_Data packet, which is not begun.
        case whole
        /// One End_Data packet, of which a part is sent.
        case begun
    }
}
