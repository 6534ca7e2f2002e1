import Controller
import Statecharts

/// A message between charts, waiting in the queue.
enum ModelMessage: UInt64, CaseIterable {
    case cameraReady = 1
    case cameraGone
    case cameraWanted
    case cameraCalled
    case cameraReleased
    case networkLeft
    case networkBack
    case cameraUnfit
    case buttonPressed
    case buttonHeld
    case frameOver

    /// The core's message that it stands for.
    var message: Message {
        switch self {
        case .cameraReady: .cameraReady(ConnectionSketch.fit)
        case .cameraGone: .cameraGone(.released)
        case .cameraWanted: .cameraWanted
        case .cameraCalled: .cameraCalled
        case .cameraReleased: .cameraReleased
        case .networkLeft: .networkLeft(.moved)
        case .networkBack: .networkBack
        case .cameraUnfit: .cameraUnfit(sentence: "")
        case .buttonPressed: .buttonPressed(PressMeaning(.nothing, shoot: nil))
        case .buttonHeld: .buttonHeld
        case .frameOver: .frameOver
        }
    }

    /// The message of the model that stands for one of the core's; nil: the parts that receive it are checked on their
    /// own. A new message of the core has to be decided here.
    init?(_ message: Message) {
        switch message {
        case .cameraReady: self = .cameraReady
        case .cameraGone: self = .cameraGone
        case .cameraWanted, .othersLeft: self = .cameraWanted
        case .cameraCalled: self = .cameraCalled
        case .cameraReleased: self = .cameraReleased
        case .networkLeft: self = .networkLeft
        case .networkBack: self = .networkBack
        case .cameraUnfit: self = .cameraUnfit
        case .buttonPressed: self = .buttonPressed
        case .buttonHeld: self = .buttonHeld
        case .frameOver: self = .frameOver
        // Taken as anything that may happen.
        case .camera, .cameraFound, .candidate, .candidateMet, .candidateRefused, .waveOver, .searchWanted, .picture,
            .record, .recordWanted, .personalSetting:
            return nil
        }
    }

    private static let receiversByNumber = allCases.map(\.message.receivers)

    /// The receivers, by the core's table.
    var receivers: [Receiver] { Self.receiversByNumber[Int(rawValue) - 1] }
}

/// The charts, what waits between them, and what the camera was asked last by the shoot: one situation of all.
struct ModelWorld: Hashable {
    var connection = 0
    var shooting = 0
    var network = 0
    var button = 0
    var service = 0
    /// Which answers the camera may still give.
    var asked = Asked.nothing
    /// First in, first out; four bits each, the first lowest.
    var messages: UInt64 = 0
    /// The ordered stop goes on: the shooting chart stands still.
    var isStopping = false

    enum Asked: UInt64 {
        case nothing
        case speed, reading, capture, idle, doubt
        /// There is no session yet, or none any more: the driver says so.
        case refusal
    }

    static let messagesMax = 6

    var messageCount: Int { messages == 0 ? 0 : (63 - messages.leadingZeroBitCount) / 4 + 1 }

    var messageList: [ModelMessage] {
        (0..<messageCount).compactMap { ModelMessage(rawValue: messages >> UInt64($0 * 4) & 15) }
    }

    /// All of it in one word, to be looked up fast.
    var code: UInt64 {
        precondition(connection < 1 << 9 && shooting < 1 << 15 && network < 1 << 5, "the sketches are too detailed")
        precondition(button < 1 << 4 && service < 1 << 2, "the sketches are too detailed")
        let charts = UInt64(connection) | UInt64(shooting) << 9 | UInt64(network) << 24
        let others = UInt64(button) << 29 | UInt64(service) << 33
        return charts | others | asked.rawValue << 35 | messages << 38 | (isStopping ? 1 << 63 : 0)
    }
}

