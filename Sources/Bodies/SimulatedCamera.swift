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
    /// Refuse every connect until then: no socket listens.
    case refuseConnections(until: Duration)
    /// Go off the network, and come back then.
    case leave(Departure, until: Duration)
    /// The shutter has closed on a frame.
    case exposed(CardFrame)
    /// What only the body knows for certain.
    case fact(BodyFact)
    /// One line that says what happened.
    case log(String)
}

/// A simulated camera on a network: a body of any maker, and the link between it and the initiator, which has a
/// latency and a pace and may fail.
///
/// Pure: connections, bytes and time go in, actions come out in the order in which they are to be done. Times must not
/// go back. After every call `nextDeadline` says when `advance` is due.
package struct SimulatedCamera: Sendable {
    enum Link: Equatable, Sendable {
        case up
        /// No socket listens, and nothing is connected. What was, is closed in order or reset.
        case broken(until: Duration, isOrderly: Bool)
        /// Connects are taken, bytes are swallowed, nothing is sent. `until` nil: until nothing is connected.
        case silent(until: Duration?)
    }

    package internal(set) var body: any SimulatedBody
    var faults: ActiveFaults
    var link = Link.up
    var outbox = Agenda<BodyAction>()
    let latency: Duration
    /// Bytes per second that files are sent with; nil: as fast as they go.
    var pace: Int?
    /// Until when each connection is busy with what was sent at that pace.
    var busyUntil: [ConnectionID: Duration] = [:]
    /// Whether the network's taking of bytes is reported to the body here, because no network does it.
    let creditsItself: Bool

    /// A camera that was just switched on.
    ///
    /// - Parameter options: those that the body was made with.
    package init(_ body: any SimulatedBody, options: BodyOptions = BodyOptions()) {
        precondition(options.latency >= .zero)
        self.body = body
        faults = ActiveFaults(options.faults)
        latency = options.latency
        pace = options.pace
        creditsItself = options.sendWindow == nil && pace != nil
    }

    /// Where it listens.
    package var ports: [BodyPort] { type(of: body).ports }

    // MARK: What a judge asks

    /// The frames exposed so far, in order.
    package var card: [CardFrame] { body.card }

    /// Where the dial stands.
    package var mode: DialMode { body.mode }

    /// See ``BodyControls/cameraID``.
    package var cameraID: String { body.cameraID }

    /// The speed that the shutter would have now.
    package var shownSpeed: BodySpeed { body.shownSpeed }

    /// The same on the third-stop scale; nil: bulb.
    package var speed: ShutterSpeed? { body.shownSpeed.shutterSpeed }

    /// Whether the initiator holds a button of the shutter down.
    package var isButtonHeld: Bool { body.isButtonHeld }

    /// Whether an initiator has a session open.
    package var isSessionOpen: Bool { body.isSessionOpen }

    /// Whether nothing is wrong with its link now.
    package var isLinkUp: Bool { link == .up }

    // MARK: Connections

    /// Whether a socket listens when a connect arrives. Counts the connects that `refuse-connect` refuses.
    package mutating func acceptsConnection(at now: Duration) -> Bool {
        if case .broken(let until, _) = link, now < until { return false }
        return faults.take { if case .refuseConnect = $0 { true } else { nil } } == nil
    }

    /// A connect was accepted.
    ///
    /// - Parameter port: the one that was called; nil: the first of the body's.
    package mutating func accepted(
        _ id: ConnectionID,
        on port: UInt16? = nil,
        at now: Duration,
        into actions: inout [BodyAction]
    ) {
        advance(to: now, into: &actions)
        body.accepted(id, on: port ?? ports.first?.number ?? 0, at: now)
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
        case .up: body.received(id, bytes, at: now)
        case .silent: body.missed(id, bytes)
        case .broken: break
        }
        run(at: now, into: &actions)
    }

    /// The network has taken so many bytes of a connection; of cameras with a window only.
    package mutating func written(_ id: ConnectionID, _ count: Int, at now: Duration, into actions: inout [BodyAction])
    {
        advance(to: now, into: &actions)
        body.written(id, count)
        run(at: now, into: &actions)
    }

    /// The initiator closed a connection, or it broke.
    package mutating func closed(_ id: ConnectionID, at now: Duration, into actions: inout [BodyAction]) {
        advance(to: now, into: &actions)
        outbox.cancel { $0.connection == id }
        busyUntil[id] = nil
        body.closed(id, at: now)
        if link == .silent(until: nil), body.connectionCount == 0 {
            link = .up
            actions.append(.log("fault over: the body answers again"))
        }
        run(at: now, into: &actions)
    }

    // MARK: Time

    /// When `advance` wants to be called next; nil: not before something happens.
    package var nextDeadline: Duration? {
        body.nextDeadline.earlier(outbox.nextTime).earlier(linkDeadline)
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
            if creditsItself, case .send(let id, let bytes) = action { body.written(id, bytes.readableBytes) }
        }
        if let linkDeadline, linkDeadline <= now {
            link = .up
            actions.append(.log("fault over: the link works again"))
        }
        body.advance(to: now)
        run(at: now, into: &actions)
    }

    // MARK: What the body wants

    mutating func run(at now: Duration, into actions: inout [BodyAction]) {
        var outputs: [BodyOutput] = []
        while body.work(at: now, into: &outputs) {
            for output in outputs { apply(output, at: now, into: &actions) }
            outputs.removeAll(keepingCapacity: true)
        }
    }

    mutating func apply(_ output: BodyOutput, at now: Duration, into actions: inout [BodyAction]) {
        switch output {
        case .send(let id, let bytes): emit(.send(id, bytes), at: now, into: &actions)
        case .close(let id): emit(.close(id), at: now, into: &actions)
        case .exposed(let frame): actions.append(.exposed(frame))
        case .fact(let fact):
            actions.append(.fact(fact))
            if fact == .left(isOrderly: false) { refuseAfterUncleanEnd(at: now, into: &actions) }
        case .log(let line): actions.append(.log(line))
        case .link(let fault): fail(fault, at: now, into: &actions)
        }
    }
}
