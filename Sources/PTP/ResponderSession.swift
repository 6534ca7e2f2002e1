import NIOCore

/// The camera's side of PTP/IP as a state machine over bytes.
///
/// The inputs are bytes, closed connections and time. After every input, the owner of the session calls `nextAction`
/// until it returns nil. The owner answers `.initiatorAsks` and `.perform` before the next call, so that several
/// requests from one TCP segment are performed in order.
///
/// Only one initiator can be connected. When a second initiator connects, the responder probes the first. If the first
/// answers, the responder rejects the second with Init_Fail 2. Otherwise the second replaces the first (DC5). Invalid
/// bytes end their connection, and also the session if the connection belongs to it.
package struct ResponderSession: Sendable {
    /// The state of the only session slot.
    enum Slot: Sendable {
        case free
        /// An initiator waits for the body's decision.
        case asking(ConnectionID)
        case taken(ResponderLink)
        /// The initiator's connections broke without CloseSession, and the body notices this only at that time.
        case held(until: Duration)
    }

    /// The maximum number of connections, including rejected and waiting ones.
    package static let connectionsMax = 8

    /// The options. A change takes effect with the next input.
    package var options: ResponderOptions
    var slot = Slot.free
    var connections: [ResponderConnection] = []
    var outbox: [ResponderAction] = []
    var nextConnectionNumber: UInt32
    /// The number of sent bytes on the command connection that the network has not accepted yet.
    var bytesUnderWay = 0

    /// A responder without connections.
    package init(options: ResponderOptions) {
        self.options = options
        nextConnectionNumber = options.firstConnectionNumber
    }

    /// Whether an initiator has opened a session.
    package var isSessionOpen: Bool {
        if case .taken(let link) = slot, case .open = link.session { true } else { false }
    }

    /// The number of open connections, including rejected and waiting ones.
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

    /// Handles bytes from an initiator. Ignores bytes of a connection that is already closed.
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

    /// Discards bytes that arrived while the body was silent. Decodes them to find the start of the next packet.
    package mutating func missed(_ id: ConnectionID, _ bytes: ByteBuffer) {
        guard let index = index(of: id) else { return }
        connections[index].decoder.append(bytes)
        // The decoder throws its error again with the next bytes that the body receives.
        while (try? connections[index].decoder.next()) != nil {}
    }

    /// Handles the end of a connection that the initiator closed, or that broke.
    package mutating func closed(_ id: ConnectionID, at now: Duration) {
        guard let index = index(of: id) else { return }
        connections.remove(at: index)
        leave(after: id, at: now)
    }

    /// Breaks every connection at once, as when the camera's radio is switched off. The session slot is then free.
    package mutating func disconnect(at now: Duration) {
        for connection in connections { outbox.append(.close(connection.id)) }
        connections.removeAll()
        switch slot {
        case .taken(let link): outbox.append(.initiatorDisconnected(link.isInSession ? .lost : .inOrder))
        case .free, .asking, .held: break
        }
        slot = .free
    }

    /// Returns the next action; nil: no action before the next input.
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

    /// Notes that the network has accepted bytes. Must be called if `ResponderOptions.sendWindow` is set.
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

    /// Closes a connection because of an error, and ends its session.
    mutating func fail(_ id: ConnectionID, _ reason: String, at now: Duration) {
        outbox.append(.note(ResponderSentences.closed(id, reason)))
        close(id)
        leave(after: id, at: now)
    }

    /// Disconnects an initiator that did not answer a probe. The slot is then free at once for a waiting initiator.
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

    /// Ends the session when the first of its two connections ends.
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
