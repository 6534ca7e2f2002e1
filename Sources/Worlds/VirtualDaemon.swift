import Bodies
import Cameras
import Controller

/// The daemon's queue and loop without an operating system, with a record of all effects. The core is the real one.
///
/// The caller receives the effects on connections and simulates the network.
package struct VirtualDaemon: Sendable {
    package private(set) var core: Core
    /// The disk for pictures.
    package var disk = VirtualDisk()
    package var ledger = VirtualLedger()
    /// The host's findings about the computer.
    package var findings = HostFindings(
        machine: [Check("clock", .pass, "The clock is synchronized.")],
        network: [Check("network", .pass, "The camera is reached by wlan0.")]
    )
    package private(set) var journal: [JournalEntry] = []
    package private(set) var answers: [Answer] = []
    /// The sentence for the service manager.
    package private(set) var status = ""
    /// The signal of the lamp.
    package private(set) var lamp = LampSignal.dark
    /// The stored plan that the button fires.
    package private(set) var armedPlan: PlanInput?
    /// Whether the ordered stop has ended.
    package private(set) var isFinished = false
    /// When the host ends a stop that takes too long; nil: no stop was requested.
    package private(set) var stopDeadline: Duration?
    /// The time limit of the ordered stop after the wait for a frame: `Daemon.Options.stopTimeout`.
    package static let stopTimeout = Duration.milliseconds(3700)
    /// The number of performed effects that count for ``effectLimit``.
    package private(set) var effectCount = 0
    /// The process is killed after this number of effects. The other effects of that instant are not performed; nil: no
    /// limit.
    package var effectLimit: Int?
    /// The network interfaces on which the daemon listens for announcements of cameras.
    package private(set) var listening: [UInt32] = []
    /// How often the daemon searched for cameras by multicast.
    package private(set) var askCount = 0
    /// The running HTTP requests, in the order of their start.
    package private(set) var httpRequests: [OpenRequest] = []
    /// The address whose route the daemon watches.
    package private(set) var watchedRoute: CameraAddress?
    /// Replaces every sentence that the core and the world exchange; nil: the sentences do not change.
    package var rewording: SentenceReplacement?
    /// The watcher, which receives every event.
    package var watcher: (any WorldWatcher)?
    /// Whether one input caused more than ``turnsMax`` other inputs. The rest of the queue is then removed.
    package private(set) var isRunaway = false
    /// Whether a process is running: from its start until it is killed.
    package private(set) var isUp = false
    private var queue: [Input] = []
    private var effects = Effects()
    private var lastRequest: UInt64 = 0
    /// The core's deadline after the core's last change. The deadline is stored, because a world reads it at each step
    /// and the core must search all charts to find it.
    private var coreDeadline: Duration?

    /// A running HTTP request.
    package struct OpenRequest: Equatable, Sendable {
        package var generation: LinkGeneration
        package var id: HTTPRequestID
        package var request: HTTPRequest
    }

    /// An answer of the daemon to a client.
    package struct Answer: Equatable, Sendable {
        package var id: RequestID
        package var content: Content

        package enum Content: Equatable, Sendable {
            case reply(Reply, continues: Bool)
            case error(RequestError)
        }
    }

    /// The maximum number of inputs that one input can cause.
    package var turnsMax = 10_000

    package init(_ core: Core) {
        self.core = core
        armedPlan = core.armedPlan
        coreDeadline = core.nextDeadline
    }

    /// Changes the core between two inputs in a way that no input can.
    package mutating func change(_ change: (inout Core) -> Void) {
        change(&core)
        coreDeadline = core.nextDeadline
    }

    /// Kills the process at this instant. The disks and the journal remain for the next process.
    ///
    /// - Parameters:
    ///   - core: The new process's core.
    ///   - writesPending: Whether the ledger writes the commits that it has not answered yet.
    ///   - isPowerCut: Whether unsynced commits of the ledger are lost.
    package mutating func crash(_ core: Core, writesPending: Bool, isPowerCut: Bool = false, at now: Duration) {
        disk.crash()
        ledger.crash(writesPending: writesPending, isPowerCut: isPowerCut)
        end(core, isPowerCut: isPowerCut, at: now)
    }

    /// Kills the process at this instant, with a random result of its unfinished work.
    package mutating func crash(
        _ core: Core,
        isPowerCut: Bool,
        drawing random: inout SeededGenerator,
        at now: Duration
    ) {
        disk.crash(drawing: &random)
        ledger.crash(isPowerCut: isPowerCut, drawing: &random)
        end(core, isPowerCut: isPowerCut, at: now)
    }

    private mutating func end(_ core: Core, isPowerCut: Bool, at now: Duration) {
        self.core = core.armed(with: armedPlan)
        coreDeadline = self.core.nextDeadline
        isUp = false
        effectLimit = nil
        watcher?.died(ledger: ledger.tables, isPowerCut: isPowerCut, at: now)
        queue.removeAll()
        effects.removeAll()
        listening.removeAll()
        httpRequests.removeAll()
        watchedRoute = nil
        status = ""
        isFinished = false
        stopDeadline = nil
        isRunaway = false
    }

    /// Puts an input on the queue, and handles this input and all inputs that it causes, at this instant.
    ///
    /// - Parameter links: Receives the effects on connections, in order.
    package mutating func put(_ input: Input, at now: Duration, links: inout [Effect]) {
        put([input], at: now, links: &links)
    }

    /// Puts several inputs on the queue before it handles the first one, as a loop with several readable sockets does.
    /// Inputs that the first input causes come after all of these inputs.
    package mutating func put(_ inputs: [Input], at now: Duration, links: inout [Effect]) {
        if inputs.first == .started { isUp = true }
        guard isUp else { return }
        queue += inputs
        var turns = 0
        defer { coreDeadline = core.nextDeadline }
        while !queue.isEmpty, !isKilled {
            turns += 1
            guard turns <= turnsMax else {
                isRunaway = true
                return queue.removeAll()
            }
            let input = queue.removeFirst()
            if case .http(let generation, let id, let event) = input, event.isLast { forget(id, of: generation) }
            core.handle(rewording?.replaceSentences(input) ?? input, at: now, into: &effects)
            let list = rewording.map { effects.list.map($0.replaceSentences) } ?? effects.list
            var performed = 0
            for effect in list where !isKilled {
                perform(effect, at: now, links: &links)
                performed += 1
            }
            watcher?.took(input, list.prefix(performed), core: core, at: now)
            effects.removeAll()
        }
    }

    /// When the core's deadline or an answer of a disk is due, whichever is earlier; nil: neither.
    package var nextDeadline: Duration? {
        isKilled || !isUp ? nil : coreDeadline.earlier(disk.nextTime).earlier(ledger.nextTime)
    }

    /// Whether the process reached its ``effectLimit``.
    package var isKilled: Bool {
        guard let effectLimit else { return false }
        return effectCount >= effectLimit
    }

    /// Handles everything that is due at this time.
    package mutating func advance(to now: Duration, links: inout [Effect]) {
        let answers = disk.takeDue(by: now) + ledger.takeDue(by: now)
        if !answers.isEmpty { put(answers, at: now, links: &links) }
        if let due = coreDeadline, due <= now { put(.deadline, at: now, links: &links) }
    }

    /// Returns the number of the next request.
    package mutating func nextRequest() -> RequestID {
        lastRequest += 1
        return RequestID(rawValue: lastRequest)
    }

    private mutating func perform(_ effect: Effect, at now: Duration, links: inout [Effect]) {
        if effect.isSeenOutside { effectCount += 1 }
        switch effect {
        case .enqueue(let message): queue.append(.message(message))
        case .journal(let entry): journal.append(entry)
        case .record: break
        case .reply(let id, let reply, let continues):
            answers.append(Answer(id: id, content: .reply(reply, continues: continues)))
        case .fail(let id, let error): answers.append(Answer(id: id, content: .error(error)))
        case .status(let sentence): status = sentence
        case .lamp(let sign): lamp = sign
        case .keepPlan(let plan, let id):
            armedPlan = plan
            queue.append(.planKept(id, failure: nil))
        case .picture(let id, let effect): disk.perform(effect, of: id, at: now)
        case .manifest(let manifest): disk.write(manifest)
        case .readLight(let path): disk.readLight(of: path, at: now)
        case .readCoverage(let order): disk.readCoverage(order, at: now)
        case .checkRoom: disk.checkRoom(at: now)
        case .ledger(let effect): ledger.perform(effect, at: now)
        case .inspect: queue.append(.inspected(findings))
        case .stopping(let limit): stopDeadline = now + (limit ?? .zero) + Self.stopTimeout
        case .watchRoute(let address): watchedRoute = address
        case .discovery(let effect): perform(effect)
        case .finished: isFinished = true
        case .http(let generation, let id, let action):
            perform(action, id, of: generation)
            links.append(effect)
        case .openLink, .send, .closeLink: links.append(effect)
        }
    }

    private mutating func perform(_ action: HTTPAction, _ id: HTTPRequestID, of generation: LinkGeneration) {
        switch action {
        case .perform(let request):
            let isNew = !httpRequests.contains { $0.generation == generation && $0.id == id }
            precondition(isNew, "each request has its own number")
            httpRequests.append(OpenRequest(generation: generation, id: id, request: request))
        case .cancel: forget(id, of: generation)
        }
    }

    private mutating func forget(_ id: HTTPRequestID, of generation: LinkGeneration) {
        httpRequests.removeAll { $0.generation == generation && $0.id == id }
    }

    private mutating func perform(_ effect: DiscoveryEffect) {
        switch effect {
        case .listen(let interfaces, _): listening = interfaces
        case .ask: askCount += 1
        }
    }

    // MARK: State for tests

    /// The present state of the chart with this name.
    package func state(_ chart: String) -> String? {
        core.state(of: chart)
    }

    package func answers(to id: RequestID) -> [Answer.Content] {
        answers.filter { $0.id == id }.map(\.content)
    }

    package func progress(of id: RequestID) -> [Progress] {
        answers(to: id).compactMap { if case .reply(.progress(let progress), _) = $0 { progress } else { nil } }
    }

    /// The last report on pictures that this client received.
    package func photos(of id: RequestID) -> PhotosReport? {
        answers(to: id).compactMap { if case .reply(.photos(let report), _) = $0 { report } else { nil } }.last
    }

    /// The transitions of the chart in the form `from → to`.
    package func transitions(_ chart: String) -> [String] {
        journal.filter { $0.kind == .transition && $0.fields.first?.value == chart }.map { entry in
            "\(entry.fields[1].value) → \(entry.fields[2].value)"
        }
    }
}

extension Effect {
    /// Whether the effect is visible outside the process. Between two invisible effects, the exact moment of a kill
    /// makes no difference.
    fileprivate var isSeenOutside: Bool {
        switch self {
        case .enqueue, .journal, .record, .status, .stopping, .finished, .inspect, .watchRoute, .discovery, .lamp,
            .readCoverage:
            false
        case .reply, .fail, .picture, .manifest, .readLight, .checkRoom, .ledger, .openLink, .send, .closeLink, .http,
            .keepPlan:
            true
        }
    }
}
