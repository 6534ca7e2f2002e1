import Cameras
import Controller
import Glibc
import Logging
import NIOCore
import NIOPosix

/// The daemon: one loop on one thread, and everything that it turns into inputs and effects.
package enum Daemon {
    package struct Options: Sendable {
        package var configuration: Configuration
        /// Makes the core, given our identity for cameras and the armed plan.
        package var makeCore: @Sendable (InitiatorIdentity, PlanInput?) -> any LoopCore
        /// Reads the configuration again, on its own thread; nil without a file.
        package var readConfiguration: (@Sendable () throws(ConfigurationError) -> Configuration)?
        package var journal: Journal
        /// Whether signals stop the daemon and the service manager gets its state. Only once per process; call
        /// ``Signals/block()`` first.
        package var isService: Bool
        package var gpio: any GPIOSystem = KernelGPIO()
        /// How long the ordered stop may take when no frame is pending; the daemon then ends without finishing it.
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

        /// Options of a service with its own core and the driver for Sony bodies.
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
        var claims: DirectoryLocks
        do {
            let storage = try StorageDirectory(path: options.configuration.storagePath)
            // Claimed before anything in the directory is read or changed.
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
        // Held here while the loop runs; the parts hold it weakly.
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

    /// Called after the socket is open. Opening the socket locks its directory for a moment, and it may be the same
    /// directory.
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

/// A reference to a running daemon, for other threads.
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
