import Cameras
import Exposure
import NIOCore
import PTP

/// A network action of a simulated camera.
package enum BodyAction: Equatable, Sendable {
    case send(ConnectionID, ByteBuffer)
    /// Close the connection after all earlier bytes are written.
    case close(ConnectionID)
    /// Reset the connection at once. Unwritten bytes are lost.
    case abort(ConnectionID)
    /// Refuse every connection until this time: no socket listens.
    case refuseConnections(until: Duration)
    /// Leave the network, and return at this time.
    case leave(Departure, until: Duration)
    /// The shutter has closed, and a frame is exposed.
    case exposed(CardFrame)
    /// A fact that only the body knows for certain.
    case fact(BodyFact)
    /// One line for the log.
    case log(String)
}

/// A simulated camera on a network: a body, and its link to the initiator with latency, transfer rate and faults.
///
/// The camera is pure. Its inputs are connections, bytes and time, and its outputs are actions. Times must not
/// decrease. After every call, `nextDeadline` is the time of the next `advance`.
package struct SimulatedCamera: Sendable {
    enum Link: Equatable, Sendable {
        case up
        /// No socket listens, and no connection is open. `isOrderly`: earlier connections were closed, not reset.
        case broken(until: Duration, isOrderly: Bool)
        /// The camera accepts connections, ignores bytes and sends nothing. `until` nil: until no connection is open.
        case silent(until: Duration?)
    }

    package internal(set) var body: any SimulatedBody
    var faults: ActiveFaults
    var link = Link.up
    var outbox = Schedule<BodyAction>()
    let latency: Duration
    /// The transfer rate of files in bytes per second; nil: no limit.
    var pace: Int?
    /// For each connection, the time at which all earlier bytes are sent at the rate `pace`.
    var busyUntil: [ConnectionID: Duration] = [:]
    /// Whether the camera itself reports sent bytes to the body, because no network reports them.
    let creditsItself: Bool

    /// A camera that was just switched on.
    package init(_ body: any SimulatedBody, options: BodyOptions = BodyOptions()) {
        precondition(options.latency >= .zero)
        self.body = body
        faults = ActiveFaults(options.faults)
        latency = options.latency
        pace = options.pace
        creditsItself = options.sendWindow == nil && pace != nil
    }

    package var ports: [BodyPort] { body.ports }

    // MARK: Values for the rules

    /// The frames exposed so far, in order.
    package var card: [CardFrame] { body.card }

    /// The position of the dial.
    package var mode: DialMode { body.mode }

    /// See ``BodyControls/cameraID``.
    package var cameraID: String { body.cameraID }

    /// The speed of the next exposure.
    package var shownSpeed: BodySpeed { body.shownSpeed }

    /// The speed of the next exposure on the third-stop scale; nil: not on the scale, such as BULB.
    package var speed: ShutterSpeed? { body.shownSpeed.shutterSpeed }

    /// Whether the initiator presses a shutter button.
    package var isButtonHeld: Bool { body.isButtonHeld }

    /// Whether an initiator has an open session.
    package var isSessionOpen: Bool { body.isSessionOpen }

    /// Whether the link works now.
    package var isLinkUp: Bool { link == .up }

    // MARK: Connections

    /// Whether the camera accepts a new connection. Counts the connections that the fault `refuse-connect` refuses.
    package mutating func acceptsConnection(at now: Duration) -> Bool {
        if case .broken(let until, _) = link, now < until { return false }
        return faults.take { if case .refuseConnect = $0 { true } else { nil } } == nil
    }

    /// Handles a connection that the camera accepted.
    ///
    /// - Parameter port: The port of the connection; nil: the body's first port.
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

    /// Handles bytes from the initiator.
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

    /// Notes that the network has accepted `count` bytes of a connection. Only for cameras with a send window.
    package mutating func written(_ id: ConnectionID, _ count: Int, at now: Duration, into actions: inout [BodyAction])
    {
        advance(to: now, into: &actions)
        body.written(id, count)
        run(at: now, into: &actions)
    }

    /// Handles a connection that the initiator closed or that broke.
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

    /// When `advance` must be called next; nil: not before the next input.
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

    /// Does everything that is due, in order, each at its time.
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

    // MARK: Outputs of the body

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
