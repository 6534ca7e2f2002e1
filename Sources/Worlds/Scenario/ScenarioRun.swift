import Bodies
import Cameras
import Controller
import Exposure

/// A scenario as it goes its way: first with everything that goes wrong in it, when only safety can be asked for; then
/// nothing goes wrong any more, and the shoot has to come to its end.
package struct ScenarioRun<Door: RequestDoor>: Sendable {
    /// What a run came to.
    package struct Outcome: Sendable {
        /// What was wrong first; nil: nothing.
        package var violation: Violation?
        package var transcript: Transcript
        /// What the daemon did to the world; nil: it was not wanted.
        package var trace: OutsideTrace?
        /// How much time went by in the world.
        package var simulated: Duration
        /// How many shoots were begun.
        package var shoots: Int
        package var exposures: Int
        package var kills: Int
    }

    let scenario: Scenario
    var world: World
    var door: Door
    var actions: Agenda<ScenarioAction>
    var process = Process.running
    var kills = 0
    var lastRequest: RequestID?
    var board: Board?
    var answersSeen = 0
    /// How many commits the ledger loses when the process is killed next.
    var damage = 0

    /// The daemon's process.
    enum Process: Sendable {
        case running
        /// It is to be killed once it comes to the world's limit of effects.
        case doomed(isPowerCut: Bool, writesPending: Bool, back: Duration)
        /// It was told to stop, and is killed if it takes too long.
        case stopping(back: Duration)
        case gone
    }

    /// How long a shoot may take once nothing goes wrong any more. A search's longest pause and a slot that is held are
    /// in it many times.
    static var patience: Duration { .seconds(1200) }
    /// How long another client waits for the camera's answer before it asks again.
    static var clientPatience: Duration { .milliseconds(500) }

    package init(
        _ scenario: Scenario,
        door: Door,
        isReadable: Bool = false,
        isTraced: Bool = false,
        rewording: Rewording? = nil
    ) {
        self.scenario = scenario
        self.door = door
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
        calmDown()
        let lack = goOn() ?? stopInOrder()
        return outcome(lack)
    }

    func outcome(_ lack: Violation?) -> Outcome {
        guard var watcher = world.watcher as? RunWatcher else { preconditionFailure("the watcher stays the same") }
        if watcher.invariants.violations.isEmpty, lack == nil {
            watcher.invariants.judgeEnd(of: world, .init(isStopped: true))
        }
        let complaint = door.complaint.map { Violation(.callsPassUnchanged, at: world.now, $0) }
        return Outcome(
            violation: watcher.invariants.violations.first ?? complaint ?? lack,
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
        world.watcher?.heard("\(action)", at: now)
    }
}

// MARK: - While things go wrong

extension ScenarioRun {
    mutating func begin() {
        if scenario.isTold { world.stand(Scenario.station) }
        readLine()
    }

    /// Lets time pass and does what is to be done.
    mutating func live(until end: Duration) {
        while !isAlarmed {
            var next = min(actions.nextTime ?? end, end)
            if case .stopping = process { next = min(next, world.daemon.stopDeadline ?? next) }
            world.advance(to: next) { $0.watcher?.isAlarmed == true || $0.daemon.isKilled || $0.daemon.isFinished }
            hearAnswers()
            if isProcessOver {
                bury()
            } else if let (_, action) = actions.takeNext(dueBy: world.now) {
                perform(action)
            } else if world.now >= end {
                return
            }
        }
    }

    var isAlarmed: Bool { world.watcher?.isAlarmed == true || world.isLivelocked || world.daemon.isRunaway }

    var isProcessOver: Bool {
        switch process {
        case .running, .gone: false
        case .doomed: world.daemon.isKilled
        case .stopping: world.daemon.isFinished || world.daemon.stopDeadline.map { world.now >= $0 } ?? true
        }
    }
}