/// What can happen next.
enum ModelEvent: Hashable, Sendable {
    case message
    case connectionTimer
    case shootingTimer
    case connection(ConnectionSketch.News)
    case shooting(ShootingSketch.News)
    case network(NetworkSketch.News)
    case button(ButtonSketch.News)
    case buttonTimer
    case serviceTimer
    /// The camera tells how it stands, which both charts hear.
    case status(ConnectionSketch.News)
    /// A client asks for a camera, or lets go of it; one that was asked for comes to nothing.
    case connect
    case disconnect
    case giveUp
    /// A client wants to go on with a shoot without a camera.
    case retryWithoutCamera
    case stop
}

/// Who makes an event happen.
struct ModelActor: OptionSet {
    let rawValue: UInt8
    static let daemon = ModelActor(rawValue: 1)
    /// Camera, network and disk, as one wishes them to be, and not.
    static let help = ModelActor(rawValue: 2)
    static let harm = ModelActor(rawValue: 4)
    /// A person.
    static let resume = ModelActor(rawValue: 8)
    static let cancel = ModelActor(rawValue: 16)
    static let call = ModelActor(rawValue: 32)
    static let order = ModelActor(rawValue: 64)
    /// The stop, which waits for a frame no longer.
    static let impatience = ModelActor(rawValue: 128)
    static let everybody = ModelActor(rawValue: 255)
}

/// The rules by which the charts are put together: `Core+Routing.swift`, `TurnMessage.swift` and
/// `Core+Requests.swift`, with the camera's driver and its body taken as anything that may happen.
///
/// To add a chart: a sketch and a `ChartModel` of it, its number in `ModelWorld`, its events in `events(in:)`, and in
/// `route` and `applied` the messages that it takes and makes.
final class ModelRules {
    /// What takes part. Leaving something out makes the rest small enough for another part to be looked at closely.
    struct Extent {
        var shoots: ShootingSketch.Extent
        /// The network changes.
        var hasNetwork: Bool
        /// Cameras are searched for and met, refuse us, are called and let go by people; the daemon is stopped.
        var hasCalls: Bool
        /// The world goes on while so many messages wait. More may be on their way; then they come first.
        var messagesInFlight: Int
        /// There is a button, and the daemon is stopped as the service's chart has it. Without that a stop comes at
        /// once, as it does when it is asked for twice.
        var hasTripod = false
    }

    let connection: ChartModel<ConnectionSketch>
    let shooting: ChartModel<ShootingSketch>
    let network: ChartModel<NetworkSketch>
    let button: ChartModel<ButtonSketch>
    let service: ChartModel<ServiceSketch>
    let oracle = Oracle()
    private let extent: Extent

    /// Charts that were broken on purpose; nil: as they are compiled.
    struct Charts {
        var connection: ChartTable<Connection.Bits>?
        var shooting: ChartTable<Shooting.Bits>?
        var network: ChartTable<Network.Bits>?
        var button: ChartTable<Button.Bits>?
        var service: ChartTable<Service.Bits>?
    }

    /// What must never happen, found on the way: what, in which world, and on what.
    private(set) var faults: [(check: ModelCheck, sentence: String, world: ModelWorld, event: ModelEvent)] = []

    init(_ extent: Extent, _ charts: Charts = Charts()) {
        self.extent = extent
        connection = ChartModel(ConnectionSketch(oracle), oracle, table: charts.connection)
        network = ChartModel(NetworkSketch(oracle), oracle, table: charts.network)
        button = ChartModel(ButtonSketch(oracle), oracle, table: charts.button)
        service = ChartModel(ServiceSketch(), oracle, table: charts.service)
        // The step to go back to is written anew whenever `running` is left, and only pauses go back to it: a test
        // holds the chart to that.
        let sketch = ShootingSketch(oracle, extent.shoots)
        shooting = ChartModel(sketch, oracle, table: charts.shooting) { snapshot in
            snapshot.active.contains(Int(Shooting.State.paused.rawValue))
        }
    }

    // MARK: What can happen

    /// The link to the camera, as the driver has it: it is what the connection's chart made of it.
    enum Session { case none, opening, open, leaving }

