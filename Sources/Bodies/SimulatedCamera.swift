import Cameras
import Exposure
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
    /// Go off the network, and come back then.
    case leave(Departure, until: Duration)
    /// The shutter has closed on a frame.
    case exposed(CardFrame)
    /// What nobody but the body knows for certain.
    case fact(BodyFact)
    /// One line that says what happened.
    case log(String)
}

/// A simulated camera on a network: a body, its PTP/IP responder, and what may go wrong between them and the initiator.
///
/// Pure: connections, bytes and time go in, actions come out in the order in which they are to be done. Times must not
/// go back. After every call `nextDeadline` says when `advance` is due.
package struct SimulatedCamera: Sendable {
    enum Link: Equatable, Sendable {
        case up
        /// Nobody listens, and nothing is connected. What was, is closed in order or reset.
        case broken(until: Duration, isOrderly: Bool)
        /// Connects are taken, bytes are swallowed, nothing is sent. `until` nil: until nothing is connected.
        case silent(until: Duration?)
    }

    var body: SonyBody
    var responder: ResponderSession
    var faults: ActiveFaults
    var link = Link.up
    /// Initiators that wait for a person's OK on the body.
    var pairings = Agenda<ConnectionID>()
    var outbox = Agenda<BodyAction>()
    let latency: Duration
    /// Bytes per second that files are sent with; nil: as fast as they go.
    var pace: Int?
    /// Until when each connection is busy with what was sent at that pace.
    var busyUntil: [ConnectionID: Duration] = [:]
    /// Whether the responder is told here that the network took its bytes, for want of somebody who knows.
    let creditsItself: Bool

    /// A camera that was just switched on.
    ///
    /// - Parameters:
    ///   - latency: how much later than the body wants it everything to the initiator is sent, closes too.
    ///   - sendWindow: how many bytes may wait for the network before files are sent no further; `written` then has to
    ///     be called. nil: everything is sent at once.
    package init(
        model: SonyModel,
        options: SonyBodyOptions = SonyBodyOptions(),
        latency: Duration = .zero,
        sendWindow: Int? = nil
    ) {
        precondition(latency >= .zero)
        body = SonyBody(model: model, options: options)
        faults = ActiveFaults(options.faults)
        self.latency = latency
        pace = faults.first { if case .slowTransfer(let bytes) = $0 { bytes } else { nil } }
        creditsItself = sendWindow == nil && pace != nil
        guard let guid = GUID(bytes: [UInt8](repeating: 0, count: 8) + [0xFF, 0xFF] + model.macAddress) else {
            preconditionFailure("a MAC address has 6 bytes")
        }
        var responderOptions = ResponderOptions(
            guid: guid,
            name: model.name,
            operations: body.operations,
            dataOutOperations: SonyBody.dataOutOperations
        )
        responderOptions.sendWindow = sendWindow ?? (pace == nil ? nil : Self.pacedWindow)
        responderOptions.slotHold =
            faults.first { if case .refuseAfterUncleanEnd(let time, isBusy: true) = $0 { time } else { nil } }
            ?? options.slotHold ?? model.slotHold
        responderOptions.idleLimit =
            faults.first { if case .idleDrop(let limit) = $0 { limit } else { nil } } ?? model.idleLimit
        responderOptions.probeInterval = faults.first { if case .probe(let every) = $0 { every } else { nil } }
        responderOptions.splitsPackets = true
        responder = ResponderSession(options: responderOptions)
    }

    /// Two packets of data.
    private static let pacedWindow = 128 << 10

    /// The frames exposed so far, in order.
    package var card: [CardFrame] { body.card }

    /// Where the dial stands.
    package var mode: DialMode { body.mode }

    /// The speed that the shutter would have now; nil: bulb.
    package var speed: ShutterSpeed? { body.speed.shutterSpeed }

    /// Somebody turns the dial of the shutter speed.
    package mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration) { body.turnSpeed(to: speed, at: now) }

    /// Whether the initiator holds a button of the shutter down.
    package var isButtonHeld: Bool { body.buttons.half || body.buttons.full }

    /// The speed that the shutter would have now, as the body shows it.
    package var shownSpeed: SonyShutterSpeed { body.speed }

    /// Whether nothing is wrong with its link now.
    package var isLinkUp: Bool { link == .up }

    /// The model.
    package var model: SonyModel { body.model }

    /// Whether an initiator has a session open.
    package var isSessionOpen: Bool { responder.isSessionOpen }

    /// Whether somebody listens when a connect arrives. Counts the connects that `refuse-connect` refuses.
    package mutating func acceptsConnection(at now: Duration) -> Bool {
        if case .broken(let until, _) = link, now < until { return false }
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

    /// The network has taken so many bytes of a connection; of cameras with a window only.
    package mutating func written(_ id: ConnectionID, _ count: Int, at now: Duration, into actions: inout [BodyAction])
    {
        advance(to: now, into: &actions)
        responder.written(id, count)
        run(at: now, into: &actions)
    }

    /// The initiator closed a connection, or it broke.
    package mutating func closed(_ id: ConnectionID, at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        outbox.cancel { $0.connection == id }
        busyUntil[id] = nil
        responder.closed(id, at: now)
        if link == .silent(until: nil), responder.connectionCount == 0 {
            link = .up
            actions.append(.log("fault over: the body answers again"))
        }
        run(at: now, into: &actions)
    }

    /// When `advance` wants to be called next; nil: not before something happens.
    package var nextDeadline: Duration? {
        body.nextDeadline.earlier(responder.nextDeadline).earlier(pairings.nextTime).earlier(outbox.nextTime)
            .earlier(linkDeadline)
    }

    private var linkDeadline: Duration? {
        switch link {
        case .up: nil
        case .broken(let until, _): until
        case .silent(let until): until
        }
    }

    /// Time has passed: everything that was due happens in its order, at its own time.
    package mutating func advance(to now: Duration, into actions: inout [BodyAction]) {
        while let time = nextDeadline, time <= now { step(at: time, into: &actions) }
    }

    private mutating func step(at now: Duration, into actions: inout [BodyAction]) {
        while let (_, action) = outbox.takeNext(dueBy: now) {
            actions.append(action)
            if creditsItself, case .send(let id, let bytes) = action { responder.written(id, bytes.readableBytes) }
        }
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

    mutating func run(at now: Duration, into actions: inout [BodyAction]) {
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
            case .answered(let transaction): body.answered(transaction, at: now, into: &outputs)
            case .brokeOff(let transaction): body.brokeOff(transaction, arriving: now + latency)
            case .cancelled(let transaction):
                body.cancelled(transaction)
                actions.append(.log("transaction \(transaction) cancelled"))
            case .initiatorLeft(let leave):
                actions.append(.log(leave == .lost ? "connection lost" : "disconnected"))
                actions.append(.fact(.left(isOrderly: leave != .lost)))
                body.initiatorLeft(at: now, into: &outputs)
                if leave == .lost { refuseAfterUncleanEnd(at: now, into: &actions) }
            case .note(let note): actions.append(.log(note))
            }
            let pending = outputs
            outputs.removeAll(keepingCapacity: true)
            apply(pending, at: now, into: &actions)
        }
    }

    mutating func apply(_ outputs: [SonyBody.Output], at now: Duration, into actions: inout [BodyAction]) {
        for output in outputs {
            switch output {
            case .event(let event): responder.send(event)
            case .exposed(let frame): actions.append(.exposed(frame))
            case .fact(let fact): actions.append(.fact(fact))
            case .log(let line): actions.append(.log(line))
            case .link(let fault): fail(fault, at: now, into: &actions)
            }
        }
    }
}
