import NIOCore

/// Sends answers.
extension ResponderSession {
    /// Sends an answer. Like real Sony bodies, it sends data as Start_Data, Data, an empty End_Data, then the response
    /// (rocc captures). With an option it sends one End_Data with everything, like Nikon bodies (airnef).
    mutating func respond(_ answer: ResponderAnswer, to transaction: UInt32) {
        let response = OperationResponse(code: answer.code, transaction: transaction, parameters: answer.parameters)
        guard let data = answer.data else {
            send(.operationResponse(response), on: link.command)
            return outbox.append(.answered(transaction: transaction))
        }
        send(.startData(transaction: transaction, totalLength: UInt64(data.count)), on: link.command)
        link.transaction = .sending(
            ResponderOutbound(
                rest: data,
                response: response,
                waitsForNetwork: answer.waitsForNetwork && options.sendWindow != nil,
                breaksAfter: answer.breaksAfter,
                end: options.sendsDataAtEnd && data.count > 0 ? .whole : .separate
            )
        )
    }

    /// Sends the next packet of an answer's data. After the last data packet, sends the response.
    ///
    /// - Returns: false when no packet is due, or when the network must accept earlier bytes first.
    mutating func sendMore(at now: Duration) -> Bool {
        guard case .taken(let current) = slot, case .sending(var outbound) = current.transaction else { return false }
        let window = options.sendWindow ?? .max
        let transaction = outbound.response.transaction
        guard outbound.rest.count == 0 || outbound.breaksAfter == 0 else {
            guard bytesUnderWay < window || !outbound.waitsForNetwork else { return false }
            let size = min(Self.chunkLength, outbound.breaksAfter ?? .max, outbound.rest.count)
            outbound.breaksAfter = outbound.breaksAfter.map { $0 - size }
            sendPart(of: &outbound, size)
            link.transaction = .sending(outbound)
            return true
        }
        guard bytesUnderWay == 0 || !outbound.waitsForNetwork else { return false }
        link.transaction = .none
        link.lastOperation = now
        guard outbound.breaksAfter != 0 else {
            outbox.append(.brokeOff(transaction: transaction))
            return true
        }
        if case .separate = outbound.end {
            send(.endData(transaction: transaction, payload: ByteBuffer()), on: link.command)
        }
        send(.operationResponse(outbound.response), on: link.command)
        outbox.append(.answered(transaction: transaction))
        return true
    }

    /// Sends a Data packet, or the next part of the only End_Data packet. Copies the payload only when it is small.
    private mutating func sendPart(of outbound: inout ResponderOutbound, _ size: Int) {
        let transaction = outbound.response.transaction
        var packet = ByteBuffer()
        switch outbound.end {
        case .separate: packet = Self.head(of: .data(transaction: transaction, payload: ByteBuffer()), size)
        case .whole:
            packet = Self.head(of: .endData(transaction: transaction, payload: ByteBuffer()), outbound.rest.count)
            outbound.end = .begun
        case .begun: break
        }
        let command = link.command
        let payload = outbound.rest.read(upTo: size)
        if options.splitsPackets, let header = packet.readSlice(length: PTPIPPacketType.headerLength) {
            outbox.append(.send(command, header))
        }
        if size <= Self.copiedMax {
            for bytes in payload { packet.writeImmutableBuffer(bytes) }
            outbox.append(.send(command, packet))
        } else {
            if packet.readableBytes > 0 { outbox.append(.send(command, packet)) }
            for bytes in payload { outbox.append(.send(command, bytes)) }
        }
    }

    /// The bytes of a data packet before its payload of `size` bytes.
    private static func head(of packet: PTPIPPacket, _ size: Int) -> ByteBuffer {
        var bytes = packet.encoded()
        bytes.setInteger(UInt32(bytes.readableBytes + size), at: bytes.readerIndex, endianness: .little)
        return bytes
    }

    /// The payload size of a Data packet, as in libgphoto2.
    private static let chunkLength = 64 << 10
    /// The largest payload that is copied, so that the packet is one buffer.
    private static let copiedMax = 4 << 10
}
