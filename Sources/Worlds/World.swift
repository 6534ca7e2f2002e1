import Bodies
import Cameras
import Controller
import Exposure

/// The whole system on a virtual clock: the daemon's core and driver, a network with a delay, and simulated bodies.
///
/// The world never waits and is deterministic: the same calls give the same journal, byte for byte.
package struct World: Sendable {
    package internal(set) var daemon: VirtualDaemon
    package internal(set) var cameras: [WorldCamera]
    package internal(set) var now = Duration.zero
    /// The connections that the daemon opened.
    package internal(set) var connectionLog = ConnectionLog()
    /// Why an attempt to connect to an address without a camera fails.
    package var openFailure: @Sendable (CameraAddress) -> OpenFailure = { _ in .refused }
    /// The core of a newly started daemon.
    let newCore: Core
    var network: VirtualNetwork
    /// The daemon's HTTP requests.
    var exchanges = VirtualExchanges()
    var cutsBehindNextBytes = false
    /// The last report about the network to the daemon, from ``moveStation(_:)``.
    var reportedNetwork: NetworkSnapshot?
    var reportedRoute: CameraAddress?
    /// Another client that requests or has the session of the first camera; nil: none.
    var client: (any OtherClient)?
    var clientCount = 0
    /// Whether one call handled ``instantsMax`` instants. The world stops after such a call.
    package internal(set) var isLivelocked = false
    /// The maximum number of instants with events in one call.
    package var instantsMax = 2_000_000

    /// The delay and the pieces of bytes in the network.
    package struct Network: Sendable {
        /// The delay in one direction.
        package var latency: Duration
        /// The maximum number of bytes that arrive together; nil: bytes arrive together as they were sent.
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
        conditions: NetworkConditions = .normal,
        seed: UInt64 = 0
    ) {
        daemon = VirtualDaemon(core)
        newCore = core
        cameras = [WorldCamera(body: camera, place: place)]
        self.network = VirtualNetwork(network, conditions: conditions, seed: seed)
        put(.started)
    }

    /// The first camera.
    package var camera: SimulatedCamera { cameras[0].body }
    /// The log of the first camera's body.
    package var cameraLog: [String] { cameras[0].log }

    // MARK: Control

    /// The watcher of the world.
    package var watcher: (any WorldWatcher)? {
        get { daemon.watcher }
        set { daemon.watcher = newValue }
    }

    /// Replaces every sentence; nil: the sentences of the core do not change.
    package var rewording: SentenceReplacement? {
        get { daemon.rewording }
        set { daemon.rewording = newValue }
    }

    /// Changes the daemon's ledger.
    package mutating func ledger(_ change: (inout VirtualLedger) -> Void) {
        change(&daemon.ledger)
    }

    /// The number of the daemon's effects that are visible outside the process.
    package var effectCount: Int { daemon.effectCount }

    /// Whether no shoot is running, and nothing of a shoot is being written.
    package var isAtRest: Bool { daemon.core.isAtRest && daemon.ledger.nextTime == nil }

    /// Changes the disk on which the daemon stores pictures.
    package mutating func disk(_ change: (inout VirtualDisk) -> Void) {
        change(&daemon.disk)
    }

    /// Gives an input to the daemon now.
    package mutating func put(_ input: Input) {
        put([input])
    }

    mutating func put(_ inputs: [Input]) {
        var links: [Effect] = []
        daemon.put(inputs, at: now, links: &links)
        for effect in links { perform(effect) }
        if network.station != nil, daemon.watchedRoute != reportedRoute {
            reportedRoute = daemon.watchedRoute
            network.reportSoon(at: now)
        }
    }

    /// Sends a client's request to the daemon now. Returns the request's number.
    @discardableResult
    package mutating func ask(_ request: Request) -> RequestID {
        let id = daemon.nextRequest()
        put(.request(id, request))
        return id
    }

    /// The number of the next request, for callers of ``put(_:)``.
    package mutating func nextRequest() -> RequestID { daemon.nextRequest() }

    /// The maximum number of inputs that one input can cause before ``VirtualDaemon/isRunaway`` becomes true.
    package var turnsMax: Int {
        get { daemon.turnsMax }
        set { daemon.turnsMax = newValue }
    }
}
