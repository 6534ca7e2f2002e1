import NIOCore

/// The camera's side of PTP/IP as a state machine over bytes.
///
/// Inputs are bytes, closes and time; `nextAction` returns the actions one after the other, until nil. The owner of the
/// session calls it after every input, and answers `.initiatorAsks` and `.perform` in between. So requests from one
/// segment are performed in turn.
///
/// One initiator at a time: when another one connects, the present one is probed. If it answers, it stays, and the
/// other one is rejected with Init_Fail 2. Otherwise the other one replaces it (DC5). Invalid bytes end the connection
/// that they arrived on, and the session only if the connection belongs to it.
package struct ResponderSession: Sendable {
    /// The holder of the only place.
    enum Slot: Sendable {
        case free
        /// An initiator waits for the body's decision.
        case asking(ConnectionID)
        case taken(ResponderLink)
        /// The initiator's connections broke without CloseSession, and the body has not noticed yet.
        case held(until: Duration)
    }

    /// The most connections at a time, of all kinds.
    package static let connectionsMax = 8

    /// A change holds from the next event.
    package var options: ResponderOptions
    var slot = Slot.free
    var connections: [ResponderConnection] = []
    var outbox: [ResponderAction] = []
    var nextConnectionNumber: UInt32 = 1
    /// The byte count that was sent on the command connection and is not written yet.
    var bytesUnderWay = 0

    /// A responder without connections.
    package init(options: ResponderOptions) {
        self.options = options
    }

    /// Whether an initiator has opened a session.
    package var isSessionOpen: Bool {
        if case .taken(let link) = slot, case .open = link.session { true } else { false }
    }

    /// The number of open connections of all kinds.
    package var connectionCount: Int { connections.count }

    package mutating func accepted(_ id: ConnectionID, at now: Duration) {
        precondition(!connections.contains { $0.id == id }, "a connection is accepted once")
        guard connections.count < Self.connectionsMax else {
            outbox.append(.note(ResponderSentences.closed(id, ResponderSentences.tooManyConnections)))
            outbox.append(.close(id))
            return
        }
        connections.append(ResponderConnection(id: id, deadline: now + options.initLimit))
    }

    /// Bytes of a connection that is already closed are dropped.
    package mutating func received(_ id: ConnectionID, _ bytes: ByteBuffer, at now: Duration) {
        guard let index = index(of: id) else { return }
        connections[index].decoder.append(bytes)
        connections[index].hasBytes = true
        guard connections[index].isUndecided else { return }
        connections[index].bytesWaiting += bytes.readableBytes
        if connections[index].bytesWaiting > ResponderConnection.bytesWaitingMax {
            fail(id, ResponderSentences.tooManyBytes, at: now)
        }
    }

    /// Bytes of a connection that arrived while the body was deaf. They are decoded packet by packet, so that later
    /// packets are understood.
    package mutating func missed(_ id: ConnectionID, _ bytes: ByteBuffer) {
        guard let index = index(of: id) else { return }
        connections[index].decoder.append(bytes)
        // An error of the decoder repeats with the next bytes that the body receives.
        while (try? connections[index].decoder.next()) != nil {}
    }

    /// The other side closed a connection, or it broke.
    package mutating func closed(_ id: ConnectionID, at now: Duration) {
        guard let index = index(of: id) else { return }
        connections.remove(at: index)
        leave(after: id, at: now)
    }

    /// Breaks every connection at once, as when the camera's radio is switched off. The body notices it: the place is
    /// free.
    package mutating func disconnect(at now: Duration) {
        for connection in connections { outbox.append(.close(connection.id)) }
        connections.removeAll()
        switch slot {
        case .taken(let link): outbox.append(.initiatorDisconnected(link.isInSession ? .lost : .inOrder))
        case .free, .asking, .held: break
        }
        slot = .free
    }

    /// The next action; nil until the next input.
    package mutating func nextAction(at now: Duration) -> ResponderAction? {
        while outbox.isEmpty {
            if sendMore(at: now) { continue }
            guard let index = connections.firstIndex(where: \.isDecoding) else { return nil }
            decode(index, at: now)
        }
        let action = outbox.removeFirst()
        if case .send(let id, let bytes) = action, case .taken(let link) = slot, link.command == id {
            bytesUnderWay += bytes.readableBytes
        }
        return action
    }

    /// The network has accepted bytes of a connection. Required when `ResponderOptions.sendWindow` is set.
    package mutating func written(_ id: ConnectionID, _ count: Int) {
        guard case .taken(let link) = slot, link.command == id else { return }
        bytesUnderWay = max(0, bytesUnderWay - count)
    }

    private mutating func decode(_ index: Int, at now: Duration) {
        let id = connections[index].id
        do throws(PTPIPError) {
            guard let element = try connections[index].decoder.next() else {
                connections[index].hasBytes = false
                let isInside = connections[index].decoder.isInsidePacket
                let deadline = connections[index].packetDeadline ?? now + options.packetLimit
                connections[index].packetDeadline = isInside ? deadline : nil
                return
            }
            connections[index].packetDeadline = nil
            try handle(element, from: index, at: now)
        } catch {
            fail(id, error.description, at: now)
        }
    }

    private mutating func handle(
        _ element: PacketDecoder.Element,
        from index: Int,
        at now: Duration
    ) throws(PTPIPError) {
        let connection = connections[index]
        switch element {
        case .unknownType(let type, let length):
            outbox.append(.note(ResponderSentences.unknownPacket(type: type, length: length, on: connection.id)))
        case .payload(let piece):
            guard connection.role == .command else {
                throw .unexpected(piece.type, during: "\(connection.role)")
            }
            try receivePayload(piece, at: now)
        case .packet(let packet):
            switch connection.role {
            case .fresh: try receiveInit(packet, from: index, at: now)
            case .asking, .waiting: preconditionFailure("nothing is decoded before the initiator is admitted")
            case .command: try receiveCommand(packet, at: now)
            case .event: try receiveEventSide(packet, at: now)
            }
        }
    }

    // MARK: Disconnecting

    /// A connection had an error that cannot be repaired.
    mutating func fail(_ id: ConnectionID, _ reason: String, at now: Duration) {
        outbox.append(.note(ResponderSentences.closed(id, reason)))
        close(id)
        leave(after: id, at: now)
    }

    /// The present initiator did not answer a probe: its place is free at once for a waiting one.
    mutating func dropUnanswering(_ event: ConnectionID, at now: Duration) {
        let hold = options.slotHold
        if connections.contains(where: \.isUndecided) { options.slotHold = .zero }
        fail(event, ResponderSentences.probeUnanswered, at: now)
        options.slotHold = hold
    }

    mutating func close(_ id: ConnectionID) {
        guard let index = index(of: id) else { return }
        connections.remove(at: index)
        outbox.append(.close(id))
    }

    /// The session ends with the first of its two connections.
    private mutating func leave(after id: ConnectionID, at now: Duration) {
        switch slot {
        case .asking(let asking) where asking == id:
            slot = .free
            outbox.append(.initiatorDisconnected(.inOrder))
        case .taken(let link) where link.command == id || link.event == id:
            close(link.command)
            if let event = link.event { close(event) }
            let isLost = link.isInSession
            slot = isLost && options.slotHold > .zero ? .held(until: now + options.slotHold) : .free
            outbox.append(.initiatorDisconnected(isLost ? .lost : .inOrder))
            settleWaiting(at: now)
        case .free, .asking, .taken, .held:
            break
        }
    }

    func index(of id: ConnectionID) -> Int? { connections.firstIndex { $0.id == id } }
}
