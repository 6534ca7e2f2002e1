import Cameras
import Controller
import Exposure
import NIOCore
import PTP

/// The whole system on a virtual clock: the daemon's core and driver, a network with a delay, simulated bodies.
///
/// Nothing here waits and nothing is drawn by chance: the same calls give the same journal, byte for byte.
package struct World: Sendable {
    package private(set) var daemon: VirtualDaemon
    package private(set) var cameras: [WorldCamera]
    package private(set) var now = Duration.zero
    /// What the daemon opened.
    package private(set) var book = CallBook()
    /// What calls come to at addresses where no camera is.
    package var nobody: @Sendable (CameraAddress) -> OpenFailure = { _ in .refused }
    /// The core of a daemon that was just started.
    private let newCore: Core
    private let network: Network
    private var flights = Agenda<Flight>()
    private var connections: [Connection] = []
    private var lastConnection = 0
    private var cutsBehindNextBytes = false
    /// What the network does to connections, from now on. A change does not end what has begun: see ``healNetwork()``.
    package var weather: NetworkWeather
    /// What the weather draws from.
    private var random: SeededGenerator
    /// How the daemon's computer stands to the network; nil: near the camera, and the daemon is told nothing of it.
    package private(set) var station: Station?
    /// Whether time did not pass any more: ``instantsMax`` came without an end. The world stands still then.
    package private(set) var isLivelocked = false
    /// How many instants one call lets pass at the most.
    package var instantsMax = 2_000_000

    /// How the network carries things.
    package struct Network: Sendable {
        /// How long everything takes, one way.
        package var latency: Duration
        /// How many bytes arrive together at the most; nil: as they were sent.
        package var segment: Int?

        package init(latency: Duration = .milliseconds(5), segment: Int? = nil) {
            precondition(latency >= .zero && (segment ?? 1) > 0)
            self.latency = latency
            self.segment = segment
        }

        /// What arrives one after the other.
        fileprivate func segments(of bytes: ByteBuffer) -> [ByteBuffer] {
            guard let segment else { return [bytes] }
            var rest = bytes
            var parts: [ByteBuffer] = []
            while let part = rest.readSlice(length: min(segment, rest.readableBytes)), part.readableBytes > 0 {
                parts.append(part)
            }
            return parts
        }
    }

    private struct Connection: Sendable {
        var id: ConnectionID
        var generation: LinkGeneration
        var channel: LinkChannel
        /// The number of the camera.
        var camera: Int
    }

    /// What is under way in the network.
    private enum Flight: Sendable {
        case connect(LinkGeneration, LinkChannel, CameraAddress, deadline: Duration)
        case bytes(ConnectionID, camera: Int, ByteBuffer)
        case hangUp(ConnectionID, camera: Int)
        case toDaemon(LinkGeneration, LinkEvent)

        /// Whether it is part of opening this connection.
        func isOpening(_ generation: LinkGeneration, _ channel: LinkChannel) -> Bool {
            switch self {
            case .connect(generation, channel, _, _), .toDaemon(generation, .opened(channel)),
                .toDaemon(generation, .openFailed(channel, _, _)):
                true
            default: false
            }
        }
    }

    package init(
        core: Core,
        camera: SimulatedCamera,
        place: WorldCamera.Place = .everywhere,
        network: Network = Network(),
        weather: NetworkWeather = .calm,
        seed: UInt64 = 0
    ) {
        daemon = VirtualDaemon(core)
        newCore = core
        cameras = [WorldCamera(body: camera, place: place)]
        self.network = network
        self.weather = weather
        random = SeededGenerator(seed: seed)
        put(.started)
    }

    /// The first camera, where there are several.
    package var camera: SimulatedCamera { cameras[0].body }
    /// What it said of itself.
    package var cameraLog: [String] { cameras[0].log }

    // MARK: Driving

    /// Who looks on from now on.
    package var watcher: (any WorldWatcher)? {
        get { daemon.watcher }
        set { daemon.watcher = newValue }
    }

    /// Changes the daemon's ledger.
    package mutating func ledger(_ change: (inout VirtualLedger) -> Void) {
        change(&daemon.ledger)
    }

    /// How many effects the daemon performed that anybody else could notice.
    package var effectCount: Int { daemon.effectCount }

    /// Whether nothing of a shoot is going on or on its way to the disk.
    package var isAtRest: Bool { daemon.core.isAtRest && daemon.ledger.nextTime == nil }

    /// The daemon ends by itself after so many effects, in the middle of whatever it does; nil: not.
    package mutating func killAfter(effects limit: Int?) {
        daemon.effectLimit = limit
    }

    /// Kills the daemon, now; the system closes its connections. For the parameters see ``VirtualDaemon``.
    package mutating func kill(writesPending: Bool = false, isPowerCut: Bool = false) {
        for connection in connections { hangUp(connection) }
        book.forgetOpen()
        // Its links' numbers begin anew: what is on its way to the dead one must not come to the next.
        flights.cancel { if case .toDaemon = $0 { true } else { false } }
        flights.cancel { if case .connect = $0 { true } else { false } }
        daemon.crash(newCore, writesPending: writesPending, isPowerCut: isPowerCut, at: now)
    }

    /// Starts the daemon again after ``kill(writesPending:isPowerCut:)``.
    package mutating func restart() {
        put(.started)
    }

    /// Another camera; its number.
    @discardableResult
    package mutating func add(_ camera: SimulatedCamera, at place: WorldCamera.Place) -> Int {
        cameras.append(WorldCamera(body: camera, place: place))
        daemon.watcher?.added(camera, number: cameras.count - 1)
        return cameras.count - 1
    }

    /// A camera goes somewhere else: its sessions end for it, and nobody tells the daemon.
    package mutating func move(_ number: Int = 0, to place: WorldCamera.Place) {
        cameras[number].place = place
        for connection in connections where connection.camera == number {
            forget(connection.id)
            flights.plan(.hangUp(connection.id, camera: number), at: now)
        }
    }

    /// Changes the daemon's disk.
    package mutating func disk(_ change: (inout VirtualDisk) -> Void) {
        change(&daemon.disk)
    }

    /// Something happens to the daemon, now.
    package mutating func put(_ input: Input) {
        put([input])
    }

    /// Cuts every connection, so that the end arrives together with whatever arrives next.
    package mutating func cutBehindNextBytes() {
        cutsBehindNextBytes = true
    }

    private mutating func put(_ inputs: [Input]) {
        var links: [Effect] = []
        daemon.put(inputs, at: now, links: &links)
        for effect in links { perform(effect) }
    }

    /// A client asks, now; the request's number.
    @discardableResult
    package mutating func ask(_ request: Request) -> RequestID {
        let id = daemon.nextRequest()
        put(.request(id, request))
        return id
    }

    /// The number of the next request; for who asks by ``put(_:)``.
    package mutating func nextRequest() -> RequestID { daemon.nextRequest() }

    /// Lets time pass.
    package mutating func pass(_ time: Duration) {
        let end = now + time
        pass(until: end) { _ in false }
        now = end
    }

    /// Lets time pass until something holds, for an hour at most. Whether it came to hold.
    @discardableResult
    package mutating func pass(until condition: (World) -> Bool) -> Bool {
        pass(until: now + .seconds(3600), condition)
        return condition(self)
    }

    /// Lets time pass until something holds, or until `end`. Whether it came to hold.
    @discardableResult
    package mutating func advance(to end: Duration, until condition: (borrowing World) -> Bool) -> Bool {
        pass(until: end, condition)
        if condition(self) { return true }
        if !isLivelocked { now = max(now, end) }
        return false
    }

    /// The next instant at which something is due happens, and everything that is due then. Whether there was one, not
    /// later than `end`.
    package mutating func advanceOnce(to end: Duration) -> Bool {
        guard !isLivelocked, !daemon.isRunaway, let next = nextTime, next <= end else { return false }
        now = max(now, next)
        step()
        return true
    }

    private mutating func pass(until end: Duration, _ condition: (borrowing World) -> Bool) {
        var instants = 0
        while !condition(self), advanceOnce(to: end) {
            instants += 1
            isLivelocked = instants >= instantsMax
        }
    }

    /// When something is due next; nil: nothing will happen by itself.
    package var nextTime: Duration? {
        var earliest = daemon.nextDeadline.earlier(flights.nextTime)
        for index in cameras.indices { earliest = earliest.earlier(cameras[index].body.nextDeadline) }
        return earliest
    }

    /// What is due now: first what arrives, then the body, then the daemon's clock.
    private mutating func step() {
        var arrived: [Input] = []
        while let (_, flight) = flights.takeNext(dueBy: now) { land(flight, arrived: &arrived) }
        put(arrived)
        for number in cameras.indices {
            var actions: [BodyAction] = []
            cameras[number].body.advance(to: now, into: &actions)
            perform(actions, by: number)
        }
        guard let due = daemon.nextDeadline, due <= now else { return }
        var links: [Effect] = []
        daemon.advance(to: now, links: &links)
        for effect in links { perform(effect) }
    }

    // MARK: What goes wrong around the daemon

    /// Nothing of a camera's connections arrives any more, in either direction, and nothing is answered that is opened:
    /// for so long, or until ``healNetwork()``; the connections that stand now stay dead for good then.
    ///
    /// - Parameter number: the camera; nil: all.
    package mutating func blackhole(_ number: Int? = nil, for time: Duration?) {}

    /// A camera's connections are reset, now, and what is on its way is lost.
    package mutating func reset(_ number: Int? = nil) {}

    /// The daemon's computer comes to stand otherwise to the network, and the daemon is told a moment later.
    package mutating func stand(_ station: Station) {
        self.station = station
        put(.network(station.snapshot(watched: daemon.watchedRoute)))
    }

    /// From now on the network is calm, holes and outages are over, and the station is near. What a hole has swallowed
    /// for good stays dead until somebody gives it up.
    package mutating func healNetwork() {
        weather = .calm
    }

    /// Ends the daemon, now, and draws what is left of what it had begun: of commits a prefix, of what was on its way
    /// to a camera what arrives all the same.
    package mutating func kill(isPowerCut: Bool, drawing random: inout SeededGenerator) {
        kill(writesPending: random.chance(oneIn: 2), isPowerCut: isPowerCut)
    }

    /// Ledger and disk are as well as ever from now on.
    package mutating func healDisks() {}

    /// Everything is well from now on: network, disks, cameras; what remains of faults that have begun is over.
    package mutating func heal() {
        healNetwork()
        healDisks()
        for number in cameras.indices { heal(number) }
    }

    /// A camera's faults are over, as if a person had switched it off and on: see ``SimulatedCamera/heal(mode:at:into:)``.
    package mutating func heal(_ number: Int, mode: DialMode = .manual) {}

    /// Somebody pulls a camera's battery: it says nothing to anybody. See ``SimulatedCamera/powerOff(at:)``.
    package mutating func powerOff(_ number: Int = 0) {}

    /// The battery is put in again.
    package mutating func powerOn(_ number: Int = 0) {}

    /// Somebody turns the mode dial of a camera, now.
    package mutating func turnDial(_ number: Int = 0, to mode: DialMode) {}

    /// Somebody turns the dial of the shutter speed, now.
    package mutating func turnSpeed(_ number: Int = 0, to speed: ShutterSpeed) {
        cameras[number].body.turnSpeed(to: speed, at: now)
    }

    /// A camera's battery has this much left, in per cent.
    package mutating func setBattery(_ number: Int = 0, percent: Int) {}

    // MARK: The network

    /// The daemon's side.
    private mutating func perform(_ effect: Effect) {
        switch effect {
        case .openLink(let generation, let channel, let address, let timeout):
            book.noteOpening(.init(generation: generation, channel: channel), address, at: now)
            let deadline = now + timeout
            flights.plan(.connect(generation, channel, address, deadline: deadline), at: now + network.latency)
        case .send(let generation, let channel, let bytes):
            guard let connection = connection(generation, channel) else { break }
            for part in network.segments(of: bytes) {
                let flight = Flight.bytes(connection.id, camera: connection.camera, part)
                flights.plan(flight, at: now + network.latency)
            }
        case .closeLink(let generation, let channel):
            book.noteClosed(.init(generation: generation, channel: channel))
            flights.cancel { $0.isOpening(generation, channel) }
            if let connection = connection(generation, channel) { hangUp(connection) }
        default:
            break
        }
    }

    private mutating func land(_ flight: Flight, arrived: inout [Input]) {
        var actions: [BodyAction] = []
        switch flight {
        case .connect(let generation, let channel, let address, let deadline):
            guard let number = cameras.firstIndex(where: { $0.isAt(address) }) else {
                return miss(generation, channel, nobody(address), deadline: deadline)
            }
            guard now >= cameras[number].refusesUntil, cameras[number].body.acceptsConnection(at: now) else {
                return miss(generation, channel, .refused, deadline: deadline)
            }
            lastConnection += 1
            let id = ConnectionID(rawValue: lastConnection)
            connections.append(Connection(id: id, generation: generation, channel: channel, camera: number))
            flights.plan(.toDaemon(generation, .opened(channel)), at: now + network.latency)
            daemon.watcher?.linked(generation, channel, to: number, at: now)
            cameras[number].body.accepted(id, at: now, into: &actions)
            perform(actions, by: number)
        case .bytes(let id, let number, let bytes):
            cameras[number].body.received(id, bytes, at: now, into: &actions)
            perform(actions, by: number)
        case .hangUp(let id, let number):
            cameras[number].body.closed(id, at: now, into: &actions)
            perform(actions, by: number)
        case .toDaemon(let generation, let event):
            book.note(event, of: generation)
            arrived.append(.link(generation, event))
        }
    }

    /// Nobody takes the call.
    private mutating func miss(
        _ generation: LinkGeneration,
        _ channel: LinkChannel,
        _ failure: OpenFailure,
        deadline: Duration
    ) {
        let (reason, time) =
            switch failure {
            case .refused: ("Connection refused", now + network.latency)
            case .timedOut: ("Connection timed out", deadline)
            case .unreachable, .other: ("No route to host", now + network.latency)
            }
        flights.plan(.toDaemon(generation, .openFailed(channel, reason: reason, cause: failure)), at: time)
    }

    /// The body's side.
    private mutating func perform(_ actions: [BodyAction], by number: Int) {
        // Behind a whole answer: a body sends one in several pieces.
        let cutsNow = cutsBehindNextBytes ? isAnswer(actions) : false
        defer { if cutsNow { cut() } }
        for action in actions {
            daemon.watcher?.did(action, camera: number, at: now)
            switch action {
            case .send(let id, let bytes):
                guard let connection = connections.first(where: { $0.id == id }) else { break }
                for part in network.segments(of: bytes) { tell(connection, .received(connection.channel, part)) }
            case .close(let id):
                end(id, reason: nil)
            case .abort(let id):
                end(id, reason: "Connection reset by peer")
            case .refuseConnections(let until), .leave(_, let until):
                cameras[number].refusesUntil = max(cameras[number].refusesUntil, until)
            case .exposed, .fact:
                break
            case .log(let line):
                cameras[number].log.append(line)
            }
        }
    }

    /// Whether something goes out on a command connection.
    private func isAnswer(_ actions: [BodyAction]) -> Bool {
        // Closures that need no more than a number: one that looks at the world begins with a copy of it.
        for case .send(let id, _) in actions
        where connections.contains(where: { $0.id == id && $0.channel == .command }) {
            return true
        }
        return false
    }

    private mutating func end(_ id: ConnectionID, reason: String?) {
        guard let connection = connections.first(where: { $0.id == id }) else { return }
        forget(id)
        tell(connection, .closed(connection.channel, reason: reason))
        flights.plan(.hangUp(id, camera: connection.camera), at: now)
    }

    /// The daemon's side closes.
    private mutating func hangUp(_ connection: Connection) {
        forget(connection.id)
        flights.plan(.hangUp(connection.id, camera: connection.camera), at: now + network.latency)
    }

    private mutating func tell(_ connection: Connection, _ event: LinkEvent) {
        flights.plan(.toDaemon(connection.generation, event), at: now + network.latency)
    }

    private func connection(_ generation: LinkGeneration, _ channel: LinkChannel) -> Connection? {
        connections.first { $0.generation == generation && $0.channel == channel }
    }

    private mutating func forget(_ id: ConnectionID) {
        connections.removeAll { $0.id == id }
    }

    private mutating func cut() {
        cutsBehindNextBytes = false
        for connection in connections { end(connection.id, reason: "Connection reset by peer") }
    }
}
