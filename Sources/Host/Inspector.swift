import Cameras
import Controller
import Dispatch
import NIOCore
import Synchronization

/// Checks the machine for `bracketctl doctor`. Each check has its own thread, because a disk or a name server can hang.
/// The answer comes after ``timeMax`` at the latest, with the results so far. Used on the event loop only.
final class Inspector {
    /// The checks, in the order in which a user would solve the problems.
    enum InspectionItem: String, CaseIterable {
        case journal, clock, storage, pictures, network
    }

    static let timeMax = Duration.seconds(3)

    private enum State {
        case idle
        case inspecting(deadline: Scheduled<Void>, found: [InspectionItem: Check])
    }

    private let eventLoop: any EventLoop
    private let timeMax: Duration
    private let onFindings: ([InspectionItem: Check]) -> Void
    private let inspections: [InspectionItem: @Sendable () -> Check]
    private var state = State.idle
    /// The checks whose threads have not ended, from this inspection or an earlier one. These checks are not started
    /// again, so each check has one thread at most.
    private var away: Set<InspectionItem> = []
    private let results: ResultQueue

    /// - Parameters:
    ///   - inspections: each function is called on its own thread and is allowed to wait.
    ///   - onFindings: called on the loop, once for each ``inspect()`` that starts an inspection.
    init(
        inspections: [InspectionItem: @Sendable () -> Check],
        timeMax: Duration = Inspector.timeMax,
        eventLoop: any EventLoop,
        onFindings: @escaping ([InspectionItem: Check]) -> Void
    ) {
        self.inspections = inspections
        self.timeMax = timeMax
        self.eventLoop = eventLoop
        self.onFindings = onFindings
        results = ResultQueue()
        let inspector = NIOLoopBound(WeakInspector(), eventLoop: eventLoop)
        inspector.value.inspector = self
        results.open { [eventLoop] look, check in
            eventLoop.execute { inspector.value.inspector?.take(look, check) }
        }
    }

    func inspect() {
        guard case .idle = state else { return }
        let deadline = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeMax)) { [weak self] () -> Void in
            self?.answer()
        }
        state = .inspecting(deadline: deadline, found: [:])
        for (name, look) in inspections where away.insert(name).inserted {
            DispatchQueue.global().async { [results] in results.deliver(name, look()) }
        }
    }

    /// Closes the inspector. The threads report nothing after this returns.
    func close() {
        results.close()
        if case .inspecting(let deadline, _) = state { deadline.cancel() }
        state = .idle
    }

    private func take(_ look: InspectionItem, _ check: Check) {
        away.remove(look)
        // A late result of an earlier inspection counts for the present one.
        guard case .inspecting(let deadline, var found) = state else { return }
        found[look] = check
        state = .inspecting(deadline: deadline, found: found)
        if found.count == inspections.count { answer() }
    }

    private func answer() {
        guard case .inspecting(let deadline, var found) = state else { return }
        deadline.cancel()
        state = .idle
        for look in inspections.keys where found[look] == nil {
            let finding =
                look == .network
                ? MachineCheckSentences.noAnswerFromNameServer(within: timeMax)
                : MachineCheckSentences.noAnswerFromDisk(within: timeMax)
            found[look] = Check(look.rawValue, .fail, finding)
        }
        onFindings(found)
    }

    private final class WeakInspector {
        weak var inspector: Inspector?
    }

    /// Passes results from the threads to the loop, until the queue is closed.
    private final class ResultQueue: Sendable {
        private let onCheck = Mutex<(@Sendable (InspectionItem, Check) -> Void)?>(nil)

        func open(_ onCheck: @escaping @Sendable (InspectionItem, Check) -> Void) {
            self.onCheck.withLock { $0 = onCheck }
        }
        func close() { onCheck.withLock { $0 = nil } }
        // The call is made under the lock, so that no report is in progress when `close` returns.
        func deliver(_ look: InspectionItem, _ check: Check) { onCheck.withLock { $0?(look, check) } }
    }
}

extension Inspector {
    static func inspections(_ configuration: Configuration, journal: Journal) -> [InspectionItem: @Sendable () -> Check]
    {
        [
            .journal: { journalCheck(.present(journal)) },
            .clock: { clockCheck(.present()) },
            .storage: { diskCheck("storage", configuration.storagePath, DiskRoom.storage) },
            .pictures: {
                guard configuration.transfer.policy != .none else {
                    return Check("pictures", .skipped, MachineCheckSentences.picturesOnCamera)
                }
                return diskCheck("pictures", configuration.picturesPath, DiskRoom.pictures)
            },
            .network: { networkCheck(NetworkReachability.present(), .to(configuration.cameraAddress)) },
        ]
    }
}

extension HostFindings {
    /// `board`: the checks of the configured lines.
    init(_ found: [Inspector.InspectionItem: Check], watchdog: Check, board: [Check]) {
        let machine = [found[.journal], watchdog, found[.clock], found[.storage], found[.pictures]]
        self.init(machine: machine.compactMap(\.self) + board, network: [found[.network]].compactMap(\.self))
    }
}
