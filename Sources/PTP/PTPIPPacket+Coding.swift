import NIOCore
import PrintableText

extension PTPIPPacket {
    /// Appends the whole packet, including the header.
    package func encode(into buffer: inout ByteBuffer) {
        let start = buffer.writerIndex
        buffer.writeInteger(UInt32(0), endianness: .little)
        buffer.writeInteger(type.rawValue, endianness: .little)
        encodeBody(into: &buffer)
        let length = UInt32(buffer.writerIndex - start)
        buffer.setInteger(length, at: start, endianness: .little)
    }

    package func encoded() -> ByteBuffer {
        var buffer = ByteBuffer()
        encode(into: &buffer)
        return buffer
    }

    private func encodeBody(into buffer: inout ByteBuffer) {
        switch self {
        case .initCommandRequest(let request):
            request.guid.write(into: &buffer)
            buffer.writeFriendlyName(request.name)
            if let version = request.version { buffer.writeInteger(version, endianness: .little) }
        case .initCommandAck(let ack):
            buffer.writeInteger(ack.connectionNumber, endianness: .little)
            ack.guid.write(into: &buffer)
            buffer.writeFriendlyName(ack.name)
            if let version = ack.version { buffer.writeInteger(version, endianness: .little) }
        case .initEventRequest(let number):
            buffer.writeInteger(number, endianness: .little)
        case .initFail(let reason):
            buffer.writeInteger(reason.rawValue, endianness: .little)
        case .operationRequest(let request):
            buffer.writeInteger(request.dataPhase.rawValue, endianness: .little)
            buffer.writeMessage(request.code.rawValue, request.transaction, request.parameters)
        case .operationResponse(let response):
            buffer.writeMessage(response.code.rawValue, response.transaction, response.parameters)
        case .event(let event):
            buffer.writeMessage(event.code.rawValue, event.transaction, event.parameters)
        case .startData(let transaction, let totalLength):
            buffer.writeInteger(transaction, endianness: .little)
            buffer.writeInteger(totalLength ?? .max, endianness: .little)
        case .data(let transaction, let payload), .endData(let transaction, let payload):
            buffer.writeInteger(transaction, endianness: .little)
            buffer.writeImmutableBuffer(payload)
        case .cancel(let transaction):
            buffer.writeInteger(transaction, endianness: .little)
        case .initEventAck, .probeRequest, .probeResponse:
            break
        }
    }

    /// Decodes the body of a packet of this type.
    ///
    /// - Parameter body: All bytes after the 8 bytes of length and type. The decoder ignores extra bytes and an
    ///   incomplete last parameter.
    /// - Throws: `PTPIPError.tooShort` when bytes are missing.
    package init(type: PTPIPPacketType, body: ByteBuffer) throws(PTPIPError) {
        let length = body.readableBytes + PTPIPPacketType.headerLength
        guard let packet = Self.decode(type, body) else {
            throw .tooShort(type: type, length: length)
        }
        self = packet
    }

    private static func decode(_ type: PTPIPPacketType, _ body: ByteBuffer) -> PTPIPPacket? {
        var body = body
        switch type {
        case .initCommandRequest:
            guard let guid = GUID(from: &body) else { return nil }
            let name = body.readFriendlyName()
            let version = body.readInteger(endianness: .little, as: UInt32.self)
            return .initCommandRequest(InitCommandRequest(guid: guid, name: name, version: version))
        case .initCommandAck:
            guard let number: UInt32 = body.readInteger(endianness: .little), let guid = GUID(from: &body) else {
                return nil
            }
            let name = body.readFriendlyName()
            let version = body.readInteger(endianness: .little, as: UInt32.self)
            return .initCommandAck(InitCommandAck(connectionNumber: number, guid: guid, name: name, version: version))
        case .initEventRequest:
            return body.readInteger(endianness: .little).map { .initEventRequest(connectionNumber: $0) }
        case .initFail:
            return body.readInteger(endianness: .little).map { .initFail(InitFailReason(rawValue: $0)) }
        case .operationRequest, .operationResponse, .event:
            return decodeMessage(type, &body)
        case .startData, .data, .endData, .cancel:
            return decodeData(type, &body)
        case .initEventAck:
            return .initEventAck
        case .probeRequest:
            return .probeRequest
        case .probeResponse:
            return .probeResponse
        }
    }

