import Controller
import Statecharts

/// A message between charts, in the queue.
enum ModelMessage: UInt64, CaseIterable {
    case cameraReady = 1
    case cameraGone
    case cameraNeeded
    case cameraChosen
    case cameraReleased
    case networkLeft
    case networkBack
    case cameraNotReady
    case buttonPressed
    case buttonHeld
    case frameOver

    /// The message of the core that it represents.
    var message: Message {
        switch self {
        case .cameraReady: .cameraReady(ConnectionSketch.fit)
        case .cameraGone: .cameraGone(.released)
        case .cameraNeeded: .cameraNeeded
        case .cameraChosen: .cameraChosen
        case .cameraReleased: .cameraReleased
        case .networkLeft: .networkLeft(.moved)
        case .networkBack: .networkBack
        case .cameraNotReady: .cameraNotReady(sentence: "")
        case .buttonPressed: .buttonPressed(PressMeaning(.nothing, shoot: nil))
        case .buttonHeld: .buttonHeld
        case .frameOver: .frameOver
        }
    }

    /// The model's message for a message of the core. Nil if other tests check the parts that receive it. The switch
    /// has no default, so that a new message of the core needs a decision here.
    init?(_ message: Message) {
        switch message {
        case .cameraReady: self = .cameraReady
        case .cameraGone: self = .cameraGone
        case .cameraNeeded, .othersAvailable: self = .cameraNeeded
        case .cameraChosen: self = .cameraChosen
        case .cameraReleased: self = .cameraReleased
        case .networkLeft: self = .networkLeft
        case .networkBack: self = .networkBack
        case .cameraNotReady: self = .cameraNotReady
        case .buttonPressed: self = .buttonPressed
        case .buttonHeld: self = .buttonHeld
        case .frameOver: self = .frameOver
        // In the model, this can happen at any time, so it is an event and not a message.
        case .camera, .cameraFound, .candidate, .candidateOpened, .candidateRefused, .waveOver, .searchWanted, .picture,
            .range, .record, .recordWanted, .clientSetting:
            return nil
        }
    }

    private static let receiversByNumber = allCases.map(\.message.receivers)

    /// The receivers, according to the core's table.
    var receivers: [Receiver] { Self.receiversByNumber[Int(rawValue) - 1] }
}

/// The situations of all charts together, the messages between them, and the shoot's last question to the camera.
struct ModelWorld: Hashable {
    var connection = 0
    var shooting = 0
    var network = 0
    var button = 0
    var service = 0
    /// The question to which the camera may still answer.
    var asked = Asked.nothing
    /// The queue of messages, first in, first out. Each message has four bits; the first message has the lowest bits.
    var messages: UInt64 = 0
    /// Whether the daemon is stopping. The shooting chart then does nothing.
    var isStopping = false

    enum Asked: UInt64 {
        case nothing
        case speed, reading, capture, idle, doubt
        /// The driver will report that there is no session.
        case refusal
    }

    static let messagesMax = 6

    var messageCount: Int { messages == 0 ? 0 : (63 - messages.leadingZeroBitCount) / 4 + 1 }

    var messageList: [ModelMessage] {
        (0..<messageCount).compactMap { ModelMessage(rawValue: messages >> UInt64($0 * 4) & 15) }
    }

    /// The whole world as one integer, for a fast lookup.
    var code: UInt64 {
        precondition(connection < 1 << 9 && shooting < 1 << 15 && network < 1 << 5, "the sketches are too detailed")
        precondition(button < 1 << 4 && service < 1 << 2, "the sketches are too detailed")
        let charts = UInt64(connection) | UInt64(shooting) << 9 | UInt64(network) << 24
        let others = UInt64(button) << 29 | UInt64(service) << 33
        return charts | others | asked.rawValue << 35 | messages << 38 | (isStopping ? 1 << 63 : 0)
    }
}

/// The possible next events.
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
    /// The camera reports its status. Both charts receive it.
    case status(ConnectionSketch.News)
    /// A client requests or disconnects a camera, or a connect request fails.
    case connect
    case disconnect
    case giveUp
    /// A client requests that a shoot continues without a camera.
    case retryWithoutCamera
    case stop
}

