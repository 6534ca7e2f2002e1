import NIOCore

/// Turns the bytes of one PTP/IP connection into packets. The bytes can begin and end anywhere in a packet.
///
/// A read from TCP can return several packets, or a part of one packet. Sony bodies write header and body in separate
/// segments. The decoder checks each length before it waits for bytes or allocates memory.
///
/// With `.inPieces` the decoder delivers the payload of Data and End_Data packets as it arrives. A picture of 100 MB
/// then needs no more memory than one read.
package struct PacketDecoder: Sendable {
    /// What happens to the payload of Data and End_Data packets.
    package enum PayloadDelivery: Sendable {
        /// As `.packet(.data)` and `.packet(.endData)`, when the payload is complete.
        case whole
        /// As `.payload`, once or more per packet.
        case inPieces
    }

    /// One result of the decoder.
    package enum Element: Equatable, Sendable {
        case packet(PTPIPPacket)
        /// A part of the payload of a Data or End_Data packet; only with `.inPieces`.
        case payload(PayloadPiece)
        /// The decoder skips a packet of an unknown type. It reports each type once.
        case unknownType(UInt32, length: UInt32)
    }

    /// A part of the payload of a Data or End_Data packet.
    package struct PayloadPiece: Equatable, Sendable {
        /// `.data` or `.endData`.
        package var type: PTPIPPacketType
        /// The packet's transaction.
        package var transaction: UInt32
        /// The payload bytes of this part; may be empty.
        package var bytes: ByteBuffer
        /// The number of payload bytes of this packet that follow `bytes`.
        package var bytesLeft: Int
    }

    private enum State: Sendable {
        /// The next byte is the first of a packet.
        case header
        /// The next byte belongs to the payload of a Data or End_Data packet.
        case payload(PTPIPPacketType, transaction: UInt32, bytesLeft: Int)
        /// The next byte belongs to a packet of an unknown type.
        case skipping(bytesLeft: Int)
        /// The bytes were invalid. The decoder throws this error from now on.
        case failed(PTPIPError)
    }

    /// The longest Data or End_Data packet that the decoder collects in memory, and the longest packet that it skips.
    package static let wholeLengthMax = 64 << 20
    /// The longest Data or End_Data packet in pieces. No picture is that long, so a longer length is an error.
    package static let piecedLengthMax = 1 << 30
    private static let unknownTypesToldMax = 8

    private let delivery: PayloadDelivery
    private var state = State.header
    private var buffer = ByteBuffer()
    private var reportedUnknownTypes: [UInt32] = []

    /// A decoder for a new connection.
    package init(payload delivery: PayloadDelivery = .whole) {
        self.delivery = delivery
    }

    /// Whether a packet has begun and is incomplete. Silence of the camera is then an error.
    package var isInsidePacket: Bool {
        switch state {
        case .header: buffer.readableBytes > 0
        case .payload, .skipping: true
        case .failed: false
        }
    }

    package mutating func append(_ bytes: ByteBuffer) {
        if case .failed = state { return }
        if buffer.readableBytes == 0 {
            buffer = bytes.slice()
        } else {
            // The remaining bytes are a part of one packet. Without the next line the buffer would grow without limit.
            buffer.discardReadBytes()
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// Returns the next element, or nil until more bytes arrive.
    ///
    /// - Throws: a `PTPIPError`. Every later call throws the same error. The caller closes the connection.
    package mutating func next() throws(PTPIPError) -> Element? {
        do {
            return try step()
        } catch {
            state = .failed(error)
            buffer = ByteBuffer()
            throw error
        }
    }

    private mutating func step() throws(PTPIPError) -> Element? {
        while true {
            switch state {
            case .header:
                guard let (length, rawType) = header() else { return nil }
                guard let type = PTPIPPacketType(rawValue: rawType) else {
                    if let element = try beginSkipping(rawType, length: length) { return element }
                    continue
                }
                try check(type, length)
                if delivery == .inPieces && (type == .data || type == .endData) {
                    guard beginPayload(type, length: Int(length)) else { return nil }
                    continue
                }
                guard let body = readBody(length: Int(length)) else { return nil }
                return .packet(try PTPIPPacket(type: type, body: body))
            case .payload(let type, let transaction, let bytesLeft):
                return payloadPiece(type, transaction, bytesLeft)
            case .skipping(let bytesLeft):
                let count = min(bytesLeft, buffer.readableBytes)
                buffer.moveReaderIndex(forwardBy: count)
                guard bytesLeft == count else {
                    state = .skipping(bytesLeft: bytesLeft - count)
                    return nil
                }
                state = .header
            case .failed(let error):
                throw error
            }
        }
    }

    private func header() -> (length: UInt32, type: UInt32)? {
        guard
            let length: UInt32 = buffer.getInteger(at: buffer.readerIndex, endianness: .little),
            let type: UInt32 = buffer.getInteger(at: buffer.readerIndex + 4, endianness: .little)
        else { return nil }
        return (length, type)
    }

    private func check(_ type: PTPIPPacketType, _ length: UInt32) throws(PTPIPError) {
        if length < PTPIPPacketType.headerLength { throw .lengthBelowHeader(length) }
        let payloadLimit = delivery == .whole ? Self.wholeLengthMax : Self.piecedLengthMax
        let limit = type.lengthMax ?? payloadLimit
        if length > limit { throw .lengthBeyondLimit(type: type.rawValue, length: length, limit: limit) }
        if length < type.lengthMin { throw .tooShort(type: type, length: Int(length)) }
    }

    private mutating func beginSkipping(_ type: UInt32, length: UInt32) throws(PTPIPError) -> Element? {
        if length < PTPIPPacketType.headerLength { throw .lengthBelowHeader(length) }
        if length > Self.wholeLengthMax {
            throw .lengthBeyondLimit(type: type, length: length, limit: Self.wholeLengthMax)
        }
        state = .skipping(bytesLeft: Int(length))
        if reportedUnknownTypes.contains(type) || reportedUnknownTypes.count == Self.unknownTypesToldMax { return nil }
        reportedUnknownTypes.append(type)
        return .unknownType(type, length: length)
    }

    private mutating func readBody(length: Int) -> ByteBuffer? {
        guard buffer.readableBytes >= length else { return nil }
        buffer.moveReaderIndex(forwardBy: PTPIPPacketType.headerLength)
        return buffer.readSlice(length: length - PTPIPPacketType.headerLength)
    }

    private mutating func beginPayload(_ type: PTPIPPacketType, length: Int) -> Bool {
        let transactionOffset = buffer.readerIndex + PTPIPPacketType.headerLength
        guard let transaction: UInt32 = buffer.getInteger(at: transactionOffset, endianness: .little) else {
            return false
        }
        buffer.moveReaderIndex(forwardBy: type.lengthMin)
        state = .payload(type, transaction: transaction, bytesLeft: length - type.lengthMin)
        return true
    }

    private mutating func payloadPiece(_ type: PTPIPPacketType, _ transaction: UInt32, _ bytesLeft: Int) -> Element? {
        let count = min(bytesLeft, buffer.readableBytes)
        if count == 0 && bytesLeft > 0 { return nil }
        let bytes = buffer.readSlice(length: count) ?? ByteBuffer()
        let left = bytesLeft - count
        state = left == 0 ? .header : .payload(type, transaction: transaction, bytesLeft: left)
        return .payload(PayloadPiece(type: type, transaction: transaction, bytes: bytes, bytesLeft: left))
    }
}
