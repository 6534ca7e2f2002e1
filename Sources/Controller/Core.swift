import Cameras
import Statecharts

/// What the core is told when it is made, and again when its configuration is read anew.
package struct CoreConfiguration: Equatable, Sendable {
    /// The camera to connect to; without one the core waits and says so.
    package var cameraAddress: CameraAddress?
    package var identity: InitiatorIdentity
    package var transfer: TransferConfiguration
    package var ledger: LedgerMode
    /// Whether a shoot that an earlier run of the daemon left goes on without being asked for.
    package var resumesByItself: Bool
    /// Preflight checks that are left out, by name.
    package var skippedChecks: Set<String>
    /// How cameras are looked for beside that address.
    package var search: SearchRules
    package var button: ButtonConfiguration
    /// The plan that was armed last, by an earlier run of the daemon too; nil: the button fires its own.
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

/// Where the parts of the daemon meet: charts, the camera's driver and the components that own them.
///
/// Everything comes in as an ``Input``, everything that is to be done goes out as an ``Effect``. The core reads no
/// clock and does nothing by itself: whoever drives it (the daemon's loop, the simulated world) stamps each input,
/// calls ``handle``, performs the effects in order, puts what ``Effect/enqueue(_:)`` names at the end of its queue, and
/// sends ``Input/deadline`` when ``nextDeadline`` comes. The same inputs give the same effects.
package struct Core: Sendable {
    var configuration: CoreConfiguration
    var connection = ChartRun(ConnectionModel())
    var shooting: ShootControl
    var network = ChartRun(NetworkModel())
    var records: Records
    var finder = CameraFinder()
    var button: ChartRun<ButtonModel>
    var service = ChartRun(ServiceModel())
    var requests = ConnectRequests()
    var subscriptions = Subscriptions()
    var publisher = Publisher()
    var session: CameraSession
    var pictures: PictureIntake

    /// How many clients may wait for the same thing at once.
    package static let streamsMax = Subscriptions.clientsMax
    /// How many addresses are called at once.
    package static let callsMax = CameraFinder.callsMax

    package init(configuration: CoreConfiguration, camera: any Camera) {
        self.configuration = configuration
        session = CameraSession(camera)
        shooting = ShootControl(configuration)
        records = Records(configuration.ledger)
        pictures = PictureIntake(configuration.transfer.policy)
        button = ChartRun(ButtonModel(configuration.button.rules))
    }

    /// What a press fires; nil: what the configuration says.
    package var armedPlan: PlanInput? { shooting.armedPlan }

    /// The same, with another plan armed: as it is when a new process has read what the last one kept of it.
    package func armed(with plan: PlanInput?) -> Core {
        var core = self
        core.shooting.armedPlan = plan
        return core
    }

    /// The driver in use.
    package var camera: any Camera {
        get { session.driver }
        set { session.driver = newValue }
    }

    /// When the core wants ``Input/deadline`` next; nil while nothing waits for a time.
    package var nextDeadline: Duration? {
        ChartEntry.all.reduce(nil as Duration?) { $0.earlier($1.nextDeadline(self)) }
            .earlier(finder.nextDeadline)
            .earlier(session.driver.nextDeadline)
            .earlier(session.propertyOrder?.deadline)
            .earlier(requests.order?.deadline)
    }

    /// Takes one input to its end. What falls due by `now` comes first.
    ///
    /// - Parameters:
    ///   - now: the daemon's monotonic clock; never less than in the call before.
    ///   - effects: what is to be done is appended here, in the order in which it is to be done.
    package mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects) {
        var turn = Turn(at: now)
        turn.isWatched = subscriptions.contains(.transitions)
        // The buffer's memory is used again.
        swap(&turn.effects, &effects)
        handle(input, in: &turn)
        swap(&turn.effects, &effects)
    }

    private mutating func handle(_ input: Input, in turn: inout Turn) {
        if input == .started {
            for chart in ChartEntry.starting {
                chart.start(&self, &turn)
                deliverMessages(in: &turn)
            }
        } else {
            // Before whatever is due by now, for it may be older: a loop that was late makes no hold of a short press.
            if case .button(.edge(let isPressed, let time)) = input {
                hearEdge(isPressed, at: time, in: &turn)
            }
            advance(in: &turn)
        }
        switch input {
        case .started, .deadline:
            break
        case .link(let generation, let event):
            if receive(event, of: generation, in: &turn) { break }
            guard generation == session.generation else { break }
            session.driver.receive(event, at: turn.now, into: &session.actions)
            performCameraActions(in: &turn)
        case .request(let id, let request):
            take(request, id, in: &turn)
        case .requestCancelled(let id):
            let wereCamerasWatched = subscriptions.contains(.cameras)
            subscriptions.cancel(id)
            if wereCamerasWatched, !subscriptions.contains(.cameras) { deliver(Search.Input.unwatched, in: &turn) }
        case .configured(let configuration):
            adopt(configuration, in: &turn)
        case .button(let news):
            handle(news, in: &turn)
        case .planKept(let id, let trouble):
            answerArmer(id, trouble, in: &turn)
        case .network(let snapshot):
            deliver(snapshot, in: &turn)
        case .ssdp(let datagram):
            let interface = network.machine.behavior.snapshot?.interface(datagram.interface)
            if let address = finder.receive(datagram, on: interface, in: &turn) { call(address, in: &turn) }
        case .fetched(let id, let outcome):
            if let address = finder.receive(outcome, of: id, in: &turn) { call(address, in: &turn) }
        case .picture(let id, let outcome):
            handle(outcome, of: id, in: &turn)
        case .room(let isThere):
            deliver(isThere ? Transfer.Input.roomFound : .roomMissing, in: &turn)
        case .ledger(let news):
            handle(news, in: &turn)
        case .inspected(let findings):
            answerInspectors(findings, in: &turn)
        case .message(let message):
            route(message, in: &turn)
        case .stop:
            stop(in: &turn)
        }
        deliverMessages(in: &turn)
        takeWaiting(in: &turn)
        tellWanted()
        lookAgain(in: &turn)
        tellDemands(in: &turn)
        tellLedger(in: &turn)
        deliverMessages(in: &turn)
        publisher.publish(report, to: subscriptions, in: &turn)
    }

    /// Delivers what is due, the camera's first: what it reports passes the queue and so comes after every timeout of
    /// this instant; but what it sends must not wait.
    private mutating func advance(in turn: inout Turn) {
        if let due = session.driver.nextDeadline, due <= turn.now {
            session.driver.advance(to: turn.now, into: &session.actions)
            performCameraActions(in: &turn)
        }
        expireProperty(in: &turn)
        for chart in ChartEntry.advancing {
            chart.advance(&self, &turn)
            deliverMessages(in: &turn)
        }
        advanceCandidates(in: &turn)
        expireConnectOrder(in: &turn)
    }

    /// Goes by this configuration from now on, as far as it can change while the daemon runs: where and how cameras are
    /// looked for, suspects, checks, what goes on by itself, the button. The camera that is connected stays, and so
    /// does a shoot with its plan.
    mutating func adopt(_ wanted: CoreConfiguration, in turn: inout Turn) {
        let searchBefore = configuration.search
        configuration.cameraAddress = wanted.cameraAddress
        configuration.search = wanted.search
        configuration.transfer.firesSuspectsAgain = wanted.transfer.firesSuspectsAgain
        configuration.resumesByItself = wanted.resumesByItself
        configuration.skippedChecks = wanted.skippedChecks
        configuration.button = wanted.button
        shooting.chart.inform { $0.firesSuspectsAgain = wanted.transfer.firesSuspectsAgain }
        button.inform { $0.rules = wanted.button.rules }
        finder.lastPick = nil
        guard configuration.search != searchBefore else { return }
        if connection.isActive(.seeking) { turn.append(.enqueue(.searchWanted(isSearched))) }
        deliver(Search.Input.networkChanged, in: &turn)
    }
}
