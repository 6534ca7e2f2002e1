import Controller
import Flight
import Logging
import NIOCore

// These functions make and connect the daemon's parts.
extension DaemonRun {
    /// Makes the parts and connects them to the loop. Each part is connected only to parts made before it.
    func makeParts(_ core: any LoopCore) {
        let coreLoop = CoreLoop(core: core, eventLoop: eventLoop) { [weak self] effect in self?.perform(effect) }
        self.coreLoop = coreLoop
        makeNetwork(coreLoop)
        makeStores(coreLoop)
        makeBoard(coreLoop)
        makeService(coreLoop)
    }

    private func makeNetwork(_ coreLoop: CoreLoop) {
        let logger = logger
        let networkWatcher = NetworkWatcher(
            eventLoop: eventLoop,
            onSnapshot: { [weak self] snapshot in
                // The links receive the route first, so that the camera ends the old session before the core connects.
                if case .found(let route) = snapshot.route { self?.links?.noteRoute(to: route.to) }
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
        links = CameraLinks(
            eventLoop: eventLoop,
            onOpened: { networkWatcher.noteOpened($0, remote: $1) },
            onEvent: { coreLoop.enqueue(.link($0, $1)) }
        )
        httpRequests = HTTPRequests(
            eventLoop: eventLoop,
            onOpened: { networkWatcher.noteOpened($0, remote: $1) },
            onEvent: { coreLoop.enqueue(.http($0, $1, $2), whenTaken: $3) }
        )
    }

    private func makeStores(_ coreLoop: CoreLoop) {
        let (links, httpRequests) = (links, httpRequests)
        pictures = PictureStore(options.configuration, logger: logger, eventLoop: eventLoop) { event in
            switch event {
            case .input(let input): coreLoop.enqueue(input)
            case .pressure(let isHigh):
                links?.hold(isHigh)
                httpRequests?.hold(isHigh)
            }
        }
        ledger = LedgerStore(options.configuration, clock: coreLoop.clock, eventLoop: eventLoop) { news in
            coreLoop.enqueue(.ledger(news))
        }
        flight = makeRecorder(coreLoop)
    }

    private func makeBoard(_ coreLoop: CoreLoop) {
        let logger = logger
        let board = Board(
            system: options.gpio,
            clock: coreLoop.clock,
            eventLoop: eventLoop,
            onUpdate: { coreLoop.enqueue(.button($0)) },
            onNote: { logger.log(level: $0, "\($1)") }
        )
        self.board = board
        coreLoop.onLate = { [weak board] in board?.readAhead() }
        inspector = Inspector(
            inspections: Inspector.inspections(options.configuration, journal: options.journal),
            eventLoop: eventLoop
        ) { [serviceManager] found in
            let findings = HostFindings(found, watchdog: serviceManager.watchdogCheck, board: board.checks)
            coreLoop.enqueue(.inspected(findings))
        }
    }

    private func makeService(_ coreLoop: CoreLoop) {
        let logger = logger
        service = VarlinkService(eventLoop: eventLoop) { event in
            switch event {
            case .input(let input): coreLoop.enqueue(input)
            case .note(let sentence): logger.notice("\(sentence)")
            }
        }
    }

    /// - Returns: nil when the flight recorder is off.
    private func makeRecorder(_ coreLoop: CoreLoop) -> (recorder: FlightRecorder, store: FlightStore)? {
        let limits = options.configuration.flight
        guard limits.fileCountMax > 0 else { return nil }
        let files = FlightFiles(
            directory: options.configuration.flightPath,
            limits: limits,
            freeBytesMin: UInt64(Preflight.freeBytesLow)
        )
        let store = FlightStore(files, logger: logger)
        let header = FlightHeader(options.configuration, clock: coreLoop.clock)
        let recorder = FlightRecorder(header, fileSize: limits.fileSize, store: store)
        coreLoop.recorder = recorder
        return (recorder, store)
    }
}
