import Cameras
import Statecharts

/// The core's configuration, at its start and each time it is read again.
package struct CoreConfiguration: Codable, Equatable, Sendable {
    /// The camera to connect to; nil: the core waits, and its status says so.
    package var cameraAddress: CameraAddress?
    package var identity: InitiatorIdentity
    package var transfer: TransferConfiguration
    package var ledger: LedgerMode
    /// Whether a shoot that an earlier run of the daemon left resumes without a request.
    package var resumesByItself: Bool
    /// The names of the preflight checks to skip.
    package var skippedChecks: Set<String>
    /// The rules of the search, besides that address.
    package var search: SearchRules
    package var button: ButtonConfiguration
    /// The plan that was armed last, even by an earlier run of the daemon; nil: the button fires its own.
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
/// Its caller is the daemon's loop or the simulated world. The caller stamps each input, calls ``handle``, and performs
/// the effects in order. It puts each ``Effect/enqueue(_:)`` at the end of its queue, and sends ``Input/deadline`` at
/// ``nextDeadline``.
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

    /// The limit of clients that wait for the same thing.
    package static let streamsMax = Subscriptions.clientsMax
    /// The limit of calls at once.
    package static let callsMax = CameraFinder.callsMax

    /// - Parameters:
    ///   - drivers: which cameras can be used.
    ///   - discovery: how cameras are found.
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

    /// The plan that a press fires; nil: the configured one.
    package var armedPlan: PlanInput? { shooting.armedPlan }

    /// A copy with another armed plan: the state of a new process that has read the stored plan.
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

    /// Handles one input to completion. Timers that are due by `now` come first.
    ///
    /// - Parameters:
    ///   - now: the daemon's monotonic clock; never less than in the call before.
    ///   - effects: receives the effects, in the order in which to perform them.
    package mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects) {
        var turn = Turn(at: now, numbers)
        turn.isWatched = subscriptions.contains(.transitions)
        // The buffer's memory is used again.
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

    /// Gives an input to its receiver.
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
        case .picture(let id, let outcome): pictures.handle(outcome, of: id, in: &turn)
        case .room(let isThere): pictures.receiveRoom(isThere: isThere, in: &turn)
        case .ledger(let news): records.receive(news, in: &turn)
        case .inspected(let findings): turn.send(.answer(.inspection, .checks(checks(findings))))
        case .message(let message): route(message, in: &turn)
        case .stop: turn.send(.stopRequested)
        }
    }

    /// An ended session receives nothing.
    private mutating func receive(_ event: SessionEvent, of generation: LinkGeneration, in turn: inout Turn) {
        if finder.index(of: generation) != nil {
            finder.receive(event, of: generation, finderFacts, in: &turn)
        } else if generation == session.generation {
            session.receive(event, in: &turn)
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

    /// Does what follows from the state at the end of an input.
    ///
    /// This uses no messages: each of these effects may follow from many inputs, and happens once for all of them.
    private mutating func finish(in turn: inout Turn) {
        takeWaiting(in: &turn)
        deliverMessages(in: &turn)
        if connection.isActive(.seeking) {
            connection.adopt(goal.wantedCamera)
            finder.offerNext(finderFacts, in: &turn)
        }
        passRequirements(in: &turn)
        deliverMessages(in: &turn)
        records.commit(mayWait: shooting.chart.isActive(.running), in: &turn)
        deliverMessages(in: &turn)
        publisher.publish(report, in: &turn)
        deliverMessages(in: &turn)
    }

    /// Adopts a configuration, as far as it can change while the daemon runs: search, suspects, checks, resuming,
    /// button. The connected camera stays, and so does a shoot with its plan.
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
