import NIOCore

/// The camera's side of PTP/IP as a state machine over bytes.
///
/// Bytes, closes and time go in; `nextAction` gives what is to be done, one action after the other, until nil. Whoever
/// owns the session calls it after every input, and answers `.initiatorAsks` and `.perform` in between, so that
/// requests that came in one segment are performed in turn.
///
/// One initiator at a time: when another one comes, the present one is probed. If it answers, it stays, and the other
/// one is turned away with Init_Fail 2; else the other one takes its place (DC5). Hostile bytes cost the connection
/// that they came on, and the session only when it is one of its two.
package struct ResponderSession: Sendable {
    /// Who holds the only place.
    enum Slot: Sendable {
        case free
        /// An initiator waits for the body's decision.
        case asking(ConnectionID)
        case taken(ResponderLink)
        /// The initiator's connections broke without CloseSession, and the body has not noticed yet.
        case held(until: Duration)
    }

    /// The most connections at a time, whatever they are for.
    package static let connectionsMax = 8

    /// What is changed holds from what happens next.
    package var options: ResponderOptions
    var slot = Slot.free
    var connections: [ResponderConnection] = []
    var outbox: [ResponderAction] = []
    var nextConnectionNumber: UInt32 = 1
    /// What was handed out for the command connection and not yet written.
    var bytesUnderWay = 0

    /// A responder that nobody has connected to.
    package init(options: ResponderOptions) {
        self.options = options
    }

    /// Whether an initiator has opened a session.
    package var isSessionOpen: Bool {
        if case .taken(let link) = slot, case .open = link.session { true } else { false }
    }

    /// How many connections stand, whatever they are for.
    package var connectionCount: Int { connections.count }

    /// A TCP connection was accepted.
    package mutating func accepted(_ id: ConnectionID, at now: Duration) {
        precondition(!connections.contains { $0.id == id }, "a connection is accepted once")
        guard connections.count < Self.connectionsMax else {
            outbox.append(.note("\(id): too many connections, closed"))
            outbox.append(.close(id))
            return
        }
        connections.append(ResponderConnection(id: id, deadline: now + options.initLimit))
    }

    /// A connection brought bytes. Those of a connection that is closed already are dropped.
    package mutating func received(_ id: ConnectionID, _ bytes: ByteBuffer, at now: Duration) {
        guard let index = index(of: id) else { return }
        connections[index].decoder.append(bytes)
        connections[index].hasBytes = true
        guard connections[index].isUndecided else { return }
        connections[index].bytesWaiting += bytes.readableBytes
        if connections[index].bytesWaiting > ResponderConnection.bytesWaitingMax {
            fail(id, "sent too much before it was accepted", at: now)
        }
    }

    /// A connection brought bytes while the body heard nothing: they are counted out packet by packet, so that the
    /// connection is understood again later.
    package mutating func missed(_ id: ConnectionID, _ bytes: ByteBuffer) {
        guard let index = index(of: id) else { return }
        connections[index].decoder.append(bytes)
        // What breaks the decoder now breaks it again with the next bytes that are heard.
        while (try? connections[index].decoder.next()) != nil {}
    }

    /// The other side closed a connection, or it broke.
    package mutating func closed(_ id: ConnectionID, at now: Duration) {
        guard let index = index(of: id) else { return }
        connections.remove(at: index)
        leave(after: id, at: now)
    }

    /// Breaks every connection at once, as when the camera's radio goes away. The body knows: the place is free.
    package mutating func disconnect(at now: Duration) {
        for connection in connections { outbox.append(.close(connection.id)) }
        connections.removeAll()
        switch slot {
        case .taken(let link): outbox.append(.initiatorLeft(link.isInSession ? .lost : .inOrder))
        case .free, .asking, .held: break
        }
        slot = .free
    }

    /// What is to be done next; nil until the next input.
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

    /// The network has taken bytes of a connection. To be said when `ResponderOptions.sendWindow` is set.
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
            outbox.append(.note("\(connection.id): packet of unknown type \(type), \(length) bytes, skipped"))
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

    // MARK: Leaving

    /// A connection did what cannot be repaired.
    mutating func fail(_ id: ConnectionID, _ reason: String, at now: Duration) {
        outbox.append(.note("\(id): \(reason), closed"))
        close(id)
        leave(after: id, at: now)
    }

    /// The present initiator did not answer a probe: its place is free at once for one that waits.
    mutating func dropUnanswering(_ event: ConnectionID, at now: Duration) {
        let hold = options.slotHold
        if connections.contains(where: \.isUndecided) { options.slotHold = .zero }
        fail(event, "the probe was not answered", at: now)
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
            outbox.append(.initiatorLeft(.inOrder))
        case .taken(let link) where link.command == id || link.event == id:
            close(link.command)
            if let event = link.event { close(event) }
            let isLost = link.isInSession
            slot = isLost && options.slotHold > .zero ? .held(until: now + options.slotHold) : .free
            outbox.append(.initiatorLeft(isLost ? .lost : .inOrder))
            settleWaiting(at: now)
        case .free, .asking, .taken, .held:
            break
        }
    }

    func index(of id: ConnectionID) -> Int? { connections.firstIndex { $0.id == id } }
}
