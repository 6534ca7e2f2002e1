import Cameras
import Statecharts

/// The configuration that the core receives at its start and at each reload.
package struct CoreConfiguration: Codable, Equatable, Sendable {
    /// The address of the camera to connect to; nil: none is configured.
    package var cameraAddress: CameraAddress?
    package var identity: InitiatorIdentity
    package var transfer: TransferConfiguration
    package var ledger: LedgerMode
    /// Whether an unfinished shoot of an earlier run resumes without a request.
    package var resumesByItself: Bool
    /// The names of the preflight checks to skip.
    package var skippedChecks: Set<String>
    /// The rules of the search, except for `cameraAddress`.
    package var search: SearchRules
    package var button: ButtonConfiguration
    /// The plan that was armed last, in this or an earlier run; nil: the button fires the plan in `button`.
    package var armedPlan: PlanInput?

    package init(
        cameraAddress: CameraAddress?,
        identity: InitiatorIdentity,
        transfer: TransferConfiguration = TransferConfiguration(),
        ledger: LedgerMode = .off,
        resumesByItself: Bool = false,
        skippedChecks: Set<String> = [],
        search: SearchRules = SearchRules(),
        button: ButtonConfiguration = ButtonConfiguration(),
        armedPlan: PlanInput? = nil
    ) {
        self.cameraAddress = cameraAddress
        self.identity = identity
        self.transfer = transfer
        self.ledger = ledger
        self.resumesByItself = resumesByItself
        self.skippedChecks = skippedChecks
        self.search = search
        self.button = button
        self.armedPlan = armedPlan
    }
}