    private static func decodeMessage(_ type: PTPIPPacketType, _ body: inout ByteBuffer) -> PTPIPPacket? {
        var phase = DataPhase.unknown
        if type == .operationRequest {
            guard let number: UInt32 = body.readInteger(endianness: .little) else { return nil }
            phase = DataPhase(rawValue: number)
        }
        guard let (code, id) = body.readMultipleIntegers(endianness: .little, as: (UInt16, UInt32).self) else {
            return nil
        }
        let countMax = type == .event ? PTPEvent.parameterCountMax : OperationRequest.parameterCountMax
        let parameters = body.readParameters(atMost: countMax)
        switch type {
        case .operationRequest:
            let code = OperationCode(rawValue: code)
            let request = OperationRequest(dataPhase: phase, code: code, transaction: id, parameters: parameters)
            return .operationRequest(request)
        case .event:
            return .event(PTPEvent(code: EventCode(rawValue: code), transaction: id, parameters: parameters))
        default:
            let code = ResponseCode(rawValue: code)
            return .operationResponse(OperationResponse(code: code, transaction: id, parameters: parameters))
        }
    }

    private static func decodeData(_ type: PTPIPPacketType, _ body: inout ByteBuffer) -> PTPIPPacket? {
        guard let transaction: UInt32 = body.readInteger(endianness: .little) else { return nil }
        switch type {
        case .startData:
            if let total: UInt64 = body.readInteger(endianness: .little) {
                return .startData(transaction: transaction, totalLength: total == .max ? nil : total)
            }
            // A length of 32 bits, which a real D5300 accepts.
            guard let total: UInt32 = body.readInteger(endianness: .little) else { return nil }
            return .startData(transaction: transaction, totalLength: total == .max ? nil : UInt64(total))
        case .data:
            return .data(transaction: transaction, payload: body.slice())
        case .endData:
            return .endData(transaction: transaction, payload: body.slice())
        default:
            return .cancel(transaction: transaction)
        }
    }
}

extension String {
    /// The first UTF-16 units: at most 40 with the closing 0 (DC5), and only whole characters.
    fileprivate var friendlyUnits: some Sequence<UInt16> {
        let units = utf16.prefix(39)
        return units.last.map(UTF16.isLeadSurrogate) ?? false ? units.dropLast() : units
    }
}

extension ByteBuffer {
    /// Writes the name in an Init packet: UTF-16LE with a closing 0, without a length.
    fileprivate mutating func writeFriendlyName(_ name: String) {
        for unit in name.friendlyUnits { writeInteger(unit, endianness: .little) }
        writeInteger(UInt16(0), endianness: .little)
    }

    /// Reads a name up to the first 0 or the end of the packet. The result is printable, because the peer can send any
    /// text.
    fileprivate mutating func readFriendlyName() -> String {
        var units: [UInt16] = []
        while let unit: UInt16 = readInteger(endianness: .little), unit != 0 { units.append(unit) }
        return PrintableText.clean(String(decoding: units, as: UTF16.self))
    }

    fileprivate mutating func writeMessage(_ code: UInt16, _ transaction: UInt32, _ parameters: [UInt32]) {
        writeMultipleIntegers(code, transaction, endianness: .little)
        for parameter in parameters { writeInteger(parameter, endianness: .little) }
    }

    fileprivate mutating func readParameters(atMost countMax: Int) -> [UInt32] {
        var parameters: [UInt32] = []
        while parameters.count < countMax, let parameter: UInt32 = readInteger(endianness: .little) {
            parameters.append(parameter)
        }
        return parameters
    }
}
