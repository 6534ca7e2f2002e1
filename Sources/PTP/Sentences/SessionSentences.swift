/// The names of the steps of a session in error messages.
enum StepNames {
    static let connecting = "the connection setup"
    static let initHandshake = "the Init handshake"
    static let noOperation = "an idle session"
    static let dataPhase = "a data phase"
    static let waitForResponse = "the wait for a response"
    static let closing = "CloseSession"

    static func packet(on channel: InitiatorSession.Channel) -> String { "a packet on the \(channel) connection" }

    // MARK: On the camera's side

    static let waitForInit = "the wait for an Init packet"
    static let waitForEvents = "the wait for events"
    static let waitForOperation = "the wait for an operation"
}

/// Texts for the journal and the status about packets from a camera.
enum InitiatorSentences {
    static let openTimedOut = "timed out"

    static func unknownPacket(type: UInt32, length: UInt32, on channel: InitiatorSession.Channel) -> String {
        "skipped a packet of unknown type \(type), \(length) bytes, on the \(channel) connection"
    }

    static func cancelled(_ transaction: UInt32) -> String { "the camera cancels transaction \(transaction)" }

    static func lateAnswer(_ response: OperationResponse) -> String {
        "ignored a late answer to transaction \(response.transaction): \(response.code)"
    }
}

/// Log lines of a simulated camera about its connections.
enum ResponderSentences {
    // MARK: Why a connection is closed

    static let tooManyConnections = "too many connections"
    static let tooManyBytes = "the initiator sent too many bytes before it was accepted"
    static let packetIncomplete = "a packet did not arrive in time"
    static let eventConnectionMissing = "the event connection was not opened in time"
    static let operationMissing = "the initiator sent no operation for too long"
    static let probeUnanswered = "the probe was not answered"
    static let probed = "the initiator probed it"

    static func closed(_ id: ConnectionID, _ reason: String) -> String { "\(id) closed: \(reason)" }

    // MARK: Packets

    static func rejected(_ id: ConnectionID, _ reason: InitFailReason) -> String { "\(id) rejected: \(reason)" }

    static func unknownPacket(type: UInt32, length: UInt32, on id: ConnectionID) -> String {
        "\(id): skipped a packet of unknown type \(type), \(length) bytes"
    }

    static func eventIgnored(on id: ConnectionID) -> String { "\(id): ignored an event from the initiator" }

    static func abandoned(_ transaction: UInt32) -> String {
        "a new request ended transaction \(transaction) in the middle of its data"
    }

    static func unexpectedData(_ transaction: UInt32) -> String {
        "ignored unexpected data for transaction \(transaction)"
    }

    static func unexpectedCancel(_ transaction: UInt32) -> String {
        "ignored a cancel of transaction \(transaction), which is not running"
    }
}
