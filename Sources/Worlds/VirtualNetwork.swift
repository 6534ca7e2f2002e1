import Bodies
import Cameras
import Controller
import NIOCore
import PTP

/// The network between the daemon's computer and the cameras. It carries openings, bytes and ends, each at its time, in
/// the given weather. It also simulates the systems of both sides: their timeouts and their resets.
package struct VirtualNetwork: Sendable {
    /// The outputs of the network, one after the other.
    package enum Delivery {
        /// A connection attempt: answer with ``accept(_:camera:at:)`` or ``miss(_:_:at:)``.
        case call(Opening)
        case bytes(ConnectionID, camera: Int, ByteBuffer)
        /// A camera learns that a connection is over.
        case hangUp(ConnectionID, camera: Int)
        case toDaemon(LinkGeneration, VirtualLine, LinkUpdate)
        /// The state of the computer's network is to be reported to the daemon.
        case report
    }

    /// An event of a connection in the daemon's system.
    package enum LinkUpdate: Equatable, Sendable {
        case opened
        case openFailed(reason: String, cause: OpenFailure)
        case received(ByteBuffer)
        /// nil: in order.
        case closed(reason: String?)

        /// The same for a driver.
        package func event(on link: LinkID) -> LinkEvent {
            switch self {
            case .opened: .opened(link)
            case .openFailed(let reason, let cause): .openFailed(link, reason: reason, cause: cause)
            case .received(let bytes): .received(link, bytes)
            case .closed(let reason): .closed(link, reason: reason)
            }
        }
    }

    /// A connection that is being opened.
    package struct Opening: Sendable {
        package var generation: LinkGeneration
        package var line: VirtualLine
        package var target: LinkTarget
        /// Its time limit.
        package var deadline: Duration
    }

    enum Flight: Sendable {
        case connect(Opening)
        case openFails(LinkGeneration, VirtualLine, OpenFailure)
        /// The first parcel of that lane is due.
        case toBody(ConnectionID)
        case toDaemon(ConnectionID)
        /// The camera is informed of a close of its own.
        case hangUp(ConnectionID, camera: Int)
        case reset(ConnectionID, isHeardHere: Bool)
        /// The daemon's system checks whether a connection is dead.
        case check(ConnectionID)
        /// The system of the ended process drops its unsent bytes.
        case drop(ConnectionID)
        /// The camera's system ends a connection whose end did not reach it.
        case patience(ConnectionID)
        /// A hole or an outage may be over.
        case updatePaths
        case report

        /// Whether it is part of opening this connection.
        func isOpening(_ generation: LinkGeneration, _ line: VirtualLine) -> Bool {
            switch self {
            case .connect(let opening): opening.generation == generation && opening.line == line
            case .openFails(generation, line, _): true
            default: false
            }
        }

        var isOpening: Bool {
            switch self {
            case .connect, .openFails: true
            default: false
            }
        }
    }

    /// TCP_USER_TIMEOUT of the daemon's connections: a connection ends this long after the first unacknowledged byte.
    static let userTimeout = Duration.seconds(20)
    /// TCP_KEEPIDLE: the probe interval of a quiet connection.
    static let probeInterval = Duration.seconds(10)
    /// When a camera's system ends a connection whose end did not reach it. The value of no body is known; a dead
    /// connection holds its only slot for that time.
    package static let patience = Duration.seconds(60)
    /// How long the system searches the neighbor of an unused address (arp(7): three times a second each).
    static let neighbourTime = Duration.seconds(3)
    static let never = Duration.seconds(1 << 40)

    let ordinary: World.Network
    package var conditions: NetworkConditions
    var station: Station?
    var random: SeededGenerator
    var flights = Schedule<Flight>()
    var connections: [VirtualConnection] = []
    var lastConnection = 0
    /// Until when nothing passes, to any camera.
    var outageUntil = Duration.zero

    package init(_ ordinary: World.Network, conditions: NetworkConditions, seed: UInt64) {
        self.ordinary = ordinary
        self.conditions = conditions
        random = SeededGenerator(seed: seed)
    }

    package var nextTime: Duration? { flights.nextTime }

    /// Whether the daemon has the connection, and opened it before the others of its session.
    func isFirst(_ id: ConnectionID) -> Bool {
        guard let index = index(of: id), connections[index].isHere else { return false }
        let generation = connections[index].generation
        return connections.firstIndex { $0.isHere && $0.generation == generation } == index
    }

    /// Every open connection of the daemon.
    var standing: [ConnectionID] { connections.filter(\.isHere).map(\.id) }

    // MARK: Connections

    mutating func plan(
        _ content: VirtualConnection.Content,
        on index: Int,
        _ direction: VirtualConnection.Direction,
        at time: Duration
    ) {
        let merges = !conditions.isNormal
        let (time, isNew) = connections[index].add(content, direction, at: time, merges: merges)
        guard isNew else { return }
        let id = connections[index].id
        flights.plan(direction == .toBody ? .toBody(id) : .toDaemon(id), at: time)
    }

    /// A connection of the daemon.
    func index(_ generation: LinkGeneration, _ line: VirtualLine) -> Int? {
        connections.firstIndex { $0.isHere && $0.generation == generation && $0.line == line }
    }

    func index(of id: ConnectionID) -> Int? { connections.firstIndex { $0.id == id } }

    @discardableResult
    mutating func remove(_ index: Int) -> VirtualConnection { connections.remove(at: index) }
}

extension OpenFailure {
    /// The system's text.
    var words: String {
        switch self {
        case .refused: "Connection refused"
        case .timedOut: "Connection timed out"
        case .unreachable, .other: "No route to host"
        }
    }
}
