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
        /// The request has a data phase. `verdict` is the answer that is sent when the data begins, whatever the data
        /// is; nil: the request is performed.
        case receiving(OperationRequest, ResponderInbound, verdict: ResponderAnswer?)
        /// The body performs the request.
        case performing(OperationRequest)
        /// The body has answered, and its data is being sent.
        case sending(ResponderOutbound)
        /// A Cancel arrived on the event connection, but its copy on the command connection has not. Until then, or
        /// until this time, packets of the transaction are dropped.
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

    /// Whether an answer's data is being sent. The initiator then does not count as idle.
    var isSending: Bool {
        if case .sending = transaction { true } else { false }
    }

    var isInSession: Bool {
        if case .open = session { true } else { false }
    }
}

/// Data from the initiator.
struct ResponderInbound: Sendable {
    /// nil before Start_Data. Inside, nil when the length is not known in advance.
    var announced: UInt64??
    var bytes = ByteBuffer()
}

/// Data for the initiator.
struct ResponderOutbound: Sendable {
    var rest: ResponderContent
    let response: OperationResponse
    let waitsForNetwork: Bool
    /// The number of bytes before the transfer breaks off; nil: it does not.
    var breaksAfter: Int?
}
