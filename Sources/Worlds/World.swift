import Bodies
import Cameras
import Controller
import Exposure

/// The whole system on a virtual clock: the daemon's core and driver, a network with a delay, simulated bodies.
///
/// Nothing here waits and nothing is drawn by chance: the same calls give the same journal, byte for byte.
package struct World: Sendable {
    package internal(set) var daemon: VirtualDaemon
    package internal(set) var cameras: [WorldCamera]
    package internal(set) var now = Duration.zero
    /// What the daemon opened.
    package internal(set) var callLog = CallLog()
    /// Why connections to addresses without a camera fail.
    package var openFailure: @Sendable (CameraAddress) -> OpenFailure = { _ in .refused }
    /// The core of a daemon that was just started.
    let newCore: Core
    var network: VirtualNetwork
    /// The daemon's requests of HTTP.
    var exchanges = VirtualExchanges()
    var cutsBehindNextBytes = false
    /// What was reported to the daemon last of its computer's network, by ``stand(_:)``.
    var reportedNetwork: NetworkSnapshot?
    var reportedRoute: CameraAddress?
    /// Another client that asks for the first camera's session, or holds it; nil: there is none.
    var client: (any ForeignClient)?
    var clientCount = 0
    /// Whether time did not pass any more: ``instantsMax`` came without an end. The world stands still then.
    package internal(set) var isLivelocked = false
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

    /// What watches the world from now on.
    package var watcher: (any WorldWatcher)? {
        get { daemon.watcher }
        set { daemon.watcher = newValue }
    }

    /// The other words for every sentence from now on; nil: the core's.
    package var rewording: Rewording? {
        get { daemon.rewording }
        set { daemon.rewording = newValue }
    }

    /// Changes the daemon's ledger.
    package mutating func ledger(_ change: (inout VirtualLedger) -> Void) {
        change(&daemon.ledger)
    }

    /// How many effects the daemon performed that anybody else could notice.
    package var effectCount: Int { daemon.effectCount }

    /// Whether nothing of a shoot is going on or on its way to the disk.
    package var isAtRest: Bool { daemon.core.isAtRest && daemon.ledger.nextTime == nil }

    /// Changes the daemon's disk.
    package mutating func disk(_ change: (inout VirtualDisk) -> Void) {
        change(&daemon.disk)
    }

    /// Something happens to the daemon, now.
    package mutating func put(_ input: Input) {
        put([input])
    }

    mutating func put(_ inputs: [Input]) {
        var links: [Effect] = []
        daemon.put(inputs, at: now, links: &links)
        for effect in links { perform(effect) }
        if network.station != nil, daemon.watchedRoute != reportedRoute {
            reportedRoute = daemon.watchedRoute
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

    /// How many inputs one may lead to before ``VirtualDaemon/isRunaway`` is set.
    package var turnsMax: Int {
        get { daemon.turnsMax }
        set { daemon.turnsMax = newValue }
    }
}