/// The actors that make events happen.
struct ModelActor: OptionSet {
    let rawValue: UInt8
    static let daemon = ModelActor(rawValue: 1)
    /// Camera, network and disk: first when they work, then when they fail.
    static let help = ModelActor(rawValue: 2)
    static let harm = ModelActor(rawValue: 4)
    /// The user, for different requests.
    static let resume = ModelActor(rawValue: 8)
    static let cancel = ModelActor(rawValue: 16)
    static let call = ModelActor(rawValue: 32)
    static let order = ModelActor(rawValue: 64)
    /// A stop that no longer waits for a frame.
    static let impatience = ModelActor(rawValue: 128)
    static let everybody = ModelActor(rawValue: 255)
}

/// The rules that combine the charts: `Core+Routing.swift`, `TurnMessage.swift` and `Core+Requests.swift`. The camera's
/// driver and its body may do anything.
///
/// A new chart needs a sketch, a `ChartModel` of the sketch, a number in `ModelWorld` and events in `events(in:)`. Its
/// messages belong in `route` and `applied`.
final class ModelRules {
    /// The parts that take part in the exploration. Without some parts, the others can be explored in more detail.
    struct Extent {
        var shoots: ShootingSketch.Extent
        /// Whether the network changes.
        var hasNetwork: Bool
        /// Whether the daemon searches for cameras, cameras refuse, users connect and disconnect cameras, and the
        /// daemon is stopped.
        var hasCalls: Bool
        /// The maximum number of queued messages while other events occur. With more messages, they are handled first.
        var messagesInFlight: Int
        /// Whether there is a button and the service's chart stops the daemon. Otherwise a stop acts at once, as a
        /// second stop request does.
        var hasTripod = false
    }

    let connection: ChartModel<ConnectionSketch>
    let shooting: ChartModel<ShootingSketch>
    let network: ChartModel<NetworkSketch>
    let button: ChartModel<ButtonSketch>
    let service: ChartModel<ServiceSketch>
    let oracle = Oracle()
    private let extent: Extent

    /// The charts' tables; a table can have an error. Nil: the compiled chart.
    struct Charts {
        var connection: ChartTable<Connection.Bits>?
        var shooting: ChartTable<Shooting.Bits>?
        var network: ChartTable<Network.Bits>?
        var button: ChartTable<Button.Bits>?
        var service: ChartTable<Service.Bits>?
    }

    /// The violations found during the exploration: the rule, the world and the event.
    private(set) var faults: [(check: ModelCheck, sentence: String, world: ModelWorld, event: ModelEvent)] = []

    init(_ extent: Extent, _ charts: Charts = Charts()) {
        self.extent = extent
        connection = ChartModel(ConnectionSketch(oracle), oracle, table: charts.connection)
        network = ChartModel(NetworkSketch(oracle), oracle, table: charts.network)
        button = ChartModel(ButtonSketch(oracle), oracle, table: charts.button)
        service = ChartModel(ServiceSketch(), oracle, table: charts.service)
        // The step to return to is recorded again whenever the shoot leaves `running`. Only pauses return to it. A test
        // checks both.
        let sketch = ShootingSketch(oracle, extent.shoots)
        shooting = ChartModel(sketch, oracle, table: charts.shooting) { snapshot in
            snapshot.active.contains(Int(Shooting.State.paused.rawValue))
        }
    }

    // MARK: Possible events

    /// The state of the session in the driver. The connection's chart determines it.
    enum Session { case none, opening, open, leaving }

    func session(_ world: ModelWorld) -> Session {
        if isConnection(.online, world) { return .open }
        if isConnection(.connecting, world) { return .opening }
        let isLeaving =
            isConnection(.dismissing, world) || isConnection(.closing, world) || isConnection(.disconnecting, world)
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

    /// Every event that is possible next, with its actor.
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
        addUserActions(world, &events)
        addDisk(world, &events)
        return events
    }

