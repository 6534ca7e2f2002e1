import Bodies
import Cameras
import NIOCore
import PTP

/// A network in virtual time, between one driver and the cameras in that network.
///
/// It receives a driver's `CameraAction`s and returns `LinkEvent`s. Like TCP, it keeps the order, cuts bytes anywhere,
/// and can be late, broken or silent. It is pure: its owner calls `advance` at `nextDeadline`.
struct VirtualNetwork: Sendable {
    private enum Item: Sendable {
        case arrives(ConnectionID)
        case reaches(ConnectionID, ByteBuffer)
        case hangsUp(ConnectionID)
        case tells(ConnectionID, LinkEvent)
    }

    private struct Connection: Sendable {
        let id: ConnectionID
        let channel: LinkID
        let camera: Int
        let deadline: Duration
    }

    /// The delay from one end of a connection to the other.
    var delay: Duration
    /// The maximum size of the pieces in which bytes reach the driver, because TCP may cut them.
    var pieceSize = Int.max
    /// All bytes from the cameras, with the address of each.
    private(set) var log: [(time: Duration, line: String)] = []

    private var addresses: [CameraAddress] = []
    private var cameras: [SimulatedCamera] = []
    private var connections: [Connection] = []
    /// Connections that the driver has closed. The camera has not received the end yet.
    private var closing: [Connection] = []
    private var connectionsMade = 0
    private var schedule = Schedule<Item>()
    /// The time until which nothing moves in either direction. Attempts to connect then reach their time limit.
    private var cloggedUntil = Duration.zero
    private static let logMax = 100_000

    init(delay: Duration = .milliseconds(1)) {
        self.delay = delay
    }

    mutating func add(_ camera: SimulatedCamera, at address: CameraAddress) {
        precondition(!addresses.contains(address), "one camera per address")
        addresses.append(address)
        cameras.append(camera)
    }

    func camera(at address: CameraAddress) -> SimulatedCamera? {
        addresses.firstIndex(of: address).map { cameras[$0] }
    }

    /// The time of the next `advance`; nil: nothing to do before another call.
    var nextDeadline: Duration? {
        var deadline = schedule.nextTime
        for camera in cameras {
            if let next = camera.nextDeadline { deadline = min(deadline ?? next, next) }
        }
        return deadline
    }

    // MARK: The driver's side

    /// Performs a driver's actions on the driver's connections. It ignores reports and notes.
    mutating func perform(_ action: CameraAction, at now: Duration) {
        switch action {
        case .open(let channel, let target, let timeout): open(channel, target.address, timeout: timeout, at: now)
        case .send(let channel, let bytes):
            guard let connection = connections.first(where: { $0.channel == channel }) else { return }
            schedule.plan(.reaches(connection.id, bytes), at: arrival(now))
        case .close(let channel): close(channel, at: now)
        case .http, .report, .note, .picture: break
        }
    }

    /// Advances the time. Appends the events for the driver, each with its time, which is never after `now`.
    mutating func advance(to now: Duration, into events: inout [LinkEvent]) {
        while let time = nextDeadline, time <= now {
            while let (time, item) = schedule.takeNext(dueBy: time) { perform(item, at: time, into: &events) }
            for index in cameras.indices where cameras[index].nextDeadline.map({ $0 <= time }) ?? false {
                step(index, at: time) { camera, now, actions in camera.advance(to: now, into: &actions) }
            }
        }
    }

    // MARK: Faults

    /// Stops the traffic. Bytes that are sent or in transit arrive after that time.
    mutating func clog(until time: Duration, at now: Duration) {
        cloggedUntil = max(cloggedUntil, time)
        var late = Schedule<Item>()
        while let (due, item) = schedule.takeNext(dueBy: .seconds(Int64.max / 2)) {
            late.plan(item, at: max(due, cloggedUntil))
        }
        schedule = late
    }

    /// Breaks every connection at both ends at once.
    mutating func kick(at now: Duration, into events: inout [LinkEvent]) {
        schedule = Schedule()
        for connection in connections {
            step(connection.camera, at: now) { camera, now, actions in
                camera.closed(connection.id, at: now, into: &actions)
            }
            events.append(.closed(connection.channel, reason: "connection reset by peer"))
        }
        connections.removeAll()
        schedule = Schedule()
    }

