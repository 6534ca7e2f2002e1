import Bodies
import Cameras
import Controller
import Exposure
import NIOCore

/// Checks a running world against the rules: see ``Invariant``.
///
/// The checks trust a body, the ledger's disk or the client of a request more than a report of the daemon. Only changed
/// values are checked.
package struct Invariants: WorldWatcher {
    /// The first violations, at most ``violationsMax``.
    package private(set) var violations: [Violation] = []

    let mode: LedgerMode
    /// The shutter commands and exposures, each with its frame.
    var shutters: ShutterLog
    var ledger: ExpectedLedger
    var requests = RequestLog()
    /// The number of messages between components in the queue.
    var queued = 0
    /// The number of handled messages at this instant, and the number of the core's wake-ups.
    var messagesNow = 0
    var wakingsNow = 0
    var now = Duration.zero
    var untilBoundsAreJudged = 0
    var untilCandidatesAreJudged = 0
    var stop = Stop.none
    /// The time until which the ordered stop waits for a frame; nil: it waits for no frame.
    var frameEnd: Duration?
    /// Whether the user requested a second stop during the wait for a frame.
    var isForced = false
    var button: ExpectedButton
    /// The meaning of an edge to which the daemon did not react. This is a violation unless the daemon was killed then.
    var unheard: ExpectedButton.Meaning?
    /// The latest end of the shoot after a hold, and the frame that is still allowed to be fired; nil: no hold.
    var hold: (end: Duration, frame: FrameKey?)?
    /// The session that was open after the last input.
    private var online: LinkGeneration?
    /// Whether the ordered stop has sent CloseSession. The body closes the connections after CloseSession.
    private var isClosingSession = false
    /// The number of ended processes.
    var processEnds = 0
    /// Whether the ledger lost its last commits and has not been opened again. `isLossUnanswered`: whether no client
    /// and no button has requested a frame after the loss.
    var isLossUnread = false
    var isLossUnanswered = false

    /// The progress of the ordered stop.
    enum Stop: Equatable, Sendable {
        case none
        /// - Parameter camera: The camera whose session must be closed in order; nil: none.
        case asked(camera: Int?)
        case finished(camera: Int?)
    }

    /// The maximum number of stored violations. Later ones are usually consequences of the first one.
    private static let violationsMax = 4

    /// - Parameter world: The world before its first input. Set the result as the watcher of the world.
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

    /// Checks that the daemon reports lost commits when the ledger opens. Notes the next request to fire and the next
    /// edge of the button.
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
        case .started, .deadline, .link, .http, .network, .ssdp, .picture, .light, .coverage, .room, .inspected,
            .button, .planKept, .configured:
            break
        }
    }

    private mutating func take(_ message: Message, at now: Duration) {
        switch message {
        case .picture(let news): take(news, at: now)
        // The computer can reach no camera from another network.
        case .networkLeft: shutters.loseAll()
        case .buttonHeld where shutters.last.shoot >= 0: shutters.shoots[shutters.last.shoot].isCancelAsked = true
        default: break
        }
    }

    /// Checks bytes that the daemon sends to a camera.
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
        case .openLink, .closeLink, .http, .watchRoute, .discovery, .journal, .record, .picture, .manifest, .readLight,
            .readCoverage, .checkRoom, .inspect, .keepPlan, .lamp:
            break
        }
    }

    /// Notes the camera that the daemon disconnects from. This camera can differ from the one at the stop request.
    private mutating func checkStopping(_ limit: Duration?, _ core: Core, at now: Duration) {
        guard case .asked = stop else { return }
        if let limit {
            // If no frame is in progress, the daemon only restores a setting before CloseSession.
            if core.isFinishingFrame { frameEnd = now + limit }
            return
        }
        defer { frameEnd = nil }
        stop = .asked(camera: online.flatMap { shutters.camera(of: $0) })
        if core.isCapturing, !isForced, frameEnd.map({ now < $0 }) ?? true {
            note(.exposureIsNeverCut, at: now, "The daemon stops while the shutter is open.")
        }
    }

    /// Handles a lost link of a session that the daemon did not close.
    private mutating func lost(_ generation: LinkGeneration) {
        shutters.lose(generation)
        if !isClosingSession, case .asked(let camera?) = stop, shutters.camera(of: generation) == camera {
            stop = .asked(camera: nil)
        }
    }
}

extension Request {
    /// Whether the request can cause a shutter release.
    fileprivate var mayFire: Bool {
        switch self {
        case .shoot, .retry, .retryShoot, .resume, .resumeShoot, .redo, .extend: true
        default: false
        }
    }
}

extension Input {
    /// Whether the input is a camera's busy answer.
    fileprivate var isBusy: Bool {
        if case .message(.camera(.busy, _, _)) = self { true } else { false }
    }
}