    func session(_ world: ModelWorld) -> Session {
        if isConnection(.online, world) { return .open }
        if isConnection(.connecting, world) { return .opening }
        let isLeaving =
            isConnection(.dismissing, world) || isConnection(.leaving, world) || isConnection(.disconnecting, world)
        return isLeaving ? .leaving : .none
    }

    func isConnection(_ state: Connection.State, _ world: ModelWorld) -> Bool {
        connection.isActive(state, in: world.connection)
    }

    func isShooting(_ state: Shooting.State, _ world: ModelWorld) -> Bool {
        shooting.isActive(state, in: world.shooting)
    }

    func isNetwork(_ state: Network.State, _ world: ModelWorld) -> Bool {
        network.isActive(state, in: world.network)
    }

    /// Everything that may happen next, and who does it.
    func events(in world: ModelWorld) -> [(event: ModelEvent, actor: ModelActor)] {
        var events: [(event: ModelEvent, actor: ModelActor)] = []
        if world.messages != 0 { events.append((.message, .daemon)) }
        guard world.messageCount < extent.messagesInFlight else { return events }
        if connection.machines[world.connection].nextDeadline != nil { events.append((.connectionTimer, .daemon)) }
        addCamera(world, &events)
        if extent.hasNetwork { addNetwork(world, &events) }
        if extent.hasCalls { addCalls(world, &events) }
        if extent.hasTripod { addButton(world, &events) }
        guard !world.isStopping else { return events }
        if extent.hasTripod { events.append((.stop, .order)) }
        if service.machines[world.service].nextDeadline != nil { events.append((.serviceTimer, .impatience)) }
        if shooting.machines[world.shooting].nextDeadline != nil { events.append((.shootingTimer, .daemon)) }
        addAnswers(world, &events)
        addPeople(world, &events)
        addDisk(world, &events)
        return events
    }

    /// The camera is found, greets us, tells of itself, goes.
    private func addCamera(_ world: ModelWorld, _ events: inout [(event: ModelEvent, actor: ModelActor)]) {
        if isConnection(.discovering, world) {
            events.append((.connection(.found), .help))
            if extent.hasCalls { events.append((.connection(.refused), .harm)) }
        }
        if extent.hasCalls, isConnection(.seeking, world) {
            events.append((.connection(.metFit), .help))
            events.append((.connection(.metLacking), .harm))
            events.append((.connection(.metUnfit), .harm))
        }
        switch session(world) {
        case .none: break
        case .opening:
            events.append((.connection(.preparedWanted), .help))
            events.append((.connection(.preparedStranger), .harm))
            events.append((.connection(.statusFit), .help))
            events.append((.connection(.statusLacking), .harm))
            events.append((.connection(.statusUnfit), .harm))
            events.append((.connection(.refused), .harm))
            events.append((.connection(.inUse), .harm))
            events.append((.connection(.lost), .harm))
        case .open:
            events.append((.status(.statusFit), .help))
            // What a waiting shoot lacks is asked in the mode check only.
            if isConnection(.modeCheck, world) { events.append((.status(.statusLacking), .harm)) }
            events.append((.status(.statusUnfit), .harm))
            events.append((.connection(.lost), .harm))
        case .leaving:
            events.append((.connection(.disconnected), .help))
            events.append((.connection(.lost), .harm))
        }
    }

    private func addNetwork(_ world: ModelWorld, _ events: inout [(event: ModelEvent, actor: ModelActor)]) {
        events.append((.network(.joinedCameras), .help))
        events.append((.network(.joinedOther), .harm))
        events.append((.network(.down), .harm))
        events.append((.network(.noRoute), .harm))
        // Only where a camera was reached before is there an address to be lost.
        if network.machines[world.network].behavior.notes.knowsCamera { events.append((.network(.moved), .harm)) }
    }

    private func addCalls(_ world: ModelWorld, _ events: inout [(event: ModelEvent, actor: ModelActor)]) {
        if world.isStopping { return }
        let isShootActive = isShooting(.active, world)
        if !(isShootActive && isConnection(.online, world)) { events.append((.connect, .call)) }
        if !isShootActive { events.append((.disconnect, .order)) }
        // Who wanted none before, and named one that did not come about, has none again.
        if !isConnection(.online, world), !isConnection(.released, world) { events.append((.giveUp, .harm)) }
        events.append((.stop, .order))
    }

