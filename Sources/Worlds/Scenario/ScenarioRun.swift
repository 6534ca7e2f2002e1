import Bodies
import Cameras
import Controller
import Exposure

/// A running scenario. In its first part all faults happen, and only the safety rules apply. In its second part there
/// are no faults, and the shoot must end.
package struct ScenarioRun<Channel: RequestChannel>: Sendable {
    /// The result of a run.
    package struct Outcome: Sendable {
        /// The first violation; nil: none.
        package var violation: Violation?
        package var transcript: Transcript
        /// The hash of the daemon's effects on the world; nil: not requested.
        package var trace: ExternalTrace?
        /// The simulated duration of the run.
        package var simulated: Duration
        package var shoots: Int
        package var exposures: Int
        package var kills: Int
    }

    let scenario: Scenario
    var world: World
    var channel: Channel
    var actions: Schedule<ScenarioAction>
    var process = Process.running
    var kills = 0
    var lastRequest: RequestID?
    var board: Board?
    var answersSeen = 0
    /// The number of commits that the ledger loses at the next kill of the process.
    var damage = 0

    /// The state of the daemon's process.
    enum Process: Sendable {
        case running
        /// The process is killed when it reaches the world's limit of effects.
        case killScheduled(isPowerCut: Bool, writesPending: Bool, back: Duration)
        /// The process is stopping, and is killed if the stop takes too long.
        case stopping(back: Duration)
        case gone
    }

    /// The time limit of a shoot after all faults. It is twice the longest pause of a search, and several times the
    /// longest time for which a camera's session slot stays occupied.
    static var endLimit: Duration { .seconds(3600) }
    /// The time for which another client waits for the camera's answer before it tries again.
    static var clientTimeout: Duration { .milliseconds(500) }

    package init(
        _ scenario: Scenario,
        channel: Channel,
        isReadable: Bool = false,
        isTraced: Bool = false,
        rewording: SentenceReplacement? = nil
    ) {
        self.scenario = scenario
        self.channel = channel
        actions = scenario.actions
        board = scenario.hasButton ? Board() : nil
        world = scenario.world()
        world.rewording = rewording
        world.watcher = RunWatcher(
            transcript: Transcript(isReadable: isReadable),
            invariants: Invariants(of: world),
            isTraced: isTraced
        )
    }

    package mutating func finish() -> Outcome {
        begin()
        live(until: scenario.calmFrom)
        clearAllFaults()
        let lack = goOn() ?? stopInOrder()
        return outcome(lack)
    }

    func outcome(_ lack: Violation?) -> Outcome {
        guard var watcher = world.watcher as? RunWatcher else { preconditionFailure("the watcher stays the same") }
        if watcher.invariants.violations.isEmpty, lack == nil {
            watcher.invariants.checkEnd(of: world, .init(isStopped: true), scene: scenario.judgedScene)
        }
        let failure = channel.failure.map { Violation(.callsStayEqual, at: world.now, $0) }
        return Outcome(
            violation: watcher.invariants.violations.first ?? failure ?? lack,
            transcript: watcher.transcript,
            trace: watcher.trace,
            simulated: world.now,
            shoots: watcher.shoots,
            exposures: watcher.exposures,
            kills: kills
        )
    }

    mutating func note(_ action: ScenarioAction) {
        let now = world.now
        world.watcher?.note("\(action)", at: now)
    }
}

// MARK: - With faults

extension ScenarioRun {
    mutating func begin() {
        if scenario.isNetworkReported { world.moveStation(Scenario.station) }
        readLine()
    }

    /// Lets time pass until `end` and performs the actions that are due.
    mutating func live(until end: Duration) {
        while !hasSeenViolation {
            var next = min(actions.nextTime ?? end, end)
            if case .stopping = process { next = min(next, world.daemon.stopDeadline ?? next) }
            world.advance(to: next) {
                $0.watcher?.hasSeenViolation == true || $0.daemon.isKilled || $0.daemon.isFinished
            }
            receiveReplies()
            if isProcessOver {
                endProcess()
            } else if let (_, action) = actions.takeNext(dueBy: world.now) {
                perform(action)
            } else if world.now >= end {
                return
            }
        }
    }

    var hasSeenViolation: Bool {
        world.watcher?.hasSeenViolation == true || world.isLivelocked || world.daemon.isRunaway
    }

    var isProcessOver: Bool {
        switch process {
        case .running, .gone: false
        case .killScheduled: world.daemon.isKilled
        case .stopping: world.daemon.isFinished || world.daemon.stopDeadline.map { world.now >= $0 } ?? true
        }
    }
}
