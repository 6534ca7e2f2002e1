import Bodies
import Cameras
import Controller
import NIOCore
import PTP

/// The network between the daemon's computer and the cameras: carries openings, bytes and ends, each at its time, in
/// whatever weather there is. Plays the systems of both sides too: who gives up when, and who answers with a reset.
package struct VirtualNetwork: Sendable {
    /// What comes out of it, one after the other.
    package enum Delivery {
        /// Somebody is called: say ``accept(_:camera:at:)`` or ``miss(_:_:at:)``.
        case call(Opening)
        case bytes(ConnectionID, camera: Int, ByteBuffer)
        /// A camera hears that a connection is over.
        case hangUp(ConnectionID, camera: Int)
        case toDaemon(LinkGeneration, LinkEvent)
        /// The daemon is to be told how its computer stands to the network.
        case tell
    }

    /// A connection that is to be opened.
    package struct Opening: Sendable {
        package var generation: LinkGeneration
        package var link: LinkID
        package var target: LinkTarget
        /// When it is given up.
        package var deadline: Duration

        package init(
            generation: LinkGeneration,
            link: LinkID,
            target: LinkTarget,
            deadline: Duration
        ) {
            self.generation = generation
            self.link = link
            self.target = target
            self.deadline = deadline
        }
    }

    enum Flight: Sendable {
        case connect(Opening)
        case openFails(LinkGeneration, LinkID, OpenFailure)
        /// The first parcel of that lane is due.
        case toBody(ConnectionID)
        case toDaemon(ConnectionID)
        /// The camera is told of an end of its own.
        case hangUp(ConnectionID, camera: Int)
        case reset(ConnectionID, isHeardHere: Bool)
        /// The daemon's system looks whether a connection is dead.
        case check(ConnectionID)
        /// The system of who is gone gives up to send what it left.
        case drop(ConnectionID)
        /// The camera's system gives up a connection whose end it has not heard of.
        case patience(ConnectionID)
        /// A hole or an outage may be over.
        case look
        case tell

        /// Whether it is part of opening this connection.
        func isOpening(_ generation: LinkGeneration, _ link: LinkID) -> Bool {
            switch self {
            case .connect(let opening): opening.generation == generation && opening.link == link
            case .openFails(generation, link, _): true
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

    /// TCP_USER_TIMEOUT of the daemon's connections: one is over so long after the first thing that was not
    /// acknowledged.
    static let userTimeout = Duration.seconds(20)
    /// TCP_KEEPIDLE: a quiet connection is asked this often.
    static let probeInterval = Duration.seconds(10)
    /// When a camera's system gives up a connection whose end it could not hear of. Of no body it is known; a dead
    /// connection keeps its only slot that long.
    package static let patience = Duration.seconds(60)
    /// How long the neighbour of an address is looked for that nobody has (arp(7): three times a second each).
    static let neighbourTime = Duration.seconds(3)
    static let never = Duration.seconds(1 << 40)

    let ordinary: World.Network
    package var weather: NetworkWeather
    var station: Station?
    var random: SeededGenerator
    var flights = Agenda<Flight>()
    var connections: [VirtualConnection] = []
    var lastConnection = 0
    /// Until when nothing passes, to nobody.
    var outageUntil = Duration.zero
    /// The same for single cameras.
    var holes: [Int: Duration] = [:]

    package init(_ ordinary: World.Network, weather: NetworkWeather, seed: UInt64) {
        self.ordinary = ordinary
        self.weather = weather
        random = SeededGenerator(seed: seed)
    }

    package var nextTime: Duration? { flights.nextTime }

    /// Whether the daemon has the connection, and opened it before the others of its session.
    func isFirst(_ id: ConnectionID) -> Bool {
        guard let index = index(of: id), connections[index].isHere else { return false }
        let generation = connections[index].generation
        return connections.firstIndex { $0.isHere && $0.generation == generation } == index
    }

    // MARK: The daemon's side

    package mutating func open(_ opening: Opening, at now: Duration) {
        if !connections.contains(where: { $0.isHere && $0.generation == opening.generation }) {
            sayEndsAgain(at: now) { $0.address == opening.target.address }
        }
        if let station, !station.isNear {
            switch station.way {
            case .near, .elsewhere: return fail(opening, .timedOut, at: now)
            case .noRoute, .apart, .unplugged: return fail(opening, .unreachable, at: now)
            }
        }
        guard !weather.isCalm else { return connect(opening, at: now + ordinary.latency) }
        if random.chance(oneIn: weather.refusesOneIn) { return miss(opening, .refused, at: now) }
        if random.chance(oneIn: weather.swallowsOneIn) { return fail(opening, .timedOut, at: now) }
        let late = weather.lateOpens.draw(from: &random) ?? .zero
        connect(opening, at: now + random.duration(in: weather.latency) + late)
    }

    mutating func connect(_ opening: Opening, at time: Duration) {
        // Who is given up is called no more.
        guard time < opening.deadline else { return fail(opening, .timedOut, at: opening.deadline) }
        flights.plan(.connect(opening), at: time)
    }

    package mutating func send(
        _ generation: LinkGeneration,
        _ link: LinkID,
        _ bytes: ByteBuffer,
        at now: Duration
    ) {
        guard let index = index(generation, link) else { return }
        if connections[index].isThere { put(bytes, on: index, .toBody, at: now) }
        if connections[index].isBlocked {
            if connections[index].unheardSince == nil {
                connections[index].unheardSince = now
                flights.plan(.check(connections[index].id), at: now + Self.userTimeout)
            }
        } else if connections[index].isForsaken {
            flights.plan(.check(connections[index].id), at: now + connections[index].latency * 2)
        }
    }

    /// The daemon closes a connection, or gives up opening it: nothing more is told of it, and what the camera's system
    /// has not got yet is taken back.
    package mutating func close(_ generation: LinkGeneration, _ link: LinkID, at now: Duration) {
        flights.cancel { $0.isOpening(generation, link) }
        guard let index = index(generation, link) else { return }
        connections[index].letGoHere()
        connections[index].takeBackLate(at: now, weather)
        if connections[index].isBlocked {
            leaveUnheard(index, at: now)
        } else {
            sayEnd(index, at: now)
        }
    }

    /// The process is gone, and the system ends its connections for it.
    package mutating func endAll(at now: Duration) {
        forgetOpenings()
        for id in standing {
            guard let index = index(of: id) else { continue }
            connections[index].letGoHere()
            connections[index].isForgotten = true
            sayEnd(index, at: now)
        }
    }

    /// The same with what may happen then: the system goes on sending what was sent, or takes it back where something
    /// was unread; and without power nobody says anything any more.
    package mutating func endAll(isPowerCut: Bool, drawing random: inout SeededGenerator, at now: Duration) {
        forgetOpenings()
        for id in standing {
            guard let index = index(of: id) else { continue }
            connections[index].letGoHere()
            connections[index].isForgotten = true
            let isReset = random.chance(oneIn: 2)
            if isPowerCut || isReset { connections[index].takeBackLate(at: now, weather) }
            if isPowerCut || isReset && connections[index].isBlocked {
                // An access point misses a station that is gone.
                let time = isPowerCut ? random.duration(in: .zero...Self.patience) : Self.patience
                leaveUnheard(index, for: time, at: now)
            } else {
                if connections[index].isBlocked {
                    flights.plan(.drop(connections[index].id), at: now + Self.userTimeout)
                }
                sayEnd(index, at: now)
            }
        }
    }

    mutating func forgetOpenings() {
        // Links' numbers begin anew: what is on its way to the dead process must not come to the next.
        flights.cancel { $0.isOpening }
    }

    mutating func sayEnd(_ index: Int, at now: Duration) {
        guard connections[index].isThere else {
            remove(index)
            return
        }
        plan(.end(reason: nil), on: index, .toBody, at: now + connections[index].latency)
    }

    /// The camera does not hear of the end, for a while.
    mutating func leaveUnheard(_ index: Int, for time: Duration = patience, at now: Duration) {
        guard connections[index].isThere else {
            remove(index)
            return
        }
        flights.plan(.patience(connections[index].id), at: now + time)
    }

    /// The daemon says the ends again that a camera may not have heard of.
    mutating func sayEndsAgain(at now: Duration, where isMeant: (VirtualConnection) -> Bool) {
        for index in connections.indices where connections[index].isUnheard && !connections[index].isBlocked {
            if !connections[index].isForgotten, isMeant(connections[index]) { sayEnd(index, at: now) }
        }
    }

    // MARK: The cameras' side

    /// Somebody takes the call; the connection's name.
    package mutating func accept(_ opening: Opening, camera: Int, at now: Duration) -> ConnectionID {
        lastConnection += 1
        let id = ConnectionID(rawValue: lastConnection)
        let latency = weather.isCalm ? ordinary.latency : random.duration(in: weather.latency)
        let connection = VirtualConnection(
            id: id,
            generation: opening.generation,
            link: opening.link,
            camera: camera,
            address: opening.target.address,
            source: station?.address,
            latency: latency,
            openUntil: opening.deadline,
            heard: now
        )
        connections.append(connection)
        let index = connections.count - 1
        plan(.opened, on: index, .toDaemon, at: now + latency)
        if now + latency > opening.deadline { flights.plan(.check(id), at: opening.deadline) }
        return id
    }

    /// Nobody takes the call.
    mutating func miss(_ opening: Opening, _ failure: OpenFailure, at now: Duration) {
        let latency = weather.isCalm ? ordinary.latency : random.duration(in: weather.latency)
        let time = failure == .timedOut ? opening.deadline : now + latency
        flights.plan(.openFails(opening.generation, opening.link, failure), at: time)
    }

    /// Nobody has the address that is called.
    mutating func missNeighbour(_ opening: Opening, at now: Duration) {
        let time = min(opening.deadline, now + Self.neighbourTime)
        flights.plan(.openFails(opening.generation, opening.link, .unreachable), at: time)
    }

    mutating func fail(_ opening: Opening, _ failure: OpenFailure, at now: Duration) {
        let time = failure == .timedOut ? opening.deadline : now
        flights.plan(.openFails(opening.generation, opening.link, failure), at: time)
    }

    /// Whether a call to a camera is lost on its way; it is made again as long as it is wanted.
    package mutating func swallows(_ opening: Opening, camera: Int, at now: Duration) -> Bool {
        if let station, !station.isNear {
            fail(opening, .timedOut, at: now)
            return true
        }
        let end = max(outageUntil, holes[camera] ?? .zero)
        guard end > now else { return false }
        connect(opening, at: end)
        return true
    }

    package mutating func sendFromBody(_ id: ConnectionID, _ bytes: ByteBuffer, at now: Duration) {
        guard let index = index(of: id), connections[index].isThere else { return }
        if connections[index].isHere {
            put(bytes, on: index, .toDaemon, at: now)
        } else if connections[index].isUnheard, !connections[index].isBlocked {
            // Nobody there has such a connection: the answer is a reset.
            plan(.end(reason: nil), on: index, .toBody, at: now + connections[index].latency * 2)
        }
    }

    /// A camera ends a connection.
    ///
    /// - Parameter reason: nil: in order.
    mutating func endFromBody(_ id: ConnectionID, reason: String?, at now: Duration) {
        guard let index = index(of: id), connections[index].isThere else { return }
        let connection = connections[index]
        connections[index].letGoThere()
        flights.plan(.hangUp(id, camera: connection.camera), at: now)
        guard connection.isHere else {
            remove(index)
            return
        }
        // A reset is said once.
        guard reason == nil || !connection.isBlocked else { return }
        plan(.end(reason: reason), on: index, .toDaemon, at: now + connection.latency)
    }

    /// Every connection that stands, as seen by the daemon.
    var standing: [ConnectionID] { connections.filter(\.isHere).map(\.id) }

    /// A camera's connections are over for it, and nobody tells the daemon.
    mutating func forsake(camera: Int, at now: Duration) {
        for id in connections.filter({ $0.camera == camera && $0.isThere }).map(\.id) {
            flights.plan(.hangUp(id, camera: camera), at: now)
            guard let index = index(of: id) else { continue }
            connections[index].letGoThere()
            guard connections[index].isHere else { remove(index); continue }
            planCheck(index, at: now)
        }
    }

    // MARK: Connections

    mutating func plan(
        _ content: VirtualConnection.Content,
        on index: Int,
        _ direction: VirtualConnection.Direction,
        at time: Duration
    ) {
        let merges = !weather.isCalm
        let (time, isNew) = connections[index].add(content, direction, at: time, merges: merges)
        guard isNew else { return }
        let id = connections[index].id
        flights.plan(direction == .toBody ? .toBody(id) : .toDaemon(id), at: time)
    }

    /// A connection that the daemon has.
    func index(_ generation: LinkGeneration, _ link: LinkID) -> Int? {
        connections.firstIndex { $0.isHere && $0.generation == generation && $0.link == link }
    }

    func index(of id: ConnectionID) -> Int? { connections.firstIndex { $0.id == id } }

    @discardableResult
    mutating func remove(_ index: Int) -> VirtualConnection { connections.remove(at: index) }
}

extension OpenFailure {
    /// As the system says it.
    var words: String {
        switch self {
        case .refused: "Connection refused"
        case .timedOut: "Connection timed out"
        case .unreachable, .other: "No route to host"
        }
    }
}
