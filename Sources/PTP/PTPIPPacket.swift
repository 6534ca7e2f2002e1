import NIOCore

/// One PTP/IP packet: u32 length (which includes the length field), u32 type, body. All numbers are little-endian
/// (CIPA DC-X005, libgphoto2 ptpip.c, Wireshark packet-ptpip.c).
package enum PTPIPPacket: Hashable, Sendable {
    /// Type 1, initiator to responder, command connection: the initiator's identity.
    case initCommandRequest(InitCommandRequest)
    /// Type 2, responder to initiator, command connection: the camera's identity. The camera may wait for its user to
    /// press OK.
    case initCommandAck(InitCommandAck)
    /// Type 3, initiator to responder, event connection. The number comes from the Ack and may be 0.
    case initEventRequest(connectionNumber: UInt32)
    /// Type 4, responder to initiator, event connection.
    case initEventAck
    /// Type 5, responder to initiator, either connection.
    case initFail(InitFailReason)
    /// Type 6, initiator to responder, command connection.
    case operationRequest(OperationRequest)
    /// Type 7, responder to initiator, command connection.
    case operationResponse(OperationResponse)
    /// Type 8, responder to initiator, event connection.
    case event(PTPEvent)
    /// Type 9, both directions, command connection. nil: the length is not known in advance (all bits set on the wire).
    case startData(transaction: UInt32, totalLength: UInt64?)
    /// Type 10, both directions, command connection.
    case data(transaction: UInt32, payload: ByteBuffer)
    /// Type 11, initiator to responder: a copy on each connection (DC5 2.3.12).
    case cancel(transaction: UInt32)
    /// Type 12, both directions, command connection. May carry payload.
    case endData(transaction: UInt32, payload: ByteBuffer)
    /// Type 13, both directions, event connection. The receiver answers at once.
    case probeRequest
    /// Type 14, the answer to a probe.
    case probeResponse
}

/// The packet types of PTP/IP.
package enum PTPIPPacketType: UInt32, CaseIterable, Sendable {
    case initCommandRequest = 1
    case initCommandAck = 2
    case initEventRequest = 3
    case initEventAck = 4
    case initFail = 5
    case operationRequest = 6
    case operationResponse = 7
    case event = 8
    case startData = 9
    case data = 10
    case cancel = 11
    case endData = 12
    case probeRequest = 13
    case probeResponse = 14

    /// The bytes of length and type.
    package static let headerLength = 8

    /// The shortest packet of this type, header included. The version of an Init_Command_Ack may be missing, and the
    /// length in Start_Data can have 32 bits (D5300).
    package var lengthMin: Int {
        switch self {
        case .initCommandRequest: 8 + 16
        case .initCommandAck: 8 + 4 + 16
        case .initEventRequest, .initFail, .cancel: 12
        case .initEventAck, .probeRequest, .probeResponse: 8
        case .operationRequest: 18
        case .operationResponse, .event: 14
        case .startData: 16
        case .data, .endData: 12
        }
    }

    /// The longest acceptable packet of this type, header included; nil for packets with payload.
    package var lengthMax: Int? {
        switch self {
        case .initCommandRequest, .initCommandAck, .initEventRequest, .initEventAck, .initFail: 1024
        case .operationRequest, .operationResponse, .event, .startData, .cancel, .probeRequest, .probeResponse: 64
        case .data, .endData: nil
        }
    }
}

/// The body of Init_Command_Request.
package struct InitCommandRequest: Hashable, Sendable {
    /// Identifies the initiator in the camera's pairing store. All bits set: no identity (DC5).
    package var guid: GUID
    /// A text that the camera can show to its user: UTF-16LE with a closing 0, no length; at most 39 units are sent.
    package var name: String
    /// 0x00010000 is 1.0. Some bodies accept a request without a version (D5300).
    package var version: UInt32?

    /// Version 1.0 by default.
    package init(guid: GUID, name: String, version: UInt32? = PTPIPPacket.protocolVersion) {
        self.guid = guid
        self.name = name
        self.version = version
    }
}