    // MARK: Inside

    private func arrival(_ now: Duration) -> Duration { max(now + delay, cloggedUntil) }

    private mutating func open(_ channel: LinkID, _ address: CameraAddress, timeout: Duration, at now: Duration) {
        connectionsMade += 1
        let id = ConnectionID(rawValue: connectionsMade)
        let camera = addresses.firstIndex(of: address)
        connections.append(
            Connection(id: id, channel: channel, camera: camera ?? -1, deadline: now + timeout)
        )
        if camera == nil || arrival(now) + delay > now + timeout {
            schedule.plan(.tells(id, .openFailed(channel, reason: "timed out")), at: now + timeout)
        } else {
            schedule.plan(.arrives(id), at: arrival(now))
        }
    }

    /// Closes a connection of the driver. The camera receives the end later. The driver receives nothing more on this
    /// connection.
    private mutating func close(_ channel: LinkID, at now: Duration) {
        guard let connection = connections.first(where: { $0.channel == channel }) else { return }
        schedule.cancel { if case .tells(connection.id, _) = $0 { true } else { false } }
        schedule.plan(.hangsUp(connection.id), at: arrival(now))
        closing.append(connection)
        connections.removeAll { $0.id == connection.id }
    }

    private mutating func perform(_ item: Item, at now: Duration, into events: inout [LinkEvent]) {
        switch item {
        case .arrives(let id):
            guard let connection = connection(id), now < connection.deadline else { return }
            guard cameras[connection.camera].acceptsConnection(at: now) else {
                let failure = LinkEvent.openFailed(connection.channel, reason: "connection refused")
                return schedule.plan(.tells(id, failure), at: arrival(now))
            }
            schedule.plan(.tells(id, .opened(connection.channel)), at: arrival(now))
            step(connection.camera, at: now) { camera, now, actions in camera.accepted(id, at: now, into: &actions) }
        case .reaches(let id, let bytes):
            guard let connection = connection(id) else { return }
            step(connection.camera, at: now) { camera, now, actions in
                camera.received(id, bytes, at: now, into: &actions)
            }
        case .hangsUp(let id):
            guard let connection = connection(id) else { return }
            closing.removeAll { $0.id == id }
            guard connection.camera >= 0 else { return }
            step(connection.camera, at: now) { camera, now, actions in camera.closed(id, at: now, into: &actions) }
        case .tells(let id, let event):
            guard connections.contains(where: { $0.id == id }) else { return }
            switch event {
            case .closed, .openFailed: connections.removeAll { $0.id == id }
            case .opened, .received: break
            }
            events.append(event)
        }
    }

    private func connection(_ id: ConnectionID) -> Connection? {
        connections.first { $0.id == id } ?? closing.first { $0.id == id }
    }

    private mutating func step(
        _ index: Int,
        at now: Duration,
        _ body: (inout SimulatedCamera, Duration, inout [BodyAction]) -> Void
    ) {
        var actions: [BodyAction] = []
        body(&cameras[index], now, &actions)
        for action in actions { deliver(action, from: index, at: now) }
    }

    private mutating func deliver(_ action: BodyAction, from camera: Int, at now: Duration) {
        switch action {
        case .send(let id, var bytes):
            guard let connection = connections.first(where: { $0.id == id }) else { return }
            while let piece = bytes.readSlice(length: min(pieceSize, bytes.readableBytes)), piece.readableBytes > 0 {
                schedule.plan(.tells(id, .received(connection.channel, piece)), at: arrival(now))
            }
        case .close(let id): tellClosed(id, reason: nil, at: now)
        case .abort(let id): tellClosed(id, reason: "connection reset by peer", at: now)
        case .log(let line):
            if log.count < Self.logMax { log.append((now, "\(addresses[camera]): \(line)")) }
        case .refuseConnections, .leave, .exposed, .fact: break
        }
    }

    private mutating func tellClosed(_ id: ConnectionID, reason: String?, at now: Duration) {
        guard let connection = connections.first(where: { $0.id == id }) else { return }
        schedule.plan(.tells(id, .closed(connection.channel, reason: reason)), at: arrival(now))
    }
}
