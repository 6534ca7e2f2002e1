import NIOCore

/// One TCP connection, named by whoever accepts connections; never used again for another one.
package struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
    package var rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package var description: String { "connection \(rawValue)" }
}

/// How a responder presents itself and how patient it is.
package struct ResponderOptions: Sendable {
    /// The camera's GUID.
    package var guid: GUID
    /// The camera's friendly name.
    package var name: String
    /// What the body knows; anything else is answered Operation_Not_Supported.
    package var operations: [OperationCode]
    /// Those of `operations` whose data goes to the camera. Initiators do not always say so (alpha-fairy sends 0 and 1
    /// as the data phase), hence the body has to know.
    package var dataOutOperations: [OperationCode]
    /// How long the only place stays taken when TCP breaks without CloseSession, as bodies notice late.
    package var slotHold = Duration.seconds(2)
    /// How long after the Ack the event connection may take: an EOS M10 waits a few seconds (libgphoto2#239).
    package var eventConnectionLimit = Duration.seconds(5)
    /// How long a connection may say nothing before its Init packet.
    package var initLimit = Duration.seconds(30)
    /// How long a packet may stay incomplete.
    package var packetLimit = Duration.seconds(10)
    /// How often the initiator is probed; nil: only when another one wants its place.
    package var probeInterval: Duration?
    /// How long the answer to a probe may take (DC5).
    package var probeLimit = Duration.seconds(10)
    /// How long the initiator may send no operation; nil: for ever (an ILCE-7CM2 was seen to leave after 10 s,
    /// alpha-fairy#39).
    package var idleLimit: Duration?
    /// Whether header and body of a packet go out in two writes, as Sony's do (rocc `PTPPacketParsingTests.swift`).
    package var splitsPackets = false
    /// The most data that an operation may bring.
    package var payloadMax = 1 << 20
    /// How many bytes may wait for the network before no more data is handed out, of answers that wait for it: whoever
    /// owns the session then says `written`. nil: everything is handed out at once, and nobody says so.
    package var sendWindow: Int?

    package init(
        guid: GUID,
        name: String,
        operations: [OperationCode],
        dataOutOperations: [OperationCode]
    ) {
        self.guid = guid
        self.name = name
        self.operations = operations
        self.dataOutOperations = dataOutOperations
    }
}

/// An operation for the body to perform: complete, in turn, within what the session allows.
package struct ResponderRequest: Equatable, Sendable {
    /// What is asked.
    package var code: OperationCode
    /// Names the request in `ResponderSession.answer`.
    package var transaction: UInt32
    /// At most 5.
    package var parameters: [UInt32]
    /// What came in the data phase; empty when there was none.
    package var data: ByteBuffer

    package init(code: OperationCode, transaction: UInt32, parameters: [UInt32] = [], data: ByteBuffer = ByteBuffer()) {
        self.code = code
        self.transaction = transaction
        self.parameters = parameters
        self.data = data
    }
}

/// What the body says to a request.
package struct ResponderAnswer: Equatable, Sendable {
    /// How it went.
    package var code: ResponseCode
    /// At most 5.
    package var parameters: [UInt32]
    /// What goes out in a data phase; nil: there is none.
    package var data: ResponderContent?
    /// Whether the answer's end follows only when the network has taken all of its data, so that `answered` does not
    /// tell of what the initiator cannot have received. Requests that come meanwhile are answered Device_Busy.
    package var waitsForNetwork = false
    /// After so many bytes of the data nothing follows: a fault.
    package var breaksAfter: Int?

    package init(_ code: ResponseCode, parameters: [UInt32] = [], data: ResponderContent? = nil) {
        self.code = code
        self.parameters = parameters
        self.data = data
    }

    /// OK, with data.
    package static func ok(_ data: ByteBuffer, parameters: [UInt32] = []) -> ResponderAnswer {
        ok(ResponderContent(data), parameters: parameters)
    }

    /// OK, with data.
    package static func ok(_ data: ResponderContent, parameters: [UInt32] = []) -> ResponderAnswer {
        ResponderAnswer(.ok, parameters: parameters, data: data)
    }

    /// OK and nothing else.
    package static let ok = ResponderAnswer(.ok)
}

/// What a responder wants done, in this order.
package enum ResponderAction: Equatable, Sendable {
    /// Write these bytes.
    case send(ConnectionID, ByteBuffer)
    /// Close once everything before is written. `closed` is not awaited for it.
    case close(ConnectionID)
    /// An initiator wants in: say `admit` or `turnAway`, now or later.
    case initiatorAsks(ConnectionID, InitCommandRequest)
    /// Both connections stand.
    case initiatorConnected
    /// Perform this and say `answer`, now or later.
    case perform(ResponderRequest)
    /// The answer to an operation has gone out, to its last byte.
    case answered(transaction: UInt32)
    /// The data of an answer has come to where it is to break off.
    case brokeOff(transaction: UInt32)
    /// The initiator no longer wants an answer to the operation that is being performed.
    case cancelled(transaction: UInt32)
    /// The initiator is gone, and nothing it held is held any more.
    case initiatorLeft(ResponderLeave)
    /// One line for a log.
    case note(String)
}

/// How an initiator left.
package enum ResponderLeave: Equatable, Sendable {
    /// It closed its session, or had none.
    case inOrder
    /// The connection broke with the session open.
    case lost
}