    /// Adds the events of a camera: it is found, answers, reports its identity, disappears.
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
            // Only the mode check asks whether the camera lacks something that a waiting shoot needs.
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
        // The address of a camera can change only if the camera was reached before.
        if network.machines[world.network].behavior.notes.knowsCamera { events.append((.network(.moved), .harm)) }
    }

    private func addCalls(_ world: ModelWorld, _ events: inout [(event: ModelEvent, actor: ModelActor)]) {
        if world.isStopping { return }
        let isShootActive = isShooting(.active, world)
        if !(isShootActive && isConnection(.online, world)) { events.append((.connect, .call)) }
        if !isShootActive { events.append((.disconnect, .order)) }
        // After a failed request the previous target applies again. There may be none.
        if !isConnection(.online, world), !isConnection(.released, world) { events.append((.giveUp, .harm)) }
        events.append((.stop, .order))
    }

    /// The camera's possible answers to the shoot's last question.
    private func addAnswers(_ world: ModelWorld, _ events: inout [(event: ModelEvent, actor: ModelActor)]) {
        let answers: [(ShootingSketch.News, ModelActor)]
        switch world.asked {
        case .nothing: return
        case .speed: answers = [(.speedAccepted, .help), (.busy, .harm), (.failed, .harm)]
        case .reading: answers = [(.speedRight, .help), (.speedWrong, .harm)]
        case .capture:
            // The events after the picture are answers to the question that the core asks because of the picture.
            answers = [
                (.shutterReleased, .help), (.captured, .help), (.unresolved, .harm), (.busy, .harm), (.failed, .harm),
                (.speedChanged, .harm),
            ]
        case .idle: answers = [(.saving, .help), (.idle, .help), (.failed, .harm)]
        case .doubt:
            answers = [(.fired, .help), (.notFired, .help), (.unresolved, .harm), (.busy, .harm), (.failed, .harm)]
        case .refusal: answers = [(.failed, .harm)]
        }
        for (news, actor) in answers { events.append((.shooting(news), actor)) }
    }

    private func addUserActions(_ world: ModelWorld, _ events: inout [(event: ModelEvent, actor: ModelActor)]) {
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
        // Without a camera, the core sends the chart nothing. It starts a search instead.
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

    // MARK: Results

    /// All worlds that can follow an event.
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
        // The computer is back on the camera's network, so the shoot lacks only the camera. The core requests the
        // camera.
        case .shooting(.resume) where isShooting(.wifiSwitched, world) && !isConnection(.offNetwork, world):
            return [world + .cameraNeeded]
        case .shooting(let news): return tell(news, answered(news, world))
        case .connect: return [world + .cameraChosen]
        case .disconnect, .giveUp: return [world + .cameraReleased]
        case .retryWithoutCamera: return [world + .cameraNeeded]
        case .stop: return extent.hasTripod ? stop(world) : leave(world)
        case .button(let news): return tell(news, world)
        case .buttonTimer: return button.afterTimer(world.button).map { applied($0, on: nil, to: world) }
        case .serviceTimer:
            return service.afterTimer(world.service).flatMap { applied($0, to: world, mayCut: true) }
        }
    }

    /// Removes the question if the answer is final, so that the camera does not answer it again.
    private func answered(_ news: ShootingSketch.News, _ world: ModelWorld) -> ModelWorld {
        var world = world
        switch news {
        case .speedAccepted, .idle, .fired, .notFired, .unresolved, .busy, .failed, .speedChanged:
            world.asked = .nothing
        default: break
        }
        return world
    }

    /// Models `Core.route`: the first message of the queue goes to the receivers in the core's own table.
    private func route(_ world: ModelWorld) -> [ModelWorld] {
        var world = world
        guard let message = ModelMessage(rawValue: world.messages & 15) else { preconditionFailure("a message waits") }
        world.messages >>= 4
        if message == .cameraReady, !isConnection(.connected, world) { return [world] }
        if message == .cameraNotReady, !isConnection(.online, world) { return [world] }
        return message.receivers.reduce([world]) { worlds, receiver in
            worlds.flatMap { receive(message, receiver, $0) }
        }
    }

    private func receive(_ message: ModelMessage, _ receiver: Receiver, _ world: ModelWorld) -> [ModelWorld] {
        switch (receiver, message) {
        case (.network, .cameraReady):
            tell(.cameraConnected, world).flatMap { (isNetwork(.joined, $0) ? [$0] : verify($0)) + verifyLink($0) }
        case (.network, .cameraChosen): tell(NetworkSketch.News.cameraChosen, world).flatMap { verify($0) }
        case (.connection, .cameraNeeded): tell(.wanted, world)
        case (.connection, .cameraChosen):
            tell(.called, world).map { isNetwork(.down, $0) || isNetwork(.noRoute, $0) ? $0 + .networkLeft : $0 }
        case (.connection, .cameraReleased): tell(ConnectionSketch.News.released, world)
        case (.connection, .networkLeft): tell(ConnectionSketch.News.networkLeft, world)
        case (.connection, .networkBack): tell(.networkBack, world)
        case (.shooting, .cameraReady): tell(.cameraReady, world)
        case (.shooting, .cameraGone): tell(.cameraLost, world)
        case (.shooting, .cameraNotReady): tell(.cameraNotReady, world)
        case (.shooting, .networkLeft): tell(ShootingSketch.News.networkLeft, world)
        case (.shooting, .buttonPressed): takePress(world)
        case (.shooting, .buttonHeld): takeHold(world)
        case (.service, .frameOver): world.isStopping ? [world] : tell(.frameOver, world)
        // Other tests check these parts.
        case (.session, _), (.finder, _), (.requests, _), (.settings, _), (.pictures, _), (.records, _), (.button, _),
            (.subscriptions, _), (.publisher, _), (.metering, _):
            [world]
        case (.network, _), (.connection, _), (.shooting, _), (.service, _):
            preconditionFailure("the model has no rule for \(message) to \(receiver)")
        }
    }

    /// Models a check of the network for another camera. That camera counts as being in the joined network. Before the
    /// first report of the network there is no check.
    private func verify(_ world: ModelWorld) -> [ModelWorld] {
        if isNetwork(.unknown, world) { return [world] }
        let reports: [NetworkSketch.News] = [.joinedCameras, .down, .noRoute]
        return reports.flatMap { tell($0, world) }
    }

    /// Models a check of the network over which the link was opened. This computer may have left that network since.
    private func verifyLink(_ world: ModelWorld) -> [ModelWorld] {
        if isNetwork(.unknown, world) { return [] }
        let reports: [NetworkSketch.News] = [.joinedOther, .moved, .down, .noRoute]
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

    /// Checks that the chart ignores a request, which the core answers with `notNow`, only in states in which it
    /// already applies.
    private func noteIgnored(_ news: ShootingSketch.News, _ world: ModelWorld) {
        let isSo =
            news == .pause && (isShooting(.byCommand, world) || isShooting(.cancelWanted, world))
            || !isShooting(.active, world)
        if !isSo { fault(.orders, "\(news) is ignored") }
    }

    private func applied(_ outcome: ChartModel<ConnectionSketch>.Outcome, to world: ModelWorld) -> ModelWorld {
        var world = world
        world.connection = outcome.next
        // A closed session answers nothing. A command without a session was refused at once.
        if session(world) != .open, world.asked != .refusal { world.asked = .nothing }
        for effect in outcome.effects {
            switch effect {
            case .connect: world.asked = .nothing
            case .disconnect, .abandon: break
            case .ready: push(.cameraReady, &world)
            case .gone: push(.cameraGone, &world)
            case .unfit: push(.cameraNotReady, &world)
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
            case .requestCamera: push(.cameraNeeded, &world)
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

    /// Checks that the shutter is not released after a request to pause or end the shoot. Without a camera it may be
    /// released only until the chart receives the loss.
    private func check(_ question: ShootingSketch.Question, _ world: ModelWorld) {
        guard question == .capture else { return }
        if !isShooting(.proceeding, world) { fault(.shutter, "the shutter is released though a pause is requested") }
        if !isServing(world) { fault(.shutter, "the shutter is released though a stop is ordered") }
        let isDelivered = !world.messageList.contains { [.cameraGone, .cameraNotReady, .networkLeft].contains($0) }
        if isDelivered, !isConnection(.connected, world) { fault(.shutter, "the shutter is released without a camera") }
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
    /// Adds one more message to the queue.
    static func + (world: ModelWorld, message: ModelMessage) -> ModelWorld {
        precondition(world.messageCount < messagesMax, "there is room for a message")
        var world = world
        world.messages |= message.rawValue << UInt64(world.messageCount * 4)
        return world
    }
}