/// The body of Init_Command_Ack.
package struct InitCommandAck: Hashable, Sendable {
    /// Init_Event_Request repeats this number. It can change, can be 0, and is not the session id.
    package var connectionNumber: UInt32
    /// The camera's GUID. On Sony bodies: 8 zero bytes, FF FF and the MAC address.
    package var guid: GUID
    /// The camera's friendly name.
    package var name: String
    /// 0x00010000 is 1.0; may be missing.
    package var version: UInt32?

    /// Version 1.0 by default.
    package init(connectionNumber: UInt32, guid: GUID, name: String, version: UInt32? = PTPIPPacket.protocolVersion) {
        self.connectionNumber = connectionNumber
        self.guid = guid
        self.name = name
        self.version = version
    }
}

/// Why a camera rejected an initiator.
package struct InitFailReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire. An unknown number counts as `unspecified`.
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The GUID is unknown or not paired, or the user refused.
    package static let rejectedInitiator = Self(rawValue: 1)
    /// The camera is connected to another initiator.
    package static let busy = Self(rawValue: 2)
    /// The camera gives no reason.
    package static let unspecified = Self(rawValue: 3)

    /// A short text for messages.
    package var description: String {
        switch self {
        case .rejectedInitiator: "rejected initiator (1)"
        case .busy: "busy (2)"
        case .unspecified: "unspecified (3)"
        default: "reason \(rawValue)"
        }
    }
}

/// The direction of the data of a transaction.
package struct DataPhase: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The initiator gives no direction.
    package static let unknown = Self(rawValue: 0)
    /// No data, or data from the camera.
    package static let noneOrIn = Self(rawValue: 1)
    /// Data to the camera.
    package static let out = Self(rawValue: 2)
}

/// The body of Operation_Request.
package struct OperationRequest: Hashable, Sendable {
    /// The direction of the data.
    package var dataPhase: DataPhase
    package var code: OperationCode
    /// The transaction id, which grows by one with every operation.
    package var transaction: UInt32
    /// At most 5 parameters.
    package var parameters: [UInt32]

    package static let parameterCountMax = 5

    /// At most 5 parameters.
    package init(
        dataPhase: DataPhase = .noneOrIn,
        code: OperationCode,
        transaction: UInt32,
        parameters: [UInt32] = []
    ) {
        precondition(parameters.count <= Self.parameterCountMax)
        self.dataPhase = dataPhase
        self.code = code
        self.transaction = transaction
        self.parameters = parameters
    }
}

/// The body of Operation_Response.
package struct OperationResponse: Hashable, Sendable {
    package var code: ResponseCode
    /// The transaction of the request.
    package var transaction: UInt32
    /// At most 5 parameters.
    package var parameters: [UInt32]

    /// At most 5 parameters.
    package init(code: ResponseCode, transaction: UInt32, parameters: [UInt32] = []) {
        precondition(parameters.count <= OperationRequest.parameterCountMax)
        self.code = code
        self.transaction = transaction
        self.parameters = parameters
    }
}

/// The body of an Event packet.
package struct PTPEvent: Hashable, Sendable {
    package var code: EventCode
    /// The transaction of the event.
    package var transaction: UInt32
    /// At most 3 parameters.
    package var parameters: [UInt32]

    package static let parameterCountMax = 3
    /// The id of an event without a transaction (libgphoto2 vcamera.c; on every event of a Sony body).
    package static let noTransaction: UInt32 = 0xFFFF_FFFF

    /// An event with at most 3 parameters. By default it belongs to no transaction.
    package init(code: EventCode, transaction: UInt32 = Self.noTransaction, parameters: [UInt32] = []) {
        precondition(parameters.count <= Self.parameterCountMax)
        self.code = code
        self.transaction = transaction
        self.parameters = parameters
    }
}

extension PTPIPPacket {
    /// Protocol version 1.0: the high half is the major number.
    package static let protocolVersion: UInt32 = 0x0001_0000

    /// The port of PTP/IP responders.
    package static let port: UInt16 = 15740

    package var type: PTPIPPacketType {
        switch self {
        case .initCommandRequest: .initCommandRequest
        case .initCommandAck: .initCommandAck
        case .initEventRequest: .initEventRequest
        case .initEventAck: .initEventAck
        case .initFail: .initFail
        case .operationRequest: .operationRequest
        case .operationResponse: .operationResponse
        case .event: .event
        case .startData: .startData
        case .data: .data
        case .cancel: .cancel
        case .endData: .endData
        case .probeRequest: .probeRequest
        case .probeResponse: .probeResponse
        }
    }
}
