import Bodies
import Cameras
import Controller
import Exposure
import NIOCore

/// Checks a world while it runs; see ``Invariant``.
///
/// It trusts no report of the daemon if a body, the ledger's disk or the other side of a request knows better. It
/// checks only what changed.
package struct Invariants: WorldWatcher {
    /// The first violations.
    package private(set) var violations: [Violation] = []

    let mode: LedgerMode
    /// The actions of the shutters, and the frames they belong to.
    var shutters: ShutterLog
    var ledger: ExpectedLedger
    var requests = RequestLog()
    /// How many messages between charts are in the queue.
    var queued = 0
    /// How many of them were handled at this instant, and how often the core was woken at it.
    var messagesNow = 0
    var wakingsNow = 0
    var now = Duration.zero
    var untilBoundsAreJudged = 0
    var untilCandidatesAreJudged = 0
    var stop = Stop.none
    /// Until when the stop waits for a frame.
    var frameEnd: Duration?
    /// Whether the stop was requested again while it waited.
    var isForced = false
    var button: ExpectedButton
    /// The expected meaning of the button without a reaction of the daemon: a violation unless the daemon ended there.
    var unheard: ExpectedButton.Meaning?
    /// The button was held: until when the shoot must end, and which frame may still be fired because it had begun;
    /// nil: none.
    var hold: (end: Duration, frame: FrameKey?)?
    /// The open session after the last input.
    private var online: LinkGeneration?
    /// Whether the ordered stop has sent CloseSession: the body then closes the connections.
    private var isClosingSession = false
    /// How often a process ended.
    var processEnds = 0
    /// Whether the ledger lost its last commits and was not opened since. Whether no client and no button has requested
    /// a frame since.
    var isLossUnread = false
    var isLossUnanswered = false

    /// The progress of the ordered stop.
    enum Stop: Equatable, Sendable {
        case none
        /// - Parameter camera: The camera whose session must be closed in order; nil: none.
        case asked(camera: Int?)
        case finished(camera: Int?)
    }

    /// More are not kept: what follows the first is usually its consequence.
    private static let violationsMax = 4

    /// - Parameter world: The world before any input. Set the result as its watcher.
    package init(of world: World) {
        mode = world.daemon.core.ledgerMode
        shutters = ShutterLog(
            world.cameras.map(\.body),
            world.daemon.ledger.tables,
            firesSuspectsAgain: world.daemon.core.firesSuspectsAgain,
            keepsPictures: world.daemon.core.keepsPictures
        )
        ledger = ExpectedLedger(world.daemon.ledger.tables)
        button = ExpectedButton(world.daemon.core.buttonConfiguration.rules)
    }

    // MARK: Watching

    package mutating func took(_ input: Input, _ performed: ArraySlice<Effect>, core: Core, at now: Duration) {
        checkTime(input, core, at: now)
        checkUnanswered(at: now)
        let wasActive = shutters.last.isActive
        take(input, core, at: now)
        if core.didShootChange(at: now) { noteShoot(core, isBusy: input.isBusy, at: now) }
        requests.owe(
            isShootOver: !core.isShootActive && !core.isRestoring && !core.isLedgerAwaited,
            isPropertyFree: !core.isSettingProperty && !core.isRestoring
        )
        checkLoss(input, performed, at: now)
        for effect in performed { take(effect, core, at: now) }
        checkCut(performed, core, at: now)
        checkButton(input, performed, core, wasActive: wasActive, at: now)
        checkCharts(core, at: now)
        checkBounds(core, at: now)
        online = core.isOnline ? core.sessionGeneration : nil
    }

    package mutating func did(_ action: BodyAction, camera: Int, at now: Duration) {
        switch action {
        case .exposed(let frame): exposed(frame, camera, at: now)
        case .fact(.pressed(let press)): pressed(press, camera, at: now)
        case .fact(.opened(let speed)): shutters.opened(camera, at: speed)
        case .fact(.shown): shutters.shown(camera)
        case .fact(.moved(let speed)): shutters.allow(speed.reading, camera)
        case .fact(.left(let isOrderly)): shutters.left(camera, isOrderly: isOrderly)
        case .fact(.lostPower): shutters.lostPower(camera)
        case .send, .close, .abort, .refuseConnections, .leave, .log: break
        }
    }

    package mutating func added(_ camera: SimulatedCamera, number: Int) { shutters.add(camera) }

    package mutating func linked(_ generation: LinkGeneration, to camera: Int, at now: Duration) {
        shutters.link(generation, to: camera)
    }

    package mutating func died(ledger tables: VirtualLedger.Tables, isPowerCut: Bool, at now: Duration) {
        processEnds += 1
        if let sentence = ledger.died(tables, isPowerCut: isPowerCut) { note(.ledgerIsDurable, at: now, sentence) }
        shutters.died(tables, isRecordRequired: mode == .required)
        requests = RequestLog()
        queued = 0
        stop = .none
        frameEnd = nil
        isForced = false
        button.died()
        unheard = nil
        hold = nil
        isClosingSession = false
        online = nil
    }

    package mutating func lostCommits(ledger tables: VirtualLedger.Tables, at now: Duration) {
        isLossUnread = true
        isLossUnanswered = true
        for key in ledger.lost(tables) where key.property == CameraProperty.shutterSpeed.rawValue {
            shutters.forgetSpeed(of: key.cameraID)
        }
        shutters.lostCommits(tables)
    }

    /// After a loss the daemon reports it, and nothing is fired before a client or the button requests it.
    private mutating func checkLoss(_ input: Input, _ performed: ArraySlice<Effect>, at now: Duration) {
        switch input {
        case .ledger(.opened) where isLossUnread:
            isLossUnread = false
            let isSaid = performed.contains { effect in
                if case .journal(let entry) = effect { entry.kind == .ledger && entry.level == .error } else { false }
            }
            if !isSaid { note(.endsAreExplained, at: now, "The daemon does not report that the ledger lost commits.") }
        case .request(_, let request) where request.mayFire: isLossUnanswered = false
        case .button(.edge), .button(.line): isLossUnanswered = false
        default: break
        }
    }

    mutating func note(_ name: Invariant, at now: Duration, _ sentence: String) {
        guard violations.count < Self.violationsMax else { return }
        violations.append(Violation(name, at: now, sentence))
    }

    // MARK: Inputs and effects

    private mutating func take(_ input: Input, _ core: Core, at now: Duration) {
        switch input {
        case .request(let id, let request):
            requests.open(id, request, isLedgerAwaited: core.isLedgerAwaited, at: now)
            switch request {
            case .setProperty(_, let value): shutters.allowEverywhere(value)
            case .cancel where shutters.last.shoot >= 0: shutters.shoots[shutters.last.shoot].isCancelAsked = true
            default: break
            }
        case .requestCancelled(let id):
            requests.cancel(id)
        case .message(let message):
            queued -= 1
            take(message, at: now)
        case .ledger(let news):
            if let sentence = ledger.take(news) { note(.ledgerIsDurable, at: now, sentence) }
        case .link(let generation, .closed), .link(let generation, .openFailed):
            lost(generation)
        case .stop:
            if frameEnd != nil { isForced = true }
            if stop == .none { stop = .asked(camera: online.flatMap { shutters.camera(of: $0) }) }
            hold = nil
        case .picture(_, .stored(let picture)):
            shutters.noteStored(picture.path)
        case .started, .deadline, .link, .http, .network, .ssdp, .picture, .room, .inspected, .button,
            .planKept, .configured:
            break
        }
    }

    private mutating func take(_ message: Message, at now: Duration) {
        switch message {
        case .picture(let news): take(news, at: now)
        // Everything on the other network is out of reach.
        case .networkLeft: shutters.loseAll()
        case .buttonHeld where shutters.last.shoot >= 0: shutters.shoots[shutters.last.shoot].isCancelAsked = true
        default: break
        }
    }

    /// Bytes leave for a camera.
    private mutating func check(_ bytes: ByteBuffer, _ generation: LinkGeneration, _ core: Core, at now: Duration) {
        switch shutters.meaning(of: bytes, generation) {
        case .press(let command): left(command, generation, core, at: now)
        case .sessionClosing: if case .asked = stop { isClosingSession = true }
        case nil: break
        }
    }

    private mutating func take(_ effect: Effect, _ core: Core, at now: Duration) {
        if case .finished = stop { checkAfterEnd(effect, at: now) }
        switch effect {
        case .enqueue(let message):
            queued += 1
            if case .camera(.lost, _, let generation) = message { lost(generation) }
        case .send(let generation, _, let bytes): check(bytes, generation, core, at: now)
        case .http(let generation, _, .perform(let request)): check(request.bytes, generation, core, at: now)
        case .reply(let id, let reply, let continues):
            answer(id, continues: continues, at: now)
            check(reply, id, at: now)
        case .fail(let id, let error):
            answer(id, continues: false, at: now)
            if error.sentence?.isEmpty ?? false { note(.endsAreExplained, at: now, "An error has no sentence.") }
        case .status(let sentence):
            if sentence.isEmpty { note(.endsAreExplained, at: now, "The status is empty.") }
        case .ledger(let effect):
            ledger.take(effect)
            if case .commit(let commit) = effect { check(commit, at: now) }
        case .stopping(let limit):
            checkStopping(limit, core, at: now)
        case .finished:
            finish(at: now)
        case .openLink, .closeLink, .http, .watchRoute, .discovery, .journal, .record, .picture, .manifest, .checkRoom,
            .inspect, .keepPlan, .lamp:
            break
        }
    }

    /// The daemon disconnects from its present camera: not from the one at the time of the request.
    private mutating func checkStopping(_ limit: Duration?, _ core: Core, at now: Duration) {
        guard case .asked = stop else { return }
        if let limit {
            // Otherwise a setting is restored before CloseSession, and no frame is awaited any more.
            if core.isFinishingFrame { frameEnd = now + limit }
            return
        }
        defer { frameEnd = nil }
        stop = .asked(camera: online.flatMap { shutters.camera(of: $0) })
        if core.isCapturing, !isForced, frameEnd.map({ now < $0 }) ?? true {
            note(.exposureIsNeverCut, at: now, "The daemon stops while the shutter is open.")
        }
    }

    /// The link of a session was lost, and not because of the daemon.
    private mutating func lost(_ generation: LinkGeneration) {
        shutters.lose(generation)
        if !isClosingSession, case .asked(let camera?) = stop, shutters.camera(of: generation) == camera {
            stop = .asked(camera: nil)
        }
    }
}

extension Request {
    /// Whether it requests that frames are fired.
    fileprivate var mayFire: Bool {
        switch self {
        case .shoot, .retry, .retryShoot, .resume, .resumeShoot, .redo: true
        default: false
        }
    }
}

extension Input {
    /// Whether the camera answers that it is busy.
    fileprivate var isBusy: Bool {
        if case .message(.camera(.busy, _, _)) = self { true } else { false }
    }
}
