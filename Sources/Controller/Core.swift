import Cameras
import Statecharts

/// What the core is told when it is made; it does not change while the daemon runs.
package struct CoreConfiguration: Equatable, Sendable {
    /// The camera to connect to; without one the core waits and says so.
    package var cameraAddress: CameraAddress?
    package var identity: InitiatorIdentity
    package var transfer: TransferConfiguration

    package init(
        cameraAddress: CameraAddress?,
        identity: InitiatorIdentity,
        transfer: TransferConfiguration = TransferConfiguration()
    ) {
        self.cameraAddress = cameraAddress
        self.identity = identity
        self.transfer = transfer
    }
}

/// The daemon's mind: four charts and a camera's driver, and the rules by which they talk to each other and to the
/// world.
///
/// Everything comes in as an ``Input``, everything that is to be done goes out as an ``Effect``. The core reads no
/// clock and does nothing by itself: whoever drives it (the daemon's loop, the simulated world) stamps each input,
/// calls ``handle``, performs the effects in order, puts what ``Effect/enqueue(_:)`` names at the end of its queue, and
/// sends
/// ``Input/deadline`` when ``nextDeadline`` comes. The same inputs give the same effects.
package struct Core: Sendable {
    let configuration: CoreConfiguration
    var connection = ChartRun(ConnectionModel())
    var shooting: ChartRun<ShootingModel>
    var network = ChartRun(NetworkModel())
    var transfer: ChartRun<TransferModel>
    package var camera: any Camera
    /// The driver's actions, until they are turned into effects.
    var cameraActions: [CameraAction] = []
    var generation = LinkGeneration(rawValue: 0)
    /// The commands that each chart gave last; answers to older ones are dropped.
    var lastTicket = Ticket(rawValue: 0)
    var connectionTicket = Ticket(rawValue: 0)
    var shootingTicket = Ticket(rawValue: 0)
    var properties = PropertyTable()
    var propertyOrder: PropertyOrder?
    /// Clients that hear of the shoot's progress, and of every transition.
    var shootStreams: [RequestID] = []
    var watchers: [RequestID] = []
    /// Clients that hear of every picture.
    var photoWatchers: [RequestID] = []
    var pictures = PictureBook()
    var lastProgress: Progress?
    /// The shoot as the last transition was told of it.
    var toldShoot: Shoot?
    var lastStatus: String?

    /// How many clients may listen to each kind of stream at once.
    package static let streamsMax = 32

    package init(configuration: CoreConfiguration, camera: any Camera) {
        self.configuration = configuration
        self.camera = camera
        shooting = ChartRun(ShootingModel(firesSuspectsAgain: configuration.transfer.firesSuspectsAgain))
        transfer = ChartRun(TransferModel(configuration.transfer.policy))
    }

    /// When the core wants ``Input/deadline`` next; nil while nothing waits for a time.
    package var nextDeadline: Duration? {
        [
            connection.machine.nextDeadline, shooting.machine.nextDeadline, network.machine.nextDeadline,
            transfer.machine.nextDeadline, camera.nextDeadline, propertyOrder?.deadline,
        ]
        .compactMap(\.self).min()
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
            advance(to: now, into: &effects)
        }
        switch input {
        case .started, .deadline:
            break
        case .link(let generation, let event):
            guard generation == self.generation else { break }
            camera.receive(event, at: now, into: &cameraActions)
            performCameraActions(into: &effects)
        case .request(let id, let request):
            handle(request, id, at: now, into: &effects)
        case .requestCancelled(let id):
            shootStreams.removeAll { $0 == id }
            watchers.removeAll { $0 == id }
            if propertyOrder?.request == id { propertyOrder?.request = nil }
            photoWatchers.removeAll { $0 == id }
        case .network(let report):
            deliver(report, at: now, into: &effects)
        case .picture(let id, let outcome):
            handle(outcome, of: id, at: now, into: &effects)
        case .room(let isThere):
            deliver(isThere ? Transfer.Input.roomFound : .roomMissing, at: now, into: &effects)
        case .hop(let hop):
            route(hop, at: now, into: &effects)
        case .stop:
            stop(at: now, into: &effects)
        }
        tellStatus(into: &effects)
    }

    private mutating func start(at now: Duration, into effects: inout Effects) {
        finish(network.start(at: now), at: now, into: &effects)
        finish(shooting.start(at: now), at: now, into: &effects)
        finish(transfer.start(at: now), at: now, into: &effects)
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
        if let due = shooting.machine.nextDeadline, due <= now {
            finish(shooting.advance(to: now), at: now, into: &effects)
        }
        if let due = transfer.machine.nextDeadline, due <= now {
            finish(transfer.advance(to: now), at: now, into: &effects)
        }
    }

    private mutating func stop(at now: Duration, into effects: inout Effects) {
        effects.append(.stopping)
        endPropertyOrder(.stopping, into: &effects)
        let end = stoppedProgress
        if let end {
            let message = "Shoot \(end.shoot): \(end.sentence) \(end.cause ?? "")"
            effects.append(.journal(JournalEntry(level: .warning, kind: .stopping, message: message)))
        }
        for stream in shootStreams {
            effects.append(end.map { .reply(stream, .progress($0), continues: false) } ?? .fail(stream, .stopping))
        }
        for watcher in watchers + photoWatchers { effects.append(.fail(watcher, .stopping)) }
        shootStreams.removeAll()
        watchers.removeAll()
        photoWatchers.removeAll()
        deliver(Connection.Input.stop, at: now, into: &effects)
    }

    private mutating func tellStatus(into effects: inout Effects) {
        let sentence = statusSentence
        guard sentence != lastStatus else { return }
        lastStatus = sentence
        effects.append(.status(sentence))
    }
}