    /// What the camera may say to the shoot's last question.
    private func addAnswers(_ world: ModelWorld, _ events: inout [(event: ModelEvent, actor: ModelActor)]) {
        let answers: [(ShootingSketch.News, ModelActor)]
        switch world.asked {
        case .nothing: return
        case .speed: answers = [(.speedAccepted, .help), (.busy, .harm), (.failed, .harm)]
        case .reading: answers = [(.speedRight, .help), (.speedWrong, .harm)]
        case .capture:
            // What comes after the picture answers the question that the picture leads to.
            answers = [
                (.shutterReleased, .help), (.captured, .help), (.untold, .harm), (.busy, .harm), (.failed, .harm),
                (.speedChanged, .harm),
            ]
        case .idle: answers = [(.saving, .help), (.idle, .help), (.failed, .harm)]
        case .doubt:
            answers = [(.fired, .help), (.notFired, .help), (.untold, .harm), (.busy, .harm), (.failed, .harm)]
        case .refusal: answers = [(.failed, .harm)]
        }
        for (news, actor) in answers { events.append((.shooting(news), actor)) }
    }

    private func addPeople(_ world: ModelWorld, _ events: inout [(event: ModelEvent, actor: ModelActor)]) {
        guard isServing(world) else { return }
        if isShooting(.active, world) {
            events.append((.shooting(.pause), .order))
            events.append((.shooting(.resume), .resume))
            events.append((.shooting(.cancel), .cancel))
            if extent.shoots.contains(.again) { events.append((.shooting(.redo), .order)) }
            return
        }
        events.append((.shooting(.start), .order))
        events.append((.shooting(.recoveredShoot), .harm))
        events.append((.shooting(.recoveredNothing), .harm))
        guard isShooting(.ended, world) else { return }
        events.append((.shooting(.dismiss), .order))
        // Without a camera the core does not tell the chart, but has one looked for.
        guard isShooting(.present, world) else { return events.append((.retryWithoutCamera, .order)) }
        events.append((.shooting(.retry), .order))
        if extent.shoots.contains(.again) { events.append((.shooting(.retryWithRedo), .order)) }
    }

    private func addDisk(_ world: ModelWorld, _ events: inout [(event: ModelEvent, actor: ModelActor)]) {
        let notes = shooting.machines[world.shooting].behavior.notes
        if extent.shoots.contains(.disk) {
            if !notes.isBeginKept, notes.writing != .kept { events.append((.shooting(.keptBegin), .help)) }
            if notes.writing != .kept { events.append((.shooting(.kept), .help)) }
            if notes.writing == .pending { events.append((.shooting(.refused), .harm)) }
        }
        if extent.shoots.contains(.again), notes.wasReleased {
            if notes.isComing {
                events.append((.shooting(.pictureGone), .help))
                events.append((.shooting(.pictureSuspect), .harm))
            } else {
                events.append((.shooting(.pictureComing), .harm))
            }
        }
    }

    // MARK: What comes of it

    /// All that a world may become when this happens.
    func after(_ event: ModelEvent, _ world: ModelWorld) -> [ModelWorld] {
        let earlier = faults.count
        let worlds = worlds(after: event, world)
        for index in earlier..<faults.count {
            faults[index].world = world
            faults[index].event = event
        }
        return worlds
    }

