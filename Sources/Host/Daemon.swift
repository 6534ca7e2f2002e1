import Cameras
import Controller
import Dispatch
import Flight
import Glibc
import Logging
import NIOCore
import NIOPosix
import Varlink

/// The daemon: one loop on one thread, and everything of the outside that it turns into inputs and effects.
package enum Daemon {
    /// What a daemon is started with.
    package struct Options: Sendable {
        package var configuration: Configuration
        /// The core to drive, given who we are to cameras and the plan that is armed.
        package var makeCore: @Sendable (InitiatorIdentity, PlanInput?) -> any LoopCore
        /// Reads the configuration again, on a thread of its own; nil: there is no file.
        package var readConfiguration: (@Sendable () throws(ConfigurationError) -> Configuration)?
        package var journal: Journal
        /// Whether signals stop the daemon, and the service manager is told how it is. Once per process:
        /// call ``Signals/block()`` first.
        package var isService: Bool
        /// Where the lines of button, lamp and buzzer are.
        package var gpio: any GPIOSystem = KernelGPIO()
        /// How long the ordered stop may take once no frame is waited for; then the daemon ends without.
        package var stopTimeout = Duration.milliseconds(3700)

        package init(
            configuration: Configuration,
            journal: Journal,
            isService: Bool,
            makeCore: @escaping @Sendable (InitiatorIdentity, PlanInput?) -> any LoopCore
        ) {
            self.configuration = configuration
            self.journal = journal
            self.isService = isService
            self.makeCore = makeCore
        }

        /// A service that drives a core of its own, with the driver for Sony bodies.
        package init(configuration: Configuration, journal: Journal) {
            self.init(configuration: configuration, journal: journal, isService: true) { identity, armed in
                Core(configuration: CoreConfiguration(configuration, identity: identity, armedPlan: armed))
            }
        }
    }

    /// How a daemon ended.
    package enum Ending: Equatable, Sendable {
        case inOrder
        /// The ordered stop took too long.
        case forced
        /// It could not begin to serve.
        case failed(String)
    }

    /// What cameras call us.
    static let initiatorName = "bracketd"

    /// Why a daemon did not start.
    package struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    /// Runs a daemon on this thread until it is stopped.
    ///
    /// - Parameter onServing: called on the loop once clients can connect.
    package static func run(
        _ options: Options,
        onServing: @escaping (DaemonHandle) -> Void = { _ in }
    ) throws(StartError) -> Ending {
        let logger = Logger(journal: options.journal)
        let identity: InitiatorIdentity
        let socket: ListeningSocket
        let armedPlan: PlanInput?
        let planFile: ArmedPlanFile
        var claims: DirectoryClaims
        do {
            let storage = try StorageDirectory(path: options.configuration.storagePath)
            // Before anything in the directory is read or changed.
            claims = try DirectoryClaims(storage: storage)
            let (guid, notice) = try InitiatorFile(directory: storage).readOrCreate()
            if let notice { logger.warning("\(notice)") }
            identity = InitiatorIdentity(guid: guid, name: initiatorName)
            planFile = ArmedPlanFile(directory: storage)
            let (plan, planNotice) = try planFile.read()
            if let planNotice { logger.warning("\(planNotice)") }
            armedPlan = plan
            socket = try ListeningSocket.open(path: options.configuration.socketPath)
            try claimPictures(options.configuration, socket, &claims)
        } catch {
            throw StartError(description: "\(error)")
        }
        let core = options.makeCore(identity, armedPlan)
        var ending = Ending.inOrder
        // Held here for as long as the loop runs; its parts hold it weakly.
        var run: DaemonRun?
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            run = DaemonRun(
                options,
                identity: identity,
                planFile: planFile,
                core: core,
                socket: socket,
                logger: logger,
                eventLoop: eventLoop
            ) { ending = $0 }
            run?.start(onServing: onServing)
        }
        run?.finishTelling()
        run = nil
        return withExtendedLifetime(claims) { ending }
    }

    /// After the socket: that locks its directory for a moment, which may be the same one.
    private static func claimPictures(
        _ configuration: Configuration,
        _ socket: ListeningSocket,
        _ claims: inout DirectoryClaims
    ) throws(StorageError) {
        guard configuration.transfer.policy != .none else { return }
        do {
            try claims.claimPictures(configuration.picturesPath)
        } catch {
            socket.remove()
            close(socket.descriptor)
            throw error
        }
    }
}

