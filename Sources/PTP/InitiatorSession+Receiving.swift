import NIOCore

extension InitiatorSession {
    /// Handles received bytes, which can begin and end anywhere in a packet.
    package mutating func received(
        _ bytes: ByteBuffer,
        on channel: Channel,
        at now: Duration,
        into actions: inout [Action]
    ) {
        recordableParts = []
        guard !isClosed else { return }
        let index = Int(channel.rawValue)
        recordableParts = recordableBytes[index].parts(of: bytes, dataset: dataset(on: channel))
        do throws(PTPIPError) {
            try decode(bytes, on: channel, at: now, into: &actions)
        } catch {
            lose(.protocolError(error), into: &actions)
        }
        guard !isClosed else { return }
        packetDeadlines[index] = decoders[index].isInsidePacket ? now + timing.withinPacket : nil
    }

    /// The running transaction if a recording is allowed to keep its data.
    private func dataset(on channel: Channel) -> UInt32? {
        guard case .running(_, let transaction) = state, channel == .command else { return nil }
        return transaction.operation.hasRecordableData ? transaction.id : nil
    }

    private mutating func decode(
        _ bytes: ByteBuffer,
        on channel: Channel,
        at now: Duration,
        into actions: inout [Action]
    ) throws(PTPIPError) {
        let index = Int(channel.rawValue)
        decoders[index].append(bytes)
        while !isClosed, let element = try decoders[index].next() {
            switch element {
            case .packet(let packet) where channel == .command: try receiveCommand(packet, at: now, into: &actions)
            case .packet(let packet): try receiveEvent(packet, at: now, into: &actions)
            case .payload(let piece): try receive(piece, at: now, into: &actions)
            case .unknownType(let type, let length):
                actions.append(.note(InitiatorSentences.unknownPacket(type: type, length: length, on: channel)))
            }
        }
    }

    private mutating func receiveCommand(
        _ packet: PTPIPPacket,
        at now: Duration,
        into actions: inout [Action]
    ) throws(PTPIPError) {
        switch (packet, state) {
        case (.initCommandAck(let ack), .waitingForCommandAck):
            openEvent(ack, attempt: 0, at: now, into: &actions)
        case (.initFail(let reason), .waitingForCommandAck), (.initFail(let reason), .openingEvent),
            (.initFail(let reason), .waitingForEventAck):
            refuse(reason, into: &actions)
        case (.probeRequest, _):
            actions.append(.send(.command, PTPIPPacket.probeResponse.encoded()))
        case (.probeResponse, _):
            break
        case (.event(let event), .open), (.event(let event), .running):
            // The camera should send events on the event connection, but an event on this connection is harmless.
            actions.append(.event(event))
        case (.startData(let transaction, let total), _):
            try receiveStart(transaction, total, at: now)
        case (.operationResponse(let response), _):
            try receive(response, into: &actions)
        case (.cancel(let transaction), .open), (.cancel(let transaction), .running):
            // After this Cancel the camera also sends a response with TransactionCanceled.
            actions.append(.note(InitiatorSentences.cancelled(transaction)))
        default:
            throw .unexpected(packet.type, during: stepName)
        }
    }

    private mutating func receiveEvent(
        _ packet: PTPIPPacket,
        at now: Duration,
        into actions: inout [Action]
    ) throws(PTPIPError) {
        switch (packet, state) {
        case (.initEventAck, .waitingForEventAck(let ack, _)):
            state = .open(ack)
            actions.append(.connected(ack))
        case (.initFail(let reason), .waitingForEventAck):
            refuse(reason, into: &actions)
        case (.event(let event), .open), (.event(let event), .running):
            actions.append(.event(event))
        case (.probeResponse, .open), (.probeResponse, .running):
            actions.append(.probeAnswered)
        case (.event, .closing), (.event, .waitingForEventAck), (.probeResponse, _), (.cancel, _):
            break
        case (.probeRequest, _):
            actions.append(.send(.event, PTPIPPacket.probeResponse.encoded()))
        default:
            throw .unexpected(packet.type, during: stepName)
        }
    }

    private mutating func refuse(_ reason: InitFailReason, into actions: inout [Action]) {
        closeChannels(into: &actions)
        state = .closed
        actions.append(.refused(reason))
    }

    /// The name of the present step, for messages.
    private var stepName: String {
        switch state {
        case .closed, .openingCommand, .openingEvent, .pausing: StepNames.connecting
        case .waitingForCommandAck, .waitingForEventAck: StepNames.initHandshake
        case .open: StepNames.noOperation
        case .running(_, let transaction): "\(transaction.operation.code)"
        case .closing: StepNames.closing
        }
    }
}
