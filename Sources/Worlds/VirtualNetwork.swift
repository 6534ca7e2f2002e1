import Bodies
import Cameras
import Controller
import NIOCore
import PTP

/// The network between the daemon's computer and the cameras. It carries bytes and the start and end of connections,
/// each with a delay and with faults. It also simulates the timeouts and resets of the systems on both sides.
package struct VirtualNetwork: Sendable {
    /// The events that the network delivers, one after the other.
    package enum Delivery {
        /// An attempt to connect. The answer is ``accept(_:camera:at:)`` or ``miss(_:_:at:)``.
        case call(Opening)
        case bytes(ConnectionID, camera: Int, ByteBuffer)
        /// A camera receives the end of a connection.
        case hangUp(ConnectionID, camera: Int)
        case toDaemon(LinkGeneration, VirtualLine, LinkUpdate)
        /// The daemon receives the state of the computer's network.
        case report
    }

    /// An event of a connection in the daemon's system.
    package enum LinkUpdate: Equatable, Sendable {
        case opened
        case openFailed(reason: String, cause: OpenFailure)
        case received(ByteBuffer)
        /// The connection was closed. `reason`: the system's text; nil: it was closed in order.
        case closed(reason: String?)

        /// The same event for a driver.
        package func event(on link: LinkID) -> LinkEvent {
            switch self {
            case .opened: .opened(link)
            case .openFailed(let reason, let cause): .openFailed(link, reason: reason, cause: cause)
            case .received(let bytes): .received(link, bytes)
            case .closed(let reason): .closed(link, reason: reason)
            }
        }
    }

    /// An attempt to connect.
    package struct Opening: Sendable {
        package var generation: LinkGeneration
        package var line: VirtualLine
        package var target: LinkTarget
        /// The time limit of the attempt.
        package var deadline: Duration
    }

    enum Flight: Sendable {
        case connect(Opening)
        case openFails(LinkGeneration, VirtualLine, OpenFailure)
        /// The first parcel from the daemon to the body arrives.
        case toBody(ConnectionID)
        case toDaemon(ConnectionID)
        /// The camera's system reports to the camera that the camera closed the connection itself.
        case hangUp(ConnectionID, camera: Int)
        case reset(ConnectionID, isHeardHere: Bool)
        /// The daemon's system checks whether a connection is dead.
        case check(ConnectionID)
        /// The daemon's system removes the unsent bytes of an ended process.
        case drop(ConnectionID)
        /// The camera's system ends a connection whose end was not delivered.
        case closeTimeout(ConnectionID)
        /// A hole or an outage has perhaps ended.
        case updatePaths
        case report

        /// Whether the event belongs to this attempt to connect.
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

    /// TCP_USER_TIMEOUT of the daemon's connections. A connection ends this long after its first unacknowledged byte.
    static let userTimeout = Duration.seconds(20)
    /// TCP_KEEPIDLE, the interval between probes of an idle connection.
    static let probeInterval = Duration.seconds(10)
    /// How long a camera keeps a connection whose end was not delivered. No body's value is known. In this time the
    /// dead connection occupies the camera's only slot.
    package static let closeTimeout = Duration.seconds(60)
    /// How long the system searches for the device of an unused address: three ARP requests, one second apart (arp(7)).
    static let neighbourTime = Duration.seconds(3)
    static let never = Duration.seconds(1 << 40)

    let ordinary: World.Network
    package var conditions: NetworkConditions
    var station: Station?
    var random: SeededGenerator
    var flights = Schedule<Flight>()
    var connections: [VirtualConnection] = []
    var lastConnection = 0
    /// The end of the present outage, in which nothing passes to or from any camera.
    var outageUntil = Duration.zero

    package init(_ ordinary: World.Network, conditions: NetworkConditions, seed: UInt64) {
        self.ordinary = ordinary
        self.conditions = conditions
        random = SeededGenerator(seed: seed)
    }

    package var nextTime: Duration? { flights.nextTime }

    /// Whether the daemon has the connection, and opened it as the first of its session.
    func isFirst(_ id: ConnectionID) -> Bool {
        guard let index = index(of: id), connections[index].isHere else { return false }
        let generation = connections[index].generation
        return connections.firstIndex { $0.isHere && $0.generation == generation } == index
    }

    /// The ids of the daemon's open connections.
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

    /// The index of the daemon's connection.
    func index(_ generation: LinkGeneration, _ line: VirtualLine) -> Int? {
        connections.firstIndex { $0.isHere && $0.generation == generation && $0.line == line }
    }

    func index(of id: ConnectionID) -> Int? { connections.firstIndex { $0.id == id } }

    @discardableResult
    mutating func remove(_ index: Int) -> VirtualConnection { connections.remove(at: index) }
}

extension OpenFailure {
    /// The system's text for the error.
    var words: String {
        switch self {
        case .refused: "Connection refused"
        case .timedOut: "Connection timed out"
        case .unreachable, .other: "No route to host"
        }
    }
}
