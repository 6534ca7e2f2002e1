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

/// The daemon's mind: ten charts and a camera's driver, and the rules by which they talk to each other and to the
/// world.
///
/// Everything comes in as an ``Input``, everything that is to be done goes out as an ``Effect``. The core reads no
/// clock and does nothing by itself: whoever drives it (the daemon's loop, the simulated world) stamps each input,
/// calls ``handle``, performs the effects in order, puts what ``Effect/enqueue(_:)`` names at the end of its queue, and
/// sends ``Input/deadline`` when ``nextDeadline`` comes. The same inputs give the same effects.
package struct Core: Sendable {
    var configuration: CoreConfiguration
    var connection = ChartRun(ConnectionModel())
    var shooting: ChartRun<ShootingModel>
    var network = ChartRun(NetworkModel())
    var transfer: ChartRun<TransferModel>
    var recording: ChartRun<RecordingModel>
    var settings = ChartRun(SettingsModel())
    var search = ChartRun(SearchModel())
    var button: ChartRun<ButtonModel>
    var service = ChartRun(ServiceModel())
    /// What a press fires; nil: what the configuration says.
    package internal(set) var armedPlan: PlanInput?
    /// Clients that wait until the plan that they armed is on disk, and whether they still listen.
    var armers: [RequestID: Bool] = [:]
    var toldSign: LampSign?
    /// Addresses that are being called, or wait for it.
    var candidates: [CandidateRun] = []
    var lastGeneration = LinkGeneration(rawValue: 0)
    var book = CameraBook()
    /// The interfaces that cameras are heard on, with the addresses that they had.
    var listened: [UInt32: [NetworkInterface.Address]] = [:]
    var fetches: [FetchID: (name: String, url: DescriptionURL)] = [:]
    var lastFetch = FetchID(rawValue: 0)
    /// The address that was picked from the list last; the next one is another.
    var lastLook: CameraAddress?
    /// The address that the connection is about to be told of.
    var named: CameraAddress?
    /// Addresses where somebody listens who is not to be called again before this time.
    var resting: [CameraAddress: Duration] = [:]
    /// What addresses refused us with last: said once.
    var refusals: [CameraAddress: Refusal] = [:]
    var choice: CameraChoice?
    var connectOrder: ConnectOrder?
    var releaseOrders: [RequestID] = []
    /// Clients that hear of every change of the list of cameras, and what they heard last.
    var cameraWatchers: [RequestID] = []
    var toldCameras: [CameraEntry] = []
    var toldRoute: CameraAddress?
    /// What the driver was told to keep of pictures.
    var pictureWish: PictureWish?
    package var camera: any Camera
    /// The driver's actions, until they are turned into effects.
    var cameraActions: [CameraAction] = []
    var generation = LinkGeneration(rawValue: 0)
    /// The commands that each chart gave last; answers to older ones are dropped.
    var lastTicket = Ticket(rawValue: 0)
    var connectionTicket = Ticket(rawValue: 0)
    var shootingTicket = Ticket(rawValue: 0)
    var settingsTicket = Ticket(rawValue: 0)
    var properties = PropertyTable()
    /// The speed that the body showed last; nil: it did not say.
    var shownSpeed: SpeedReading?
    var propertyOrder: PropertyOrder?
    /// Requests that are not handled yet, the oldest first; see ``Core/take(_:_:at:into:)``.
    var waitingRequests: [WaitingRequest] = []
    /// The outcome that those who follow a shoot get when the camera is set as it was; nil: nothing is owed.
    var waitingEnd: Progress?
    /// The client whose shoot is being written to the ledger; nil: none waits for that.
    var shootOrderer: ShootOrderer?
    /// Clients that hear of the shoot's progress, and of every transition.
    var shootStreams: [RequestID] = []
    var watchers: [RequestID] = []
    /// Clients that hear of every picture.
    var photoWatchers: [RequestID] = []
    var pictures = PictureBook()
    var ledgerNotes = LedgerNotes()
    var timings = TimingBook()
    var frameTimer = FrameTimer()
    /// When a camera took the shutter command last.
    var lastRelease = Duration.zero
    /// Questions that the ledger has not answered.
    var ledgerReaders: [RequestID: LedgerReader] = [:]
    /// What the ledger's disk has room for; nil: not known.
    var ledgerFreeBytes: Int64?
    var planBook = PlanBook()
    /// Clients that wait for the host's findings; nil: it is not looking.
    var inspectors: [RequestID]?
    var lastProgress: Progress?
    /// The shoot as the last transition was told of it.
    var toldShoot: Shoot?
    var lastStatus: String?

    /// How many clients may listen to each kind of stream at once.
    package static let streamsMax = 32

    package init(configuration: CoreConfiguration, camera: any Camera) {
        self.configuration = configuration
        self.camera = camera
        shooting = ChartRun(
            ShootingModel(
                firesSuspectsAgain: configuration.transfer.firesSuspectsAgain,
                firesUnrecorded: configuration.ledger != .required,
                keepsPictures: configuration.transfer.policy != .none
            )
        )
        recording = ChartRun(RecordingModel(configuration.ledger))
        transfer = ChartRun(TransferModel(configuration.transfer.policy))
        button = ChartRun(ButtonModel(configuration.button.rules))
        armedPlan = configuration.armedPlan
    }

    /// The same, with another plan armed: as it is when a new process has read what the last one kept of it.
    package func armed(with plan: PlanInput?) -> Core {
        var core = self
        core.armedPlan = plan
        return core
    }

    /// When the core wants ``Input/deadline`` next; nil while nothing waits for a time.
    package var nextDeadline: Duration? {
        connection.machine.nextDeadline
            .earlier(isStopping ? nil : shooting.machine.nextDeadline)
            .earlier(network.machine.nextDeadline)
            .earlier(transfer.machine.nextDeadline)
            .earlier(recording.machine.nextDeadline)
            .earlier(settings.machine.nextDeadline)
            .earlier(search.machine.nextDeadline)
            .earlier(button.machine.nextDeadline)
            .earlier(service.machine.nextDeadline)
            .earlier(candidatesDeadline)
            .earlier(camera.nextDeadline)
            .earlier(propertyOrder?.deadline)
            .earlier(connectOrder?.deadline)
    }

    /// Takes one input to its end. What falls due by `now` comes first.
    ///
    /// - Parameters:
    ///   - now: the daemon's monotonic clock; never less than in the call before.
    ///   - effects: what is to be done is appended here, in the order in which it is to be done.
    package mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects) {
        if input == .started {
            start(at: now, into: &effects)
        } else {
            // Before whatever is due by now, for it may be older: a loop that was late makes no hold of a short press.
            if case .button(.edge(let isPressed, let time)) = input {
                hearEdge(isPressed, at: time, now: now, into: &effects)
            }
            advance(to: now, into: &effects)
        }
        switch input {
        case .started, .deadline:
            break
        case .link(let generation, let event):
            if receive(event, of: generation, at: now, into: &effects) { break }
            guard generation == self.generation else { break }
            camera.receive(event, at: now, into: &cameraActions)
            performCameraActions(into: &effects)
        case .request(let id, let request):
            take(request, id, at: now, into: &effects)
        case .requestCancelled(let id):
            shootStreams.removeAll { $0 == id }
            watchers.removeAll { $0 == id }
            if propertyOrder?.request == id { propertyOrder?.request = nil }
            photoWatchers.removeAll { $0 == id }
            if shootOrderer?.request == id { shootOrderer = nil }
            // The question is on its way all the same.
            if ledgerReaders[id] != nil { ledgerReaders[id] = .gone }
            inspectors?.removeAll { $0 == id }
            waitingRequests.removeAll { $0.id == id }
            endCameraWatcher(id, at: now, into: &effects)
            // What it asked for is still tried, for as long.
            if connectOrder?.request == id { connectOrder?.request = nil }
            releaseOrders.removeAll { $0 == id }
            // What it armed is on its way to the disk all the same.
            if armers[id] != nil { armers[id] = false }
        case .configured(let configuration):
            adopt(configuration, at: now, into: &effects)
        case .button(let news):
            handle(news, at: now, into: &effects)
        case .planKept(let id, let trouble):
            answerArmer(id, trouble, into: &effects)
        case .network(let snapshot):
            deliver(snapshot, at: now, into: &effects)
        case .ssdp(let datagram):
            hear(datagram, at: now, into: &effects)
        case .fetched(let id, let outcome):
            take(outcome, of: id, at: now, into: &effects)
        case .picture(let id, let outcome):
            handle(outcome, of: id, at: now, into: &effects)
        case .room(let isThere):
            deliver(isThere ? Transfer.Input.roomFound : .roomMissing, at: now, into: &effects)
        case .ledger(let news):
            handle(news, at: now, into: &effects)
        case .inspected(let findings):
            answerInspectors(findings, into: &effects)
        case .hop(let hop):
            route(hop, at: now, into: &effects)
        case .stop:
            stop(at: now, into: &effects)
        }
        takeWaiting(at: now, into: &effects)
        tellWanted()
        lookAgain(at: now, into: &effects)
        tellDemands(at: now, into: &effects)
        tellLedger(at: now, into: &effects)
        tellRoute(into: &effects)
        tellCameras(into: &effects)
        tellStatus(into: &effects)
        tellLamp(into: &effects)
    }

    private mutating func start(at now: Duration, into effects: inout Effects) {
        finish(network.start(at: now), at: now, into: &effects)
        finish(shooting.start(at: now), at: now, into: &effects)
        finish(transfer.start(at: now), at: now, into: &effects)
        finish(recording.start(at: now), at: now, into: &effects)
        finish(settings.start(at: now), at: now, into: &effects)
        finish(search.start(at: now), at: now, into: &effects)
        finish(button.start(at: now), into: &effects)
        finish(service.start(at: now), at: now, into: &effects)
        finish(connection.start(at: now), at: now, into: &effects)
    }

    /// Delivers what is due, the camera's first: what it reports passes the queue and so comes after every timeout of
    /// this instant; but what it sends must not wait.
    private mutating func advance(to now: Duration, into effects: inout Effects) {
        if let due = camera.nextDeadline, due <= now {
            camera.advance(to: now, into: &cameraActions)
            performCameraActions(into: &effects)
        }
        expireProperty(at: now, into: &effects)
        if let due = network.machine.nextDeadline, due <= now {
            finish(network.advance(to: now), at: now, into: &effects)
        }
        if let due = connection.machine.nextDeadline, due <= now {
            finish(connection.advance(to: now), at: now, into: &effects)
        }
        if !isStopping, let due = shooting.machine.nextDeadline, due <= now {
            finish(shooting.advance(to: now), at: now, into: &effects)
        }
        if let due = transfer.machine.nextDeadline, due <= now {
            finish(transfer.advance(to: now), at: now, into: &effects)
        }
        if let due = recording.machine.nextDeadline, due <= now {
            finish(recording.advance(to: now), at: now, into: &effects)
        }
        if let due = settings.machine.nextDeadline, due <= now {
            finish(settings.advance(to: now), at: now, into: &effects)
        }
        if let due = search.machine.nextDeadline, due <= now {
            finish(search.advance(to: now), at: now, into: &effects)
        }
        if let due = button.machine.nextDeadline, due <= now { finish(button.advance(to: now), into: &effects) }
        if let due = service.machine.nextDeadline, due <= now {
            finish(service.advance(to: now), at: now, into: &effects)
        }
        advanceCandidates(to: now, into: &effects)
        expireConnectOrder(at: now, into: &effects)
    }

    /// Has the host watch the way to where the camera was connected last, or where it is to be. That others are tried
    /// meanwhile does not change which way counts.
    private mutating func tellRoute(into effects: inout Effects) {
        let address =
            network.machine.behavior.watchedAddress ?? choice?.address ?? configuration.cameraAddress
            ?? connection.machine.behavior.address
        guard address != toldRoute else { return }
        toldRoute = address
        effects.append(.watchRoute(address))
    }

    private mutating func tellStatus(into effects: inout Effects) {
        let sentence = statusSentence
        guard sentence != lastStatus else { return }
        lastStatus = sentence
        effects.append(.status(sentence))
    }
}