    func worlds(after event: ModelEvent, _ world: ModelWorld) -> [ModelWorld] {
        switch event {
        case .message: return route(world)
        case .connectionTimer: return connection.afterTimer(world.connection).map { applied($0, to: world) }
        case .shootingTimer: return shooting.afterTimer(world.shooting).map { applied($0, to: world) }
        case .connection(let news): return tell(news, world)
        case .network(let news): return tell(news, world)
        case .status(let news): return tell(news, world).flatMap { tell(.cameraStatus, $0) }
        // Back on its network, the camera is what is missing: the core asks for it.
        case .shooting(.resume) where isShooting(.wifiSwitched, world) && !isConnection(.offNetwork, world):
            return [world + .cameraWanted]
        case .shooting(let news): return tell(news, answered(news, world))
        case .connect: return [world + .cameraCalled]
        case .disconnect, .giveUp: return [world + .cameraReleased]
        case .retryWithoutCamera: return [world + .cameraWanted]
        case .stop: return extent.hasTripod ? stop(world) : leave(world)
        case .button(let news): return tell(news, world)
        case .buttonTimer: return button.afterTimer(world.button).map { applied($0, on: nil, to: world) }
        case .serviceTimer:
            return service.afterTimer(world.service).flatMap { applied($0, to: world, mayCut: true) }
        }
    }

    /// A question that is answered for good is not answered again.
    private func answered(_ news: ShootingSketch.News, _ world: ModelWorld) -> ModelWorld {
        var world = world
        switch news {
        case .speedAccepted, .idle, .fired, .notFired, .untold, .busy, .failed, .speedChanged: world.asked = .nothing
        default: break
        }
        return world
    }

    /// `Core.route`: the first message of the queue goes to its receivers, by the core's own table.
    private func route(_ world: ModelWorld) -> [ModelWorld] {
        var world = world
        guard let message = ModelMessage(rawValue: world.messages & 15) else { preconditionFailure("a message waits") }
        world.messages >>= 4
        if message == .cameraReady, !isConnection(.connected, world) { return [world] }
        if message == .cameraUnfit, !isConnection(.online, world) { return [world] }
        return message.receivers.reduce([world]) { worlds, receiver in
            worlds.flatMap { receive(message, receiver, $0) }
        }
    }

    private func receive(_ message: ModelMessage, _ receiver: Receiver, _ world: ModelWorld) -> [ModelWorld] {
        switch (receiver, message) {
        case (.network, .cameraReady):
            tell(.cameraConnected, world).flatMap { isNetwork(.joined, $0) ? [$0] : judge($0) }
        case (.network, .cameraCalled): tell(NetworkSketch.News.cameraCalled, world).flatMap { judge($0) }
        case (.connection, .cameraWanted): tell(.wanted, world)
        case (.connection, .cameraCalled):
            tell(.called, world).map { isNetwork(.down, $0) || isNetwork(.noRoute, $0) ? $0 + .networkLeft : $0 }
        case (.connection, .cameraReleased): tell(ConnectionSketch.News.released, world)
        case (.connection, .networkLeft): tell(ConnectionSketch.News.networkLeft, world)
        case (.connection, .networkBack): tell(.networkBack, world)
        case (.shooting, .cameraReady): tell(.cameraReady, world)
        case (.shooting, .cameraGone): tell(.cameraLost, world)
        case (.shooting, .cameraUnfit): tell(.cameraUnfit, world)
        case (.shooting, .networkLeft): tell(ShootingSketch.News.networkLeft, world)
        case (.shooting, .buttonPressed): takePress(world)
        case (.shooting, .buttonHeld): takeHold(world)
        case (.service, .frameOver): world.isStopping ? [world] : tell(.frameOver, world)
        // They are checked on their own.
        case (.session, _), (.finder, _), (.requests, _), (.settings, _), (.pictures, _), (.records, _), (.button, _),
            (.subscriptions, _), (.publisher, _):
            [world]
        case (.network, _), (.connection, _), (.shooting, _), (.service, _):
            preconditionFailure("the model has no rule for \(message) to \(receiver)")
        }
    }

    /// What is known of the network is held against another camera, which counts as being in the network that is
    /// joined. Before the first report nothing is known.
    private func judge(_ world: ModelWorld) -> [ModelWorld] {
        if isNetwork(.unknown, world) { return [world] }
        let reports: [NetworkSketch.News] = [.joinedCameras, .down, .noRoute]
        return reports.flatMap { tell($0, world) }
    }

    func tell(_ news: ConnectionSketch.News, _ world: ModelWorld) -> [ModelWorld] {
        connection.after(world.connection, news).map { applied($0, to: world) }
    }

