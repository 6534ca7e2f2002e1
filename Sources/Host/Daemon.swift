import Cameras
import Controller
import Glibc
import Logging
import NIOCore
import NIOPosix

/// The daemon: one event loop on one thread, with the parts that produce inputs and perform effects.
package enum Daemon {
    package struct Options: Sendable {
        package var configuration: Configuration
        /// Makes the core from the daemon's identity for cameras and the armed plan.
        package var makeCore: @Sendable (InitiatorIdentity, PlanInput?) -> any LoopCore
        /// Reads the configuration again, on a separate thread; nil: there is no file.
        package var readConfiguration: (@Sendable () throws(ConfigurationError) -> Configuration)?
        package var journal: Journal
        /// Whether signals stop the daemon and the service manager receives its state. Only one daemon per process can
        /// do this. The caller must call ``Signals/block()`` first.
        package var isService: Bool
        package var gpio: any GPIOSystem = KernelGPIO()
        /// The maximum time of the ordered stop without a pending frame. After this time the daemon ends at once.
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

        /// Options of the service, with the core and its drivers.
        package init(configuration: Configuration, journal: Journal) {
            self.init(configuration: configuration, journal: journal, isService: true) { identity, armed in
                Core(configuration: CoreConfiguration(configuration, identity: identity, armedPlan: armed))
            }
        }
    }

    package enum Ending: Equatable, Sendable {
        case inOrder
        case forced
        case failed(String)
    }

    static let initiatorName = "bracketd"

    package struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    /// Runs a daemon on this thread until it is stopped.
    ///
    /// - Parameter onServing: called on the loop when clients can connect.
    package static func run(
        _ options: Options,
        onServing: @escaping (DaemonHandle) -> Void = { _ in }
    ) throws(StartError) -> Ending {
        let logger = Logger(journal: options.journal)
        let identity: InitiatorIdentity
        let socket: ListeningSocket
        let armedPlan: PlanInput?
        let planFile: ArmedPlanFile
        var claims: DirectoryLocks
        do {
            let storage = try StorageDirectory(path: options.configuration.storagePath)
            // The daemon locks the directory before it reads or changes anything in it.
            claims = try DirectoryLocks(storage: storage)
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
        var ending = Ending.inOrder
        // This variable keeps the run alive while the loop runs. The parts have only weak references to the run.
        var run: DaemonRun?
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            run = DaemonRun(
                options,
                identity: identity,
                planFile: planFile,
                core: options.makeCore(identity, armedPlan),
                socket: socket,
                logger: logger,
                eventLoop: eventLoop
            ) { ending = $0 }
            run?.start(onServing: onServing)
        }
        run?.finishReporting()
        run = nil
        return withExtendedLifetime(claims) { ending }
    }

    /// Locks the directory for pictures. Called after the socket is opened, because opening briefly locks the socket's
    /// directory. Both can be the same directory.
    private static func claimPictures(
        _ configuration: Configuration,
        _ socket: ListeningSocket,
        _ claims: inout DirectoryLocks
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

/// A handle to a running daemon, for other threads.
package struct DaemonHandle: Sendable {
    private let eventLoop: any EventLoop
    private let run: NIOLoopBound<DaemonRun>

    init(_ run: DaemonRun, eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        self.run = NIOLoopBound(run, eventLoop: eventLoop)
    }

    package func stop() {
        eventLoop.execute { run.value.stop(because: .request) }
    }
}
