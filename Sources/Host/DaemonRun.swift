import CLinux
import Cameras
import Controller
import Dispatch
import Logging
import NIOCore

/// The parts of a running daemon and their connections. Used on the event loop only.
final class DaemonRun {
    enum State {
        case running
        /// The ordered stop is in progress. It ends at the deadline at the latest.
        case stopping(deadline: Scheduled<Void>)
        case ended
    }

    enum StopReason {
        case signal, request
    }

    let options: Daemon.Options
    let identity: InitiatorIdentity
    let planFile: ArmedPlanFile
    /// The serial queue that reads and writes small files while the loop runs.
    let files = DispatchQueue(label: "io.bracketd.files")
    let logger: Logger
    let eventLoop: any EventLoop
    let socket: ListeningSocket
    let onEnd: (Daemon.Ending) -> Void
    let serviceManager: ServiceManager
    var state = State.running
    var coreLoop: CoreLoop?
    var links: CameraLinks?
    var httpRequests: HTTPRequests?
    var service: VarlinkService?
    /// The store of pictures. It stays after the loop's end to complete its pending work.
    var pictures: PictureStore?
    /// The store of the ledger. Like `pictures`, it stays after the loop's end.
    var ledger: LedgerStore?
    /// The flight recorder and its store, which stay like `pictures`; nil when the recorder is off.
    var flight: (recorder: FlightRecorder, store: FlightStore)?
    var inspector: Inspector?
    var board: Board?
    var networkWatcher: NetworkWatcher?
    var discovery: Discovery?
    var signals: (any Channel)?
    /// The task that gives the pages of code back, while the daemon is at rest.
    private var codeReturn: Scheduled<Void>?

    init(
        _ options: Daemon.Options,
        identity: InitiatorIdentity,
        planFile: ArmedPlanFile,
        core: any LoopCore,
        socket: ListeningSocket,
        logger: Logger,
        eventLoop: any EventLoop,
        onEnd: @escaping (Daemon.Ending) -> Void
    ) {
        self.options = options
        self.identity = identity
        self.planFile = planFile
        self.logger = logger
        self.eventLoop = eventLoop
        self.socket = socket
        self.onEnd = onEnd
        serviceManager =
            options.isService ? .fromEnvironment() : ServiceManager(watchdogTimeout: nil, notify: { _ in })
        makeParts(core)
    }

    func start(onServing: @escaping (DaemonHandle) -> Void) {
        if options.configuration.transfer.policy != .none { pictures?.start() }
        coreLoop?.enqueue(.started)
        networkWatcher?.start()
        board?.adopt(options.configuration.board)
        do {
            if options.isService { try listenToSignals() }
            try service?.serve(listeningSocket: socket.descriptor).assumeIsolated().whenComplete { result in
                switch result {
                case .success: self.serves(onServing)
                case .failure(let error): self.end(.failed(DaemonSentences.notListening(self.socket.path, error)))
                }
            }
        } catch {
            end(.failed("\(error)"))
        }
    }

    private func serves(_ onServing: (DaemonHandle) -> Void) {
        let sentence = DaemonSentences.listening(
            version: Version.current,
            path: socket.path,
            camera: options.configuration.cameraAddress,
            isSearching: !options.configuration.search.ways.isEmpty
        )
        logger.notice("\(sentence)")
        serviceManager.ready()
        serviceManager.startWatchdog(on: eventLoop) { [weak coreLoop] in coreLoop?.isMakingProgress() ?? false }
        onServing(DaemonHandle(self, eventLoop: eventLoop))
    }

    private func listenToSignals() throws {
        let listening = try Signals.listen(on: eventLoop) { [weak self] event in
            switch event {
            case .stop: self?.stop(because: .signal)
            case .reload: self?.reload()
            }
        }
        listening.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel): self.signals = channel
            case .failure(let error): self.end(.failed(DaemonSentences.noSignals(error)))
            }
        }
    }

    /// The start and a shoot need much more code than the rest after them. The delay is for what follows them, such as
    /// writes of the ledger. See docs/adr/0034.
    private func giveBackCode(afterRest isRest: Bool) {
        codeReturn?.cancel()
        codeReturn = isRest ? eventLoop.scheduleTask(in: .seconds(5)) { clinux_give_back_code() } : nil
    }

    /// Gives the code back again, if work has used it while the daemon is at rest.
    private func restartCodeReturn() {
        if codeReturn != nil { giveBackCode(afterRest: true) }
    }

    /// Adds the folder for pictures, which only the host knows.
    private func withFolder(_ reply: Reply) -> Reply {
        guard case .photos(var report) = reply, pictures != nil else { return reply }
        report.directory = options.configuration.picturesPath
        return .photos(report)
    }

    func perform(_ effect: Effect) {
        switch effect {
        case .openLink(let generation, let link, let target, let timeout):
            links?.open(generation, link, target, timeout: timeout)
        case .send(let generation, let link, let bytes): links?.send(generation, link, bytes)
        case .closeLink(let generation, let link): links?.close(generation, link)
        case .http(let generation, let id, let action): httpRequests?.perform(action, id, of: generation)
        case .watchRoute(let address): networkWatcher?.watchRoute(address)
        case .discovery(let effect): discovery?.perform(effect)
        case .enqueue: preconditionFailure("the loop keeps what is for the queue")
        case .reply(let id, let reply, let continues):
            service?.reply(id, withFolder(reply), continues: continues)
            restartCodeReturn()
        case .fail(let id, let error): service?.fail(id, error)
        case .picture(let id, let effect):
            pictures?.perform(id, effect)
            restartCodeReturn()
        case .manifest(let manifest): pictures?.write(manifest)
        case .readLight(let path): pictures?.readLight(path)
        case .readCoverage(let order): pictures?.readCoverage(order)
        case .checkRoom: pictures?.checkRoom()
        case .ledger(let effect): ledger?.perform(effect)
        case .inspect: inspector?.inspect()
        case .record: break
        case .journal(let entry): options.journal.write(JournalRecord(entry))
        case .keepPlan(let plan, let id): keep(plan, for: id)
        case .lamp(let sign):
            board?.show(sign)
            giveBackCode(afterRest: sign.isRest)
        case .status(let sentence): serviceManager.status(sentence)
        case .stopping(let frameLimit): noteStopping(frameLimit)
        case .finished: end(.inOrder)
        }
    }
}
