/// The steps of a session, as the errors name them.
enum StepNames {
    static let connecting = "connecting"
    static let initHandshake = "the Init handshake"
    static let noOperation = "no operation"
    static let dataPhase = "a data phase"
    static let waitForResponse = "the wait for a response"
    static let closing = "CloseSession"

    static func packet(on channel: InitiatorSession.Channel) -> String { "a packet on the \(channel) connection" }

    // MARK: On the camera's side

    static let waitForInit = "the wait for an Init packet"
    static let waitForEvents = "the wait for events"
    static let waitForOperation = "the wait for an operation"
}

/// What the journal and the status report of the packets from a camera.
enum InitiatorSentences {
    static let openTimedOut = "timed out"

    static func unknownPacket(type: UInt32, length: UInt32, on channel: InitiatorSession.Channel) -> String {
        "skipped a packet of unknown type \(type), \(length) bytes, on the \(channel) connection"
    }

    static func cancelled(_ transaction: UInt32) -> String { "the camera cancels transaction \(transaction)" }

    static func lateAnswer(_ response: OperationResponse) -> String {
        "dropped a late answer to transaction \(response.transaction): \(response.code)"
    }
}

/// What a simulated camera reports of its connections.
enum ResponderSentences {
    // MARK: Why a connection is closed

    static let tooManyConnections = "too many connections"
    static let tooManyBytes = "sent too much before it was accepted"
    static let packetIncomplete = "a packet took too long"
    static let eventConnectionMissing = "no event connection"
    static let operationMissing = "no operation for too long"
    static let probeUnanswered = "the probe was not answered"

    static func closed(_ id: ConnectionID, _ reason: String) -> String { "\(id): \(reason), closed" }

    // MARK: Packets

    static func rejected(_ id: ConnectionID, _ reason: InitFailReason) -> String { "\(id): rejected, \(reason)" }

    static func unknownPacket(type: UInt32, length: UInt32, on id: ConnectionID) -> String {
        "\(id): packet of unknown type \(type), \(length) bytes, skipped"
    }

    static func eventIgnored(on id: ConnectionID) -> String { "\(id): event from the initiator, ignored" }

    static func abandoned(_ transaction: UInt32) -> String {
        "transaction \(transaction) was abandoned in the middle of its data"
    }

    static func unexpectedData(_ transaction: UInt32) -> String {
        "data for transaction \(transaction) is not expected"
    }

    static func unexpectedCancel(_ transaction: UInt32) -> String {
        "cancel of transaction \(transaction), which is not running"
    }
}
