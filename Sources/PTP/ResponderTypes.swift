import NIOCore

/// The id of a TCP connection. The owner of the session chooses the id and never reuses it.
package struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
    package var rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package var description: String { "connection \(rawValue)" }
}

/// The identity and the timeouts of a responder.
package struct ResponderOptions: Sendable {
    /// The camera's GUID.
    package var guid: GUID
    /// The camera's friendly name.
    package var name: String
    /// The operations of the body. The responder answers Operation_Not_Supported to all others.
    package var operations: [OperationCode]
    /// The operations whose data goes to the camera. The responder needs this list, because not every initiator
    /// announces such data (alpha-fairy sends 0 and 1 as the data phase).
    package var dataOutOperations: [OperationCode]
    /// How long the session slot stays occupied after a break without CloseSession. Bodies notice such a break late.
    package var slotHold = Duration.seconds(2)
    /// The time limit for the event connection after the Ack. An EOS M10 waits a few seconds (libgphoto2#239).
    package var eventConnectionLimit = Duration.seconds(5)
    /// The time limit for the Init packet of a new connection that sends nothing.
    package var initLimit = Duration.seconds(30)
    /// The time limit for the end of a packet that has begun.
    package var packetLimit = Duration.seconds(10)
    /// The interval of probes; nil: the responder probes only when another initiator connects.
    package var probeInterval: Duration?
    /// The time limit for the answer to a probe (DC5).
    package var probeLimit = Duration.seconds(10)
    /// The longest time without an operation; nil: no limit. An ILCE-7CM2 allows 10 s (alpha-fairy#39).
    package var idleLimit: Duration?
    /// Whether the responder sends header and body of a packet in two writes, like Sony bodies (rocc
    /// `PTPPacketParsingTests.swift`).
    package var splitsPackets = false
    /// Whether the responder sends all data of an answer in one End_Data packet, like Nikon bodies (airnef).
    package var sendsDataAtEnd = false
    /// The connection number of the first initiator. A Nikon 1 J5 has 0 (airnef).
    package var firstConnectionNumber: UInt32 = 1
    /// What the responder does when the initiator probes it.
    package var probeReaction = ResponderProbeReaction.answer
    /// The maximum byte count of the data that an initiator is allowed to send with an operation.
    package var payloadMax = 1 << 20
    /// The maximum number of unsent bytes of an answer that waits for the network. The owner of the session calls
    /// `written` when the network has accepted bytes. nil: the responder sends all bytes at once.
    package var sendWindow: Int?

    package init(guid: GUID, name: String, operations: [OperationCode], dataOutOperations: [OperationCode]) {
        self.guid = guid
        self.name = name
        self.operations = operations
        self.dataOutOperations = dataOutOperations
    }
}

/// What a responder does with a probe of the initiator. The standard demands an answer at once (DC5).
package enum ResponderProbeReaction: Hashable, Sendable {
    case answer
    /// Some bodies answer no probe (mmattes/ptpip).
    case ignore
    /// The responder closes both connections.
    case close
}

/// An operation for the body, complete and within the limits of the session.
package struct ResponderRequest: Equatable, Sendable {
    package var code: OperationCode
    /// Identifies the request in `ResponderSession.answer`.
    package var transaction: UInt32
    /// At most 5 parameters.
    package var parameters: [UInt32]
    /// The data of the data phase; empty if the request has no data.
    package var data: ByteBuffer

    package init(code: OperationCode, transaction: UInt32, parameters: [UInt32] = [], data: ByteBuffer = ByteBuffer()) {
        self.code = code
        self.transaction = transaction
        self.parameters = parameters
        self.data = data
    }
}

/// The body's answer to a request.
package struct ResponderAnswer: Equatable, Sendable {
    package var code: ResponseCode
    /// At most 5 parameters.
    package var parameters: [UInt32]
    /// The data of the data phase; nil: no data phase.
    package var data: ResponderContent?
    /// Whether the response waits until the network has accepted all data. `answered` then never reports data that the
    /// initiator cannot have received. Requests that arrive during the wait are answered Device_Busy.
    package var waitsForNetwork = false
    /// The number of bytes after which a fault breaks off the data.
    package var breaksAfter: Int?
    /// How long the body works before it answers. The owner of the session calls `answer` after this time.
    package var delay = Duration.zero

    package init(_ code: ResponseCode, parameters: [UInt32] = [], data: ResponderContent? = nil) {
        self.code = code
        self.parameters = parameters
        self.data = data
    }

    package static func ok(_ data: ByteBuffer, parameters: [UInt32] = []) -> ResponderAnswer {
        ok(ResponderContent(data), parameters: parameters)
    }

    package static func ok(_ data: ResponderContent, parameters: [UInt32] = []) -> ResponderAnswer {
        ResponderAnswer(.ok, parameters: parameters, data: data)
    }

    /// OK, without data.
    package static let ok = ResponderAnswer(.ok)
}

/// The actions of a responder, in order.
package enum ResponderAction: Equatable, Sendable {
    case send(ConnectionID, ByteBuffer)
    /// Close the connection after all earlier bytes are written. The session does not wait for `closed`.
    case close(ConnectionID)
    /// An initiator asks to connect: call `admit` or `reject`, now or later.
    case initiatorAsks(ConnectionID, InitCommandRequest)
    /// Both connections are open.
    case initiatorConnected
    /// Perform this request and call `answer`, now or later.
    case perform(ResponderRequest)
    /// The answer to an operation has been sent completely.
    case answered(transaction: UInt32)
    /// The data of an answer has broken off at the planned byte.
    case brokeOff(transaction: UInt32)
    /// The initiator cancelled the operation that the body is performing.
    case cancelled(transaction: UInt32)
    /// The initiator has disconnected.
    case initiatorDisconnected(ResponderDisconnect)
    /// One line for a log.
    case note(String)
}

/// How an initiator disconnected.
package enum ResponderDisconnect: Equatable, Sendable {
    /// The initiator closed its session, or had no session.
    case inOrder
    /// The connection broke while the session was open.
    case lost
}
