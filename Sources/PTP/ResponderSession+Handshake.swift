import NIOCore

/// Handles the Init packets, and accepts or rejects initiators.
extension ResponderSession {
    mutating func receiveInit(_ packet: PTPIPPacket, from index: Int, at now: Duration) throws(PTPIPError) {
        let id = connections[index].id
        switch packet {
        case .initCommandRequest(let request):
            connections[index].version = min(request.version ?? .max, PTPIPPacket.protocolVersion)
            connections[index].role = .waiting(request)
            if case .taken(let link) = slot, let event = link.event { return probe(on: event, at: now) }
            settleWaiting(at: now)
        case .initEventRequest(let number):
            guard case .taken(var link) = slot, link.event == nil, link.connectionNumber == number else {
                return refuse(id, .unspecified, at: now)
            }
            connections[index].role = .event
            link.event = id
            if let interval = options.probeInterval { link.probe = .due(now + interval) }
            slot = .taken(link)
            send(.initEventAck, on: id)
            outbox.append(.initiatorConnected)
        default:
            throw .unexpected(packet.type, during: StepNames.waitForInit)
        }
    }

    /// Accepts a waiting initiator when the session slot is free, and rejects it otherwise.
    mutating func settleWaiting(at now: Duration) {
        for connection in connections {
            guard case .waiting(let request) = connection.role, let index = index(of: connection.id) else { continue }
            guard case .free = slot else {
                refuse(connection.id, .busy, at: now)
                continue
            }
            slot = .asking(connection.id)
            connections[index].role = .asking
            outbox.append(.initiatorAsks(connection.id, request))
        }
    }

    /// Probes the connected initiator, unless it still has to answer an earlier probe.
    mutating func probe(on event: ConnectionID, at now: Duration) {
        if case .unanswered = link.probe { return }
        link.probe = .unanswered(until: now + options.probeLimit)
        send(.probeRequest, on: event)
    }

    /// Accepts the initiator, as the body decided. No effect if the initiator has disconnected.
    package mutating func admit(_ id: ConnectionID, at now: Duration) {
        guard case .asking(id) = slot, let index = index(of: id) else { return }
        connections[index].role = .command
        bytesUnderWay = 0
        let number = nextConnectionNumber
        nextConnectionNumber &+= 1
        slot = .taken(
            ResponderLink(
                command: id,
                connectionNumber: number,
                eventDeadline: now + options.eventConnectionLimit,
                lastOperation: now
            )
        )
        let ack = InitCommandAck(
            connectionNumber: number,
            guid: options.guid,
            name: options.name,
            version: connections[index].version
        )
        send(.initCommandAck(ack), on: id)
    }

    /// Rejects the initiator, as the body decided. No effect if the initiator has disconnected.
    package mutating func reject(_ id: ConnectionID, _ reason: InitFailReason, at now: Duration) {
        guard case .asking(id) = slot else { return }
        slot = .free
        refuse(id, reason, at: now)
    }

    private mutating func refuse(_ id: ConnectionID, _ reason: InitFailReason, at now: Duration) {
        outbox.append(.note(ResponderSentences.rejected(id, reason)))
        send(.initFail(reason), on: id)
        close(id)
    }

    /// Sends a packet of the handshake, whole or in two writes.
    mutating func send(_ packet: PTPIPPacket, on id: ConnectionID) {
        var buffer = packet.encoded()
        let headerLength = PTPIPPacketType.headerLength
        if options.splitsPackets, buffer.readableBytes > headerLength,
            let header = buffer.readSlice(length: headerLength)
        {
            outbox.append(.send(id, header))
        }
        outbox.append(.send(id, buffer))
    }

    mutating func receiveEventSide(_ packet: PTPIPPacket, at now: Duration) throws(PTPIPError) {
        guard case .taken(var link) = slot, let event = link.event else {
            preconditionFailure("an event connection belongs to a link")
        }
        switch packet {
        case .probeRequest:
            switch options.probeReaction {
            case .answer: send(.probeResponse, on: event)
            case .ignore: break
            case .close: fail(event, ResponderSentences.probed, at: now)
            }
        case .probeResponse:
            if case .unanswered = link.probe {
                link.probe = options.probeInterval.map { .due(now + $0) } ?? .off
            }
            slot = .taken(link)
            settleWaiting(at: now)
        case .cancel(let transaction):
            cancel(transaction, isOnCommand: false, at: now)
        case .event:
            outbox.append(.note(ResponderSentences.eventIgnored(on: event)))
        default:
            throw .unexpected(packet.type, during: StepNames.waitForEvents)
        }
    }
}