/// A running daemon, for other threads.
package struct DaemonHandle: Sendable {
    private let eventLoop: any EventLoop
    private let run: NIOLoopBound<DaemonRun>

    init(_ run: DaemonRun, eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        self.run = NIOLoopBound(run, eventLoop: eventLoop)
    }

    /// Asks for the ordered stop.
    package func stop() {
        eventLoop.execute { run.value.stop(because: "asked to") }
    }
}

/// The parts of a running daemon and the wires between them. Lives on the loop.
final class DaemonRun {
    private enum State {
        case running
        /// The ordered stop goes on; the deadline ends it.
        case stopping(deadline: Scheduled<Void>)
        case ended
    }

    private let options: Daemon.Options
    private let identity: InitiatorIdentity
    private let planFile: ArmedPlanFile
    /// For the few small files that are read or written while the loop runs, one after the other.
    private let files = DispatchQueue(label: "io.bracketd.files")
    private let logger: Logger
    private let eventLoop: any EventLoop
    private let socket: ListeningSocket
    private let onEnd: (Daemon.Ending) -> Void
    private let serviceManager: ServiceManager
    private var state = State.running
    private var coreLoop: CoreLoop?
    private var links: CameraLinks?
    private var httpRequests: HTTPRequests?
    private var service: VarlinkService?
    /// Kept to the end: its last work is done when the loop is over.
    private var pictures: PictureStore?
    /// The same.
    private var ledger: LedgerStore?
    /// The same; nil: nothing is recorded.
    private var flight: (recorder: FlightRecorder, store: FlightStore)?
    private var inspector: Inspector?
    private var board: Board?
    private var networkWatcher: NetworkWatcher?
    private var discovery: Discovery?
    private var signals: (any Channel)?

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
        let coreLoop = CoreLoop(core: core, eventLoop: eventLoop) { [weak self] effect in self?.perform(effect) }
        self.coreLoop = coreLoop
        let networkWatcher = NetworkWatcher(
            eventLoop: eventLoop,
            onSnapshot: { [weak self] snapshot in
                // First: the camera is to be free when the core calls it.
                if case .found(let route) = snapshot.route { self?.links?.noteWay(to: route.to) }
                coreLoop.enqueue(.network(snapshot))
            },
            onNote: { logger.notice("\($0)") }
        )
        self.networkWatcher = networkWatcher
        discovery = Discovery(
            eventLoop: eventLoop,
            onInput: { coreLoop.enqueue($0) },
            onNote: { logger.notice("\($0)") }
        )
        let links = CameraLinks(
            eventLoop: eventLoop,
            onOpened: { networkWatcher.noteOpened($0, remote: $1) },
            onEvent: { coreLoop.enqueue(.link($0, $1)) }
        )
        self.links = links
        let httpRequests = HTTPRequests(
            eventLoop: eventLoop,
            onOpened: { networkWatcher.noteOpened($0, remote: $1) },
            onEvent: { coreLoop.enqueue(.http($0, $1, $2), whenTaken: $3) }
        )
        self.httpRequests = httpRequests
        pictures = PictureStore(options.configuration, logger: logger, eventLoop: eventLoop) { event in
            switch event {
            case .input(let input): coreLoop.enqueue(input)
            case .pressure(let isHigh):
                links.hold(isHigh)
                httpRequests.hold(isHigh)
            }
        }
        ledger = LedgerStore(options.configuration, clock: coreLoop.clock, eventLoop: eventLoop) { news in
            coreLoop.enqueue(.ledger(news))
        }
        startRecording(coreLoop)
        let board = Board(
            system: options.gpio,
            clock: coreLoop.clock,
            eventLoop: eventLoop,
            onNews: { coreLoop.enqueue(.button($0)) },
            onNote: { logger.log(level: $0, "\($1)") }
        )
        self.board = board
        coreLoop.onLate = { [weak board] in board?.readAhead() }
        inspector = Inspector(
            looks: Inspector.looks(options.configuration, journal: options.journal),
            eventLoop: eventLoop
        ) { [serviceManager] found in
            let findings = HostFindings(found, watchdog: serviceManager.watchdogCheck, board: board.checks)
            coreLoop.enqueue(.inspected(findings))
        }
        service = VarlinkService(eventLoop: eventLoop) { event in
            switch event {
            case .input(let input): coreLoop.enqueue(input)
            case .note(let sentence): logger.notice("\(sentence)")
            }
        }
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
                case .failure(let error): self.end(.failed("cannot serve \(self.socket.path): \(error)"))
                }
            }
        } catch {
            end(.failed("\(error)"))
        }
    }

    private func startRecording(_ coreLoop: CoreLoop) {
        let limits = options.configuration.flight
        guard limits.fileCountMax > 0 else { return }
        let files = FlightFiles(
            directory: options.configuration.flightPath,
            limits: limits,
            freeBytesMin: UInt64(Preflight.freeBytesLow)
        )
        let store = FlightStore(files, logger: logger)
        let header = FlightHeader(options.configuration, clock: coreLoop.clock)
        let recorder = FlightRecorder(header, fileSize: limits.fileSize, store: store)
        coreLoop.recorder = recorder
        flight = (recorder, store)
    }

    /// Begins the ordered stop, which ends with ``Effect/finished`` or with the deadline. Told again, the core does not
    /// wait for a frame any more.
    func stop(because reason: String) {
        switch state {
        case .running:
            logger.notice("Stopping: \(reason).")
            // For a core that does not answer.
            state = .stopping(deadline: endForced(after: options.stopTimeout))
        case .stopping: break
        case .ended: return
        }
        coreLoop?.enqueue(.stop)
    }

    /// The core stops; with a frame to wait for, the deadline is later by so much.
    private func noteStopping(_ frameLimit: Duration?) {
        serviceManager.stopping()
        guard case .stopping(let deadline) = state else { return }
        deadline.cancel()
        state = .stopping(deadline: endForced(after: (frameLimit ?? .zero) + options.stopTimeout))
    }

    private func endForced(after time: Duration) -> Scheduled<Void> {
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            self.logger.error(
                """
                The ordered stop took longer than \(self.options.stopTimeout); \
                the camera may need to be switched off and on.
                """
            )
            self.end(.forced)
        }
    }

    /// Has the configuration read again; a disk may be slow, and nothing waits for it.
    private func reload() {
        guard case .running = state else { return }
        serviceManager.reloading()
        guard let read = options.readConfiguration else {
            logger.notice("There is no configuration file that could be read again.")
            return serviceManager.ready()
        }
        let run = NIOLoopBound(self, eventLoop: eventLoop)
        // One after the other: the last reading counts.
        files.async { [eventLoop] in
            let result = Result { () throws(ConfigurationError) in try read() }
            eventLoop.execute { run.value.takeReloaded(result) }
        }
    }

    private func takeReloaded(_ result: Result<Configuration, ConfigurationError>) {
        guard case .running = state else { return }
        switch result {
        case .success(let configuration):
            coreLoop?.enqueue(.configured(CoreConfiguration(configuration, identity: identity)))
            board?.adopt(configuration.board)
            let waiting = configuration.keysForRestart(since: options.configuration)
            let rest =
                waiting.isEmpty
                ? "" : " These count when bracketd is started again: \(waiting.joined(separator: ", "))."
            logger.notice("The configuration was read again.\(rest)")
        case .failure(let error):
            logger.error("The configuration stays as it was: \(error)")
        }
        serviceManager.ready()
    }

    /// Writes the armed plan down.
    private func keep(_ plan: PlanInput?, for id: RequestID) {
        let run = NIOLoopBound(self, eventLoop: eventLoop)
        files.async { [planFile, eventLoop] in
            var trouble: String?
            do { try planFile.write(plan) } catch {
                trouble = "It is armed until bracketd ends, and no longer: \(error)."
            }
            eventLoop.execute { [trouble] in run.value.coreLoop?.enqueue(.planKept(id, trouble: trouble)) }
        }
    }

    private func serves(_ onServing: (DaemonHandle) -> Void) {
        logger.notice("bracketd \(Version.current) serves \(socket.path), \(cameraSentence).")
        serviceManager.ready()
        serviceManager.startWatchdog(on: eventLoop) { [weak coreLoop] in coreLoop?.isMakingProgress() ?? false }
        onServing(DaemonHandle(self, eventLoop: eventLoop))
    }

    private var cameraSentence: String {
        options.configuration.cameraAddress.map { "with the camera at \($0)" }
            ?? (options.configuration.search.ways.isEmpty ? "without a camera" : "and looks for a camera")
    }

    private func listenToSignals() throws {
        let listening = try Signals.listen(on: eventLoop) { [weak self] event in
            switch event {
            case .stop: self?.stop(because: "told by a signal")
            case .reload: self?.reload()
            }
        }
        listening.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel): self.signals = channel
            case .failure(let error): self.end(.failed("cannot listen to signals: \(error)"))
            }
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .openLink(let generation, let link, let target, let timeout):
            links?.open(generation, link, target, timeout: timeout)
        case .send(let generation, let link, let bytes): links?.send(generation, link, bytes)
        case .closeLink(let generation, let link): links?.close(generation, link)
        case .http(let generation, let id, let action): httpRequests?.perform(action, id, of: generation)
        case .watchRoute(let address): networkWatcher?.watchRoute(address)
        case .discovery(let effect): discovery?.perform(effect)
        case .enqueue: preconditionFailure("the loop keeps what is for the queue")
        case .reply(let id, let reply, let continues): service?.reply(id, reply, continues: continues)
        case .fail(let id, let error): service?.fail(id, error)
        case .picture(let id, let effect): pictures?.perform(id, effect)
        case .manifest(let manifest): pictures?.write(manifest)
        case .checkRoom: pictures?.checkRoom()
        case .ledger(let effect): ledger?.perform(effect)
        case .inspect: inspector?.inspect()
        case .record: break
        case .journal(let entry): options.journal.write(JournalRecord(entry))
        case .keepPlan(let plan, let id): keep(plan, for: id)
        case .lamp(let sign): board?.show(sign)
        case .status(let sentence): serviceManager.status(sentence)
        case .stopping(let frameLimit): noteStopping(frameLimit)
        case .finished: end(.inOrder)
        }
    }

    /// Lets go of everything and ends the loop.
    private func end(_ ending: Daemon.Ending) {
        switch state {
        case .ended: return
        case .stopping(let deadline): deadline.cancel()
        case .running: break
        }
        state = .ended
        onEnd(ending)
        serviceManager.stopWatchdog()
        coreLoop?.end()
        pictures?.close()
        ledger?.close()
        inspector?.close()
        board?.close()
        networkWatcher?.close()
        discovery?.close()
        links?.closeAll()
        httpRequests?.closeAll()
        socket.remove()
        service?.close()
        signals?.close(promise: nil)
        (coreLoop, links, httpRequests, service, inspector, signals) = (nil, nil, nil, nil, nil, nil)
        (networkWatcher, discovery, board) = (nil, nil, nil)
        // The loop ends when what was begun above is done.
        eventLoop.shutdownGracefully(queue: .global()) { _ in }
    }

    /// After the loop has ended: what was told last is on its way, and rows and pictures that had come are kept.
    func finishTelling() {
        if ledger?.finish() == false {
            logger.error(
                """
                The ledger's disk did not answer within \(LedgerStore.endMax): what happened last may not be recorded.
                """
            )
        }
        pictures?.finish()
        flight?.recorder.end()
        flight?.store.finish()
        serviceManager.finish()
    }
}