    private func tell(_ news: NetworkSketch.News, _ world: ModelWorld) -> [ModelWorld] {
        network.after(world.network, news).map { outcome in
            var world = world
            world.network = outcome.next
            for effect in outcome.effects {
                switch effect {
                case .left: push(.networkLeft, &world)
                case .back: push(.networkBack, &world)
                }
            }
            return world
        }
    }

    private func tell(_ news: ShootingSketch.News, _ world: ModelWorld) -> [ModelWorld] {
        if world.isStopping { return [world] }
        let outcomes = shooting.after(world.shooting, news)
        if news == .pause || news == .cancel, outcomes.contains(where: { !$0.isTaken }) {
            noteIgnored(news, world)
        }
        return outcomes.map { applied($0, to: world) }
    }

    /// An order that the chart drops is answered by `notNow`: right where it is so already, and nowhere else.
    private func noteIgnored(_ news: ShootingSketch.News, _ world: ModelWorld) {
        let isSo =
            news == .pause && (isShooting(.byCommand, world) || isShooting(.cancelWanted, world))
            || !isShooting(.active, world)
        if !isSo { fault(.orders, "\(news) is ignored") }
    }

    private func applied(_ outcome: ChartModel<ConnectionSketch>.Outcome, to world: ModelWorld) -> ModelWorld {
        var world = world
        world.connection = outcome.next
        // A session that is over answers nothing; what was refused for want of one was refused at once.
        if session(world) != .open, world.asked != .refusal { world.asked = .nothing }
        for effect in outcome.effects {
            switch effect {
            case .connect: world.asked = .nothing
            case .disconnect, .abandon: break
            case .ready: push(.cameraReady, &world)
            case .gone: push(.cameraGone, &world)
            case .unfit: push(.cameraUnfit, &world)
            }
        }
        return world
    }

    private func applied(_ outcome: ChartModel<ShootingSketch>.Outcome, to world: ModelWorld) -> ModelWorld {
        var world = world
        world.shooting = outcome.next
        for effect in outcome.effects {
            switch effect {
            case .command(let question):
                check(question, world)
                world.asked = asked(question, world)
            case .wantCamera: push(.cameraWanted, &world)
            }
        }
        tellService(&world)
        return world
    }

    private func asked(_ question: ShootingSketch.Question, _ world: ModelWorld) -> ModelWorld.Asked {
        switch session(world) {
        case .none: return .nothing
        case .opening, .leaving: return .refusal
        case .open:
            switch question {
            case .setSpeed: return .speed
            case .readSpeed: return .reading
            case .capture: return .capture
            case .awaitIdle: return .idle
            case .resolve: return .doubt
            }
        }
    }

    /// The shutter is released for nobody who wants an end, and without a camera only until that is heard.
    private func check(_ question: ShootingSketch.Question, _ world: ModelWorld) {
        guard question == .capture else { return }
        if !isShooting(.goingOn, world) { fault(.shutter, "the shutter is released though a pause is wanted") }
        if !isServing(world) { fault(.shutter, "the shutter is released though the daemon is to stop") }
        let isHeard = !world.messageList.contains { [.cameraGone, .cameraUnfit, .networkLeft].contains($0) }
        if isHeard, !isConnection(.connected, world) { fault(.shutter, "the shutter is released without a camera") }
    }

    func push(_ message: ModelMessage, _ world: inout ModelWorld) {
        guard world.messageCount < ModelWorld.messagesMax else { return fault(.queue, "the queue of messages is full") }
        world = world + message
    }

    func fault(_ check: ModelCheck, _ sentence: String) {
        if faults.contains(where: { $0.sentence == sentence }) { return }
        faults.append((check, sentence, ModelWorld(), .message))
    }
}

extension ModelWorld {
    /// With one more message in the queue.
    static func + (world: ModelWorld, message: ModelMessage) -> ModelWorld {
        precondition(world.messageCount < messagesMax, "there is room for a message")
        var world = world
        world.messages |= message.rawValue << UInt64(world.messageCount * 4)
        return world
    }
}
