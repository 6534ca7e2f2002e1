import NIOCore
import PTP

/// What a simulated camera wants of the network.
package enum BodyAction: Equatable, Sendable {
    /// Write these bytes.
    case send(ConnectionID, ByteBuffer)
    /// Close once everything before is written.
    case close(ConnectionID)
    /// Break at once: a reset, and nothing that is still unwritten arrives.
    case abort(ConnectionID)
    /// Refuse every connect until then: nobody listens.
    case refuseConnections(until: Duration)
    /// The shutter has closed on a frame.
    case exposed(CardFrame)
    /// One line that says what happened.
    case log(String)
}

/// A simulated camera on a network: a body, its PTP/IP responder, and what may go wrong between them and the initiator.
///
/// Pure: connections, bytes and time go in, actions come out in the order in which they are to be done. Times must not
/// go back. After every call `nextDeadline` says when `advance` is due.
package struct SimulatedCamera: Sendable {
    private enum Link: Equatable, Sendable {
        case up
        /// Nobody listens, and nothing is connected.
        case broken(until: Duration)
        /// Connects are taken, bytes are swallowed, nothing is sent. `until` nil: until nothing is connected.
        case silent(until: Duration?)
    }

    private var body: SonyBody
    private var responder: ResponderSession
    private var faults: ActiveFaults
    private var link = Link.up
    /// Initiators that wait for a person's OK on the body.
    private var pairings = Agenda<ConnectionID>()
    private var outbox = Agenda<BodyAction>()
    private let latency: Duration

    /// A camera that was just switched on.
    ///
    /// - Parameter latency: how much later than the body wants it everything to the initiator is sent, closes too.
    package init(model: SonyModel, options: SonyBodyOptions = SonyBodyOptions(), latency: Duration = .zero) {
        precondition(latency >= .zero)
        body = SonyBody(model: model, options: options)
        faults = ActiveFaults(options.faults)
        self.latency = latency
        guard let guid = GUID(bytes: [UInt8](repeating: 0, count: 8) + [0xFF, 0xFF] + model.macAddress) else {
            preconditionFailure("a MAC address has 6 bytes")
        }
        var responderOptions = ResponderOptions(
            guid: guid,
            name: model.name,
            operations: SonyBody.operations,
            dataOutOperations: SonyBody.dataOutOperations
        )
        responderOptions.slotHold = options.slotHold ?? model.slotHold
        responderOptions.idleLimit = model.idleLimit
        responderOptions.probeInterval = faults.first { if case .probe(let every) = $0 { every } else { nil } }
        responderOptions.splitsPackets = true
        responder = ResponderSession(options: responderOptions)
    }

    /// The frames exposed so far, in order.
    package var card: [CardFrame] { body.card }

    /// Where the dial stands.
    package var mode: DialMode { body.mode }

    /// The model.
    package var model: SonyModel { body.model }

    /// Whether an initiator has a session open.
    package var isSessionOpen: Bool { responder.isSessionOpen }

    /// Whether somebody listens when a connect arrives. Counts the connects that `refuse-connect` refuses.
    package mutating func acceptsConnection(at now: Duration) -> Bool {
        if case .broken(let until) = link, now < until { return false }
        return faults.take { if case .refuseConnect = $0 { true } else { nil } } == nil
    }

    /// A connect was accepted.
    package mutating func accepted(_ id: ConnectionID, at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        responder.accepted(id, at: now)
        run(at: now, into: &actions)
    }

    /// Bytes came from the initiator.
    package mutating func received(
        _ id: ConnectionID,
        _ bytes: ByteBuffer,
        at now: Duration,
        into actions: inout [BodyAction]
    ) {
        advance(to: now, into: &actions)
        switch link {
        case .up: responder.received(id, bytes, at: now)
        case .silent: responder.missed(id, bytes)
        case .broken: break
        }
        run(at: now, into: &actions)
    }

    /// The initiator closed a connection, or it broke.
    package mutating func closed(_ id: ConnectionID, at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        outbox.cancel { $0.connection == id }
        responder.closed(id, at: now)
        if link == .silent(until: nil), responder.connectionCount == 0 {
            link = .up
            actions.append(.log("fault over: the body answers again"))
        }
        run(at: now, into: &actions)
    }

    /// When `advance` wants to be called next; nil: not before something happens.
    package var nextDeadline: Duration? {
        [body.nextDeadline, responder.nextDeadline, pairings.nextTime, outbox.nextTime, linkDeadline]
            .compactMap(\.self).min()
    }

    private var linkDeadline: Duration? {
        switch link {
        case .up: nil
        case .broken(let until): until
        case .silent(let until): until
        }
    }

    /// Time has passed: everything that was due happens in its order, at its own time.
    package mutating func advance(to now: Duration, into actions: inout [BodyAction]) {
        while let time = nextDeadline, time <= now { step(at: time, into: &actions) }
    }

    private mutating func step(at now: Duration, into actions: inout [BodyAction]) {
        while let (_, action) = outbox.takeNext(dueBy: now) { actions.append(action) }
        if let linkDeadline, linkDeadline <= now {
            link = .up
            actions.append(.log("fault over: the link is back"))
        }
        while let (_, id) = pairings.takeNext(dueBy: now) { responder.admit(id, at: now) }
        var outputs: [SonyBody.Output] = []
        body.advance(to: now, into: &outputs)
        apply(outputs, at: now, into: &actions)
        responder.advance(to: now)
        run(at: now, into: &actions)
    }

    // MARK: What body and responder want

    private mutating func run(at now: Duration, into actions: inout [BodyAction]) {
        var outputs: [SonyBody.Output] = []
        while let action = responder.nextAction(at: now) {
            switch action {
            case .send(let id, let bytes): emit(.send(id, bytes), at: now, into: &actions)
            case .close(let id): emit(.close(id), at: now, into: &actions)
            case .initiatorAsks(let id, let request): decide(on: id, request, at: now, into: &actions)
            case .initiatorConnected: actions.append(.log("connected"))
            case .perform(let request):
                actions.append(.log(Self.describe(request)))
                let answer = body.perform(request, at: now, into: &outputs)
                if let answer {
                    responder.answer(answer, to: request.transaction)
                } else {
                    responder.forget(request.transaction)
                }
            case .cancelled(let transaction): actions.append(.log("transaction \(transaction) cancelled"))
            case .initiatorLeft(let leave):
                actions.append(.log(leave == .lost ? "connection lost" : "disconnected"))
                body.initiatorLeft(at: now, into: &outputs)
            case .note(let note): actions.append(.log(note))
            }
            let pending = outputs
            outputs.removeAll(keepingCapacity: true)
            apply(pending, at: now, into: &actions)
        }
    }

    private mutating func apply(_ outputs: [SonyBody.Output], at now: Duration, into actions: inout [BodyAction]) {
        for output in outputs {
            switch output {
            case .event(let event): responder.send(event)
            case .exposed(let frame): actions.append(.exposed(frame))
            case .log(let line): actions.append(.log(line))
            case .link(let fault): fail(fault, at: now, into: &actions)
            }
        }
    }

    private mutating func fail(_ fault: SonyBody.LinkFault, at now: Duration, into actions: inout [BodyAction]) {
        switch fault {
        case .broken(let back):
            actions.append(.log("fault: the link drops for \(DurationText.milliseconds(back)) ms"))
            outbox.cancel { $0.connection != nil }
            link = .broken(until: now + back)
            responder.disconnect(at: now)
            actions.append(.refuseConnections(until: now + back))
        case .silent(let back):
            actions.append(.log("fault: the body falls silent"))
            outbox.cancel { $0.connection != nil }
            link = .silent(until: back.map { now + $0 })
        }
    }

    private mutating func decide(
        on id: ConnectionID,
        _ request: InitCommandRequest,
        at now: Duration,
        into actions: inout [BodyAction]
    ) {
        if let reason = faults.take({ if case .initFail(let reason, _) = $0 { reason } else { nil } }) {
            actions.append(.log("fault: initiator turned away with reason \(reason)"))
            return responder.turnAway(id, InitFailReason(rawValue: reason), at: now)
        }
        if let delay = faults.first({ if case .pairing(let delay) = $0 { delay } else { nil } }) {
            actions.append(.log("fault: the initiator waits for the OK on the body"))
            return pairings.plan(id, at: now + delay)
        }
        responder.admit(id, at: now)
    }

    /// Bytes leave after the latency; while the body is silent, none do. A broken link resets.
    private mutating func emit(_ action: BodyAction, at now: Duration, into actions: inout [BodyAction]) {
        switch (link, action) {
        case (.silent, .send): return
        case (.broken, .close(let id)): actions.append(.abort(id))
        case (.broken, .send): return
        case (_, _) where latency == .zero: actions.append(action)
        case (_, _): outbox.plan(action, at: now + latency)
        }
    }
}

extension BodyAction {
    /// The connection whose bytes or end this is.
    fileprivate var connection: ConnectionID? {
        switch self {
        case .send(let id, _), .close(let id), .abort(let id): id
        case .refuseConnections, .exposed, .log: nil
        }
    }
}
