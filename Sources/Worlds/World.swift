import Bodies
import Cameras
import Controller
import Exposure

/// The whole system on a virtual clock: the daemon's core and driver, a network with a delay, simulated bodies.
///
/// Nothing here waits and nothing is drawn by chance: the same calls give the same journal, byte for byte.
package struct World: Sendable {
    package private(set) var daemon: VirtualDaemon
    package private(set) var cameras: [WorldCamera]
    package private(set) var now = Duration.zero
    /// What the daemon opened.
    package private(set) var book = CallLog()
    /// What calls come to at addresses where no camera is.
    package var nobody: @Sendable (CameraAddress) -> OpenFailure = { _ in .refused }
    /// The core of a daemon that was just started.
    private let newCore: Core
    private var network: VirtualNetwork
    private var cutsBehindNextBytes = false
    /// What the daemon was told last of its computer's network, by ``stand(_:)``.
    private var told: NetworkSnapshot?
    private var toldOf: CameraAddress?
    /// Another client that asks for the first camera's session, or holds it; nil: there is none.
    private var client: (any ForeignClient)?
    private var clientCount = 0
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
        self.network = VirtualNetwork(network, weather: weather, seed: seed)
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
        network.endAll(at: now)
        forgetProcess()
        daemon.crash(newCore, writesPending: writesPending, isPowerCut: isPowerCut, at: now)
    }

    /// Damages the log of the ledger while no daemon runs: its last commits are gone.
    package mutating func loseCommits(_ count: Int) {
        if daemon.ledger.loseLast(count) { daemon.watcher?.lostCommits(ledger: daemon.ledger.tables, at: now) }
    }

    private mutating func forgetProcess() {
        book.forgetOpen()
        told = nil
        toldOf = nil
    }

    /// Starts the daemon again after ``kill(writesPending:isPowerCut:)``.
    package mutating func restart() {
        // What was told meanwhile nobody heard.
        told = nil
        toldOf = nil
        put(.started)
        if network.station != nil { network.tellSoon(at: now) }
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
        network.forsake(camera: number, at: now)
        reviewPlaces()
    }

    private mutating func reviewPlaces() {
        let cameras = cameras
        network.review(at: now) { address in cameras.contains { $0.isOn && $0.isAt(address) } }
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
        if network.station != nil, daemon.watchedRoute != toldOf {
            toldOf = daemon.watchedRoute
            network.tellSoon(at: now)
        }
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

    /// How many inputs one may lead to before ``VirtualDaemon/isRunaway`` is told.
    package var turnsMax: Int {
        get { daemon.turnsMax }
        set { daemon.turnsMax = newValue }
    }

    /// Lets time pass.
    package mutating func pass(_ time: Duration) {
        let end = now + time
        pass(until: end) { _ in false }
        if !isLivelocked { now = end }
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
        var soonest = network.nextTime ?? Self.never
        if let time = daemon.nextDeadline { soonest = min(soonest, time) }
        for index in cameras.indices {
            if let time = cameras[index].body.nextDeadline { soonest = min(soonest, time) }
        }
        return soonest < Self.never ? soonest : nil
    }

    private static let never = Duration.seconds(1 << 50)

    /// What is due now: first what arrives, then the body, then the daemon's clock.
    private mutating func step() {
        var arrived: [Input] = []
        while let delivery = network.next(dueBy: now) { land(delivery, arrived: &arrived) }
        if !arrived.isEmpty { put(arrived) }
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

    /// What the network does to connections, from now on. A change does not end what has begun: see ``healNetwork()``.
    package var weather: NetworkWeather {
        get { network.weather }
        set { network.weather = newValue }
    }

    /// How the daemon's computer stands to the network; nil: near the camera, and the daemon is told nothing of it.
    package var station: Station? { network.station }

    /// Nothing reaches a camera or comes from it, and nobody answers who calls it, for so long; nil: what stands now is
    /// dead for good, and other connections are not concerned.
    ///
    /// - Parameter number: the camera; nil: all.
    package mutating func blackhole(_ number: Int? = nil, for time: Duration?) {
        if let time {
            network.beginOutage(number, until: now + time, at: now)
        } else {
            network.lose(number, at: now)
        }
    }

    /// A camera's connections are reset, now, and what is on its way is lost.
    package mutating func reset(_ number: Int? = nil) {
        network.reset(number, at: now)
    }

    /// The daemon's computer comes to stand otherwise to the network, and the daemon is told.
    package mutating func stand(_ station: Station) {
        network.stand(station, at: now)
    }

    /// From now on the network is calm, holes and outages are over, and the station is near. What was lost for good
    /// stays dead until somebody gives it up.
    package mutating func healNetwork() {
        network.heal(at: now)
    }

    /// Ends the daemon, now, and draws what is left of what it had begun: of commits a prefix, of what was on its way
    /// to a camera what arrives all the same.
    package mutating func kill(isPowerCut: Bool, drawing random: inout SeededGenerator) {
        network.endAll(isPowerCut: isPowerCut, drawing: &random, at: now)
        forgetProcess()
        daemon.crash(newCore, isPowerCut: isPowerCut, drawing: &random, at: now)
    }

    /// Ledger and disk are as well as ever from now on.
    package mutating func healDisks() {
        daemon.ledger.heal(at: now)
        daemon.disk.heal()
    }

    /// Everything is well from now on: network, disks, cameras; what remains of faults that have begun is over.
    package mutating func heal() {
        healNetwork()
        healDisks()
        for number in cameras.indices { heal(number) }
    }

    /// A camera's faults are over, and it is on: see ``SimulatedCamera/heal(mode:at:into:)``.
    package mutating func heal(_ number: Int, mode: DialMode = .manual) {
        if !cameras[number].isOn { powerOn(number) }
        cameras[number].refusesUntil = .zero
        var actions: [BodyAction] = []
        cameras[number].body.heal(mode: mode, at: now, into: &actions)
        perform(actions, by: number)
    }

    /// Somebody pulls a camera's battery: it says nothing to anybody. See ``SimulatedCamera/powerOff(at:into:)``.
    package mutating func powerOff(_ number: Int = 0) {
        guard cameras[number].isOn else { return }
        cameras[number].isOn = false
        if number == 0 { client = nil }
        network.forsake(camera: number, at: now)
        var actions: [BodyAction] = []
        cameras[number].body.powerOff(at: now, into: &actions)
        perform(actions, by: number)
        reviewPlaces()
    }

    /// The battery is put in again.
    package mutating func powerOn(_ number: Int = 0) {
        guard !cameras[number].isOn else { return }
        cameras[number].isOn = true
        cameras[number].refusesUntil = .zero
        reviewPlaces()
    }

    /// Somebody turns the mode dial of a camera, now.
    package mutating func turnDial(_ number: Int = 0, to mode: DialMode) {
        cameras[number].body.turnDial(to: mode, at: now)
    }

    /// Somebody turns the dial of the shutter speed, now.
    package mutating func turnSpeed(_ number: Int = 0, to speed: ShutterSpeed) {
        cameras[number].body.turnSpeed(to: speed, at: now)
    }

    /// A camera's battery has this much left, in per cent; below zero: not known.
    package mutating func setBattery(_ number: Int = 0, percent: Int) {
        cameras[number].body.setBattery(percent: percent, at: now)
    }

    // MARK: Another client

    /// Another client asks the first camera for its only session. It was near the camera all the time: weather does not
    /// concern it.
    package mutating func occupy() {
        guard client == nil, cameras[0].isOn,
            let client = type(of: cameras[0].body.body).foreignClient(number: clientCount + 1)
        else { return }
        clientCount += 1
        self.client = client
        perform(client.begin())
    }

    /// Whether another client has the session.
    package var isOccupied: Bool { client?.isInSession ?? false }

    /// The other client leaves the camera.
    package mutating func vacate(isOrderly: Bool) {
        guard let client else { return }
        perform(client.end(isOrderly: isOrderly))
        self.client = nil
    }

    private mutating func perform(_ actions: [ForeignAction]) {
        for action in actions {
            var answers: [BodyAction] = []
            switch action {
            case .connect(let id):
                guard now >= cameras[0].refusesUntil, cameras[0].body.acceptsConnection(at: now) else {
                    client = nil
                    return
                }
                cameras[0].body.accepted(id, at: now, into: &answers)
            case .send(let id, let bytes): cameras[0].body.received(id, bytes, at: now, into: &answers)
            case .hangUp(let id): cameras[0].body.closed(id, at: now, into: &answers)
            }
            perform(answers, by: 0)
        }
    }

    /// What the first camera does to the other client's connections.
    private mutating func performForClient(_ action: BodyAction) {
        switch action {
        case .send(let id, let bytes):
            guard let actions = client?.receive(id, bytes) else { return }
            perform(actions)
        default: client = nil
        }
    }

    // MARK: The network

    /// The daemon's side.
    private mutating func perform(_ effect: Effect) {
        switch effect {
        case .openLink(let generation, let link, let target, let timeout):
            book.noteOpening(.init(generation: generation, link: link), target.address, at: now)
            network.open(.init(generation: generation, link: link, target: target, deadline: now + timeout), at: now)
        case .send(let generation, let link, let bytes):
            network.send(generation, link, bytes, at: now)
        case .closeLink(let generation, let link):
            book.noteClosed(.init(generation: generation, link: link))
            network.close(generation, link, at: now)
        default:
            break
        }
    }

    private mutating func land(_ delivery: VirtualNetwork.Delivery, arrived: inout [Input]) {
        var actions: [BodyAction] = []
        switch delivery {
        case .call(let opening):
            call(opening)
        case .bytes(let id, let number, let bytes):
            cameras[number].body.received(id, bytes, at: now, into: &actions)
            perform(actions, by: number)
        case .hangUp(let id, let number):
            cameras[number].body.closed(id, at: now, into: &actions)
            perform(actions, by: number)
        case .toDaemon(let generation, let event):
            book.note(event, of: generation)
            arrived.append(.link(generation, event))
        case .tell:
            guard let snapshot = network.station?.snapshot(watched: daemon.watchedRoute), snapshot != told else {
                break
            }
            told = snapshot
            arrived.append(.network(snapshot))
        }
    }

    /// Somebody is called.
    private mutating func call(_ opening: VirtualNetwork.Opening) {
        guard let number = cameras.firstIndex(where: { $0.isOn && $0.isAt(opening.target.address) }) else {
            if cameras.contains(where: { $0.isAt(opening.target.address) }) {
                return network.missNeighbour(opening, at: now)
            }
            return network.miss(opening, nobody(opening.target.address), at: now)
        }
        guard !network.swallows(opening, camera: number, at: now) else { return }
        guard now >= cameras[number].refusesUntil, cameras[number].body.acceptsConnection(at: now) else {
            return network.miss(opening, .refused, at: now)
        }
        let id = network.accept(opening, camera: number, at: now)
        daemon.watcher?.linked(opening.generation, opening.link, to: number, at: now)
        var actions: [BodyAction] = []
        cameras[number].body.accepted(id, on: opening.target.address.port, at: now, into: &actions)
        perform(actions, by: number)
    }

    /// The body's side.
    private mutating func perform(_ actions: [BodyAction], by number: Int) {
        // Behind a whole answer: a body sends one in several pieces.
        let cutsNow = cutsBehindNextBytes && isAnswer(actions)
        defer { if cutsNow { cut() } }
        for action in actions {
            daemon.watcher?.did(action, camera: number, at: now)
            if let id = action.connection, client?.has(id) == true {
                performForClient(action)
                continue
            }
            switch action {
            case .send(let id, let bytes):
                network.sendFromBody(id, bytes, at: now)
            case .close(let id):
                network.endFromBody(id, reason: nil, at: now)
            case .abort(let id):
                network.endFromBody(id, reason: "Connection reset by peer", at: now)
            case .refuseConnections(let until), .leave(_, let until):
                cameras[number].refusesUntil = max(cameras[number].refusesUntil, until)
            case .exposed, .fact:
                break
            case .log(let line):
                cameras[number].log.append(line)
            }
        }
    }

    /// Whether something goes out on the first connection of a session.
    private func isAnswer(_ actions: [BodyAction]) -> Bool {
        actions.contains { action in
            guard case .send(let id, _) = action else { return false }
            return network.isFirst(id)
        }
    }

    private mutating func cut() {
        cutsBehindNextBytes = false
        for id in network.standing { network.endFromBody(id, reason: "Connection reset by peer", at: now) }
    }
}