/// The core of the daemon: charts, the camera's driver and the components that own them.
///
/// Everything comes in as an ``Input``, and every action goes out as an ``Effect``. The core reads no clock and does
/// nothing without an input. The same inputs give the same effects.
///
/// The daemon's loop or the simulated world calls the core. The caller gives each input its time, calls ``handle``, and
/// performs the effects in order. The caller puts the message of each ``Effect/enqueue(_:)`` at the end of its queue.
/// At ``nextDeadline`` the caller sends ``Input/deadline``.
package struct Core: Sendable {
    /// The configured rules of the search.
    private(set) var searchRules: SearchRules
    private(set) var cameraAddress: CameraAddress?
    var connection = ChartRun(ConnectionModel())
    var shooting: ShootControl
    var network = ChartRun(NetworkModel())
    var records: Records
    var finder: CameraFinder
    var button: ButtonControl
    var service = ChartRun(ServiceModel())
    var requests = ConnectRequests()
    private var numbers = Numbers()
    var subscriptions = Subscriptions()
    var publisher = Publisher()
    var session: CameraSession
    var pictures: PictureIntake
    var metering = MeteringControl()

    /// The maximum number of clients that wait for the same answer or stream.
    package static let streamsMax = Subscriptions.clientsMax
    /// The maximum number of addresses that are probed at the same time.
    package static let probesMax = CameraFinder.probesMax

    /// - Parameters:
    ///   - drivers: the drivers of the supported camera protocols.
    ///   - discovery: the protocols and messages that find cameras.
    package init(
        configuration: CoreConfiguration,
        drivers: CameraDrivers = .all,
        discovery: DiscoveryTable = .standard
    ) {
        searchRules = configuration.search
        cameraAddress = configuration.cameraAddress
        finder = CameraFinder(discovery, driven: Set(drivers.rows.map(\.cameraProtocol)))
        session = CameraSession(DriverSet(drivers, configuration.identity))
        shooting = ShootControl(configuration)
        records = Records(configuration.ledger)
        pictures = PictureIntake(configuration.transfer.policy)
        button = ButtonControl(configuration.button.rules)
    }

    /// The plan that a press fires; nil: a press fires the configured plan.
    package var armedPlan: PlanInput? { shooting.armedPlan }

    /// Returns a copy with this armed plan, like a new process that has read the stored plan.
    package func armed(with plan: PlanInput?) -> Core {
        var core = self
        core.shooting.arm(plan)
        return core
    }

    /// The driver in use.
    package var camera: any Camera {
        get { session.driver.camera }
        set { session.driver.camera = newValue }
    }

    /// The time of the next ``Input/deadline``; nil: no timer runs.
    package var nextDeadline: Duration? {
        ChartEntry.advancing.reduce(nil as Duration?) { $0.earlier($1.nextDeadline(self)) }
    }

    /// Handles one input to completion. The timers that are due at `now` expire before the input is handled.
    ///
    /// - Parameters:
    ///   - now: the time of the daemon's monotonic clock, never earlier than in the previous call.
    ///   - effects: receives the effects. The caller performs them in this order.
    package mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects) {
        var turn = Turn(at: now, numbers)
        turn.isWatched = subscriptions.contains(.transitions)
        // The turn fills the caller's buffer, so no input allocates a new one.
        swap(&turn.effects, &effects)
        if input == .started {
            start(in: &turn)
        } else {
            if input.isOlderThanWhatIsDue { handle(input, in: &turn) }
            advance(in: &turn)
        }
        if !input.isOlderThanWhatIsDue { handle(input, in: &turn) }
        deliverMessages(in: &turn)
        finish(in: &turn)
        swap(&turn.effects, &effects)
        numbers = turn.numbers
    }

    /// Passes an input to the part that handles it.
    private mutating func handle(_ input: Input, in turn: inout Turn) {
        switch input {
        case .started, .deadline: break
        case .link(let generation, let event): receive(.link(event), of: generation, in: &turn)
        case .request(let id, let request): take(request, id, in: &turn)
        case .requestCancelled(let id): subscriptions.cancel(id, in: &turn)
        case .configured(let configuration): adopt(configuration, in: &turn)
        case .button(let news): button.receive(news, shooting.pressMeaning, in: &turn)
        case .planKept(let id, let failure): subscriptions.answerArmer(id, failure, in: &turn)
        case .network(let snapshot): network.receive(snapshot, by: searchRules, in: &turn)
        case .ssdp(let datagram): finder.receive(datagram, finderFacts, in: &turn)
        case .http(.discovery, let id, let event): finder.receive(event, of: id, finderFacts, in: &turn)
        case .http(let generation, let id, let event): receive(.http(id, event), of: generation, in: &turn)
        case .picture(let id, let outcome): pictures.handle(outcome, of: id, pictureFacts, in: &turn)
        case .light(let reading): if !service.view.isLeaving { metering.receive(reading, in: &turn) }
        case .coverage(let reading): pictures.receive(reading, pictureFacts, in: &turn)
        case .room(let isThere): pictures.receiveRoom(isThere: isThere, in: &turn)
        case .ledger(let news): records.receive(news, in: &turn)
        case .inspected(let findings): turn.send(.answer(.inspection, .checks(checks(findings))))
        case .message(let message): route(message, in: &turn)
        case .stop: turn.send(.stopRequested)
        }
    }

    /// Passes an event to the session with this generation. An event of an ended session is ignored.
    private mutating func receive(_ event: SessionEvent, of generation: LinkGeneration, in turn: inout Turn) {
        if finder.index(of: generation) != nil {
            finder.receive(event, of: generation, finderFacts, in: &turn)
        } else if generation == session.generation {
            session.receive(event, over: network.machine.behavior.snapshot, in: &turn)
        }
    }

    private mutating func start(in turn: inout Turn) {
        for chart in ChartEntry.starting {
            chart.start(&self, &turn)
            deliverMessages(in: &turn)
        }
    }

    private mutating func advance(in turn: inout Turn) {
        for chart in ChartEntry.advancing {
            chart.advance(&self, &turn)
            deliverMessages(in: &turn)
        }
    }

    /// Updates everything that depends on the state after an input.
    ///
    /// These updates use no messages. Many inputs can require the same update, and each update runs once per input.
    private mutating func finish(in turn: inout Turn) {
        takeWaiting(in: &turn)
        deliverMessages(in: &turn)
        if connection.isActive(.seeking) {
            connection.adopt(goal)
            finder.offerNext(finderFacts, in: &turn)
        }
        passRequirements(in: &turn)
        deliverMessages(in: &turn)
        records.commit(mayWait: shooting.chart.isActive(.running), in: &turn)
        deliverMessages(in: &turn)
        publisher.publish(report, in: &turn)
        deliverMessages(in: &turn)
    }

    /// Adopts what can change while the daemon runs: search, retries of suspect frames, checks, resuming, button.
    ///
    /// The connected camera stays connected, and the active shoot keeps its plan.
    mutating func adopt(_ wanted: CoreConfiguration, in turn: inout Turn) {
        let searchBefore = searchRules
        cameraAddress = wanted.cameraAddress
        searchRules = wanted.search
        shooting.adopt(wanted)
        button.adopt(wanted.button.rules)
        turn.send(.goalChanged)
        guard searchRules != searchBefore else { return }
        if connection.isActive(.seeking) { turn.append(.enqueue(.searchWanted(goal.isSearched))) }
        turn.send(.interfacesChanged)
    }
}
