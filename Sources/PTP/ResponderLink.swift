import NIOCore

/// An admitted initiator: its two connections, its session, and the transaction it is in.
struct ResponderLink: Sendable {
    enum Session: Sendable {
        case closed
        /// `last` is the id of the newest transaction.
        case open(id: UInt32, last: UInt32)
    }

    enum Transaction: Sendable {
        case none
        /// The request wants data. `verdict` is what it is answered as soon as the data begins, whatever it is; nil: it
        /// is performed.
        case receiving(OperationRequest, ResponderInbound, verdict: ResponderAnswer?)
        /// The body is at it.
        case performing(OperationRequest)
        /// The body has answered, and its data is on its way.
        case sending(ResponderOutbound)
        /// A Cancel came on the event connection; its copy on the command connection has not come yet. Until then, or
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

    /// Whether an answer's data is on its way: nobody is idle then.
    var isSending: Bool {
        if case .sending = transaction { true } else { false }
    }

    var isInSession: Bool {
        if case .open = session { true } else { false }
    }
}

/// Data on its way to the camera.
struct ResponderInbound: Sendable {
    /// nil before Start_Data. Inside, nil when the length is not known in advance.
    var announced: UInt64??
    var bytes = ByteBuffer()
}

/// Data on its way to the initiator.
struct ResponderOutbound: Sendable {
    var rest: ResponderContent
    let response: OperationResponse
    let waitsForNetwork: Bool
    /// How many bytes are left before it breaks off; nil: it does not.
    var breaksAfter: Int?
}
