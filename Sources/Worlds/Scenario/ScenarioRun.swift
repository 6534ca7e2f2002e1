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

    private let scenario: Scenario
    private var world: World
    private var door: Door
    private var deeds: Agenda<Deed>
    private var process = Process.running
    private var kills = 0
    private var lastRequest: RequestID?
    private var board: Board?
    private var answersSeen = 0
    /// How many commits the ledger loses when the process is killed next.
    private var damage = 0

    /// The daemon's process.
    private enum Process: Sendable {
        case running
        /// It is to be killed once it comes to the world's limit of effects.
        case doomed(isPowerCut: Bool, writesPending: Bool, back: Duration)
        /// It was told to stop, and is killed if it takes too long.
        case stopping(back: Duration)
        case gone
    }

    /// How long a shoot may take once nothing goes wrong any more. A search's longest pause and a slot that is held are
    /// in it many times.
    private static var patience: Duration { .seconds(1200) }
    /// How long another client waits for the camera's answer before it asks again.
    private static var clientPatience: Duration { .milliseconds(500) }

    package init(_ scenario: Scenario, door: Door, isReadable: Bool = false, isTraced: Bool = false) {
        self.scenario = scenario
        self.door = door
        deeds = scenario.deeds
        board = scenario.hasButton ? Board() : nil
        world = scenario.world()
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

    private func outcome(_ lack: Violation?) -> Outcome {
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

    private mutating func note(_ deed: Deed) {
        let now = world.now
        world.watcher?.heard("\(deed)", at: now)
    }
}

// MARK: - While things go wrong

extension ScenarioRun {
    private mutating func begin() {
        if scenario.isTold { world.stand(Scenario.station) }
        readLine()
    }

    /// Lets time pass and does what is to be done.
    private mutating func live(until end: Duration) {
        while !isAlarmed {
            var next = min(deeds.nextTime ?? end, end)
            if case .stopping = process { next = min(next, world.daemon.stopDeadline ?? next) }
            world.advance(to: next) { $0.watcher?.isAlarmed == true || $0.daemon.isKilled || $0.daemon.isFinished }
            hearAnswers()
            if isProcessOver {
                bury()
            } else if let (_, deed) = deeds.takeNext(dueBy: world.now) {
                perform(deed)
            } else if world.now >= end {
                return
            }
        }
    }

    private var isAlarmed: Bool { world.watcher?.isAlarmed == true || world.isLivelocked || world.daemon.isRunaway }

    private var isProcessOver: Bool {
        switch process {
        case .running, .gone: false
        case .doomed: world.daemon.isKilled
        case .stopping: world.daemon.isFinished || world.daemon.stopDeadline.map { world.now >= $0 } ?? true
        }
    }

    private mutating func perform(_ deed: Deed) {
        note(deed)
        switch deed {
        case .ask(let request): ask(request)
        case .hangUp:
            guard isListening, let id = lastRequest else { break }
            lastRequest = nil
            world.put(.requestCancelled(id))
        case .babble(let number):
            if isListening, let request = door.babble(number) { put(request) }
        case .turnMode(let mode): world.turnDial(to: mode)
        case .turnSpeed(let speed): world.turnSpeed(to: speed)
        case .pullBattery(let back):
            world.powerOff()
            deeds.plan(.putBattery, at: world.now + back)
        case .putBattery: world.powerOn()
        case .move(let way):
            guard var station = world.station else { break }
            station.way = way
            world.stand(station)
        case .ledger(let mood, let time): spoilLedger(mood, until: world.now + time)
        case .disk(let mood, let time): spoilDisk(mood, until: world.now + time)
        case .failLedger(let operation): world.ledger { $0.failOnce(operation) }
        case .failDisk(let operation): world.disk { $0.failOnce(operation) }
        case .damageLog(let commits): damage = commits
        case .occupy, .keepOccupied, .vacate: performOnSession(deed)
        case .kill(let count, let isPowerCut, let writesPending, let back):
            guard case .running = process else { break }
            process = .doomed(isPowerCut: isPowerCut, writesPending: writesPending, back: back)
            world.killAfter(effects: world.effectCount + count)
        case .stop(let back):
            guard case .running = process else { break }
            process = .stopping(back: back)
            world.put(.stop)
        case .stopAgain:
            if case .stopping = process { world.put(.stop) }
        case .start:
            process = .running
            world.restart()
            readLine()
        case .press, .letGo, .hearLate, .pullButton, .putButton: performOnBoard(deed)
        case .configure(let button, let resumesByItself):
            var configuration = scenario.configuration
            configuration.button = button
            configuration.resumesByItself = resumesByItself
            world.put(.configured(configuration))
        }
        hearAnswers()
    }

    private mutating func spoilLedger(_ mood: DiskMood, until end: Duration) {
        let seed = scenario.worldSeed
        world.ledger { ledger in
            switch mood {
            case .slow(let most): ledger.beSlow(.zero...most, seed: seed)
            case .full: ledger.refuse("database or disk is full", until: end)
            case .silent: ledger.beSilent(until: end)
            }
        }
    }

    private mutating func spoilDisk(_ mood: DiskMood, until end: Duration) {
        let seed = scenario.worldSeed
        world.disk { disk in
            switch mood {
            case .slow(let most): disk.beSlow(.zero...most, seed: seed)
            case .full: disk.beFull(until: end)
            case .silent: disk.refuse("Input/output error", until: end)
            }
        }
    }

    private mutating func performOnSession(_ deed: Deed) {
        switch deed {
        case .occupy(let time, let tries, let isOrderly):
            world.occupy()
            let next = Deed.keepOccupied(for: time, tries: tries - 1, isOrderly: isOrderly)
            deeds.plan(next, at: world.now + Self.clientPatience)
        case .keepOccupied(let time, let tries, let isOrderly):
            if world.isOccupied {
                deeds.plan(.vacate(isOrderly: isOrderly), at: world.now + time)
            } else if tries > 0 {
                deeds.plan(.occupy(for: time, tries: tries, isOrderly: isOrderly), at: world.now)
            }
        case .vacate(let isOrderly): world.vacate(isOrderly: isOrderly)
        default: preconditionFailure("\(deed) is not done to the camera's session")
        }
    }

    private mutating func ask(_ request: Request) {
        guard isListening, let request = door.call(request) else { return }
        put(request)
    }

    private mutating func put(_ request: Request) {
        let id = world.nextRequest()
        door.named(id)
        lastRequest = id
        world.put(.request(id, request))
    }

    /// Whether a client finds a daemon.
    private var isListening: Bool {
        switch process {
        case .running, .doomed: true
        case .stopping, .gone: false
        }
    }

    /// The process is over; another one is started a while later.
    private mutating func bury() {
        switch process {
        case .running, .gone: return
        case .doomed(let isPowerCut, let writesPending, let back):
            world.kill(writesPending: writesPending, isPowerCut: isPowerCut)
            world.loseCommits(damage)
            damage = 0
            deeds.plan(.start, at: world.now + back)
        case .stopping(let back):
            // What it handed over last is written before the process ends.
            world.kill(writesPending: true)
            deeds.plan(.start, at: world.now + back)
        }
        process = .gone
        board?.listener += 1
        kills += 1
        lastRequest = nil
    }

    private mutating func hearAnswers() {
        for answer in world.daemon.answers[answersSeen...] { door.answered(answer) }
        answersSeen = world.daemon.answers.count
    }
}

// MARK: - The button

extension ScenarioRun {
    /// What the daemon hears when it comes to listen to the line.
    private mutating func readLine() {
        if let board, board.isThere { world.put(.button(.line(isPressed: board.isDown))) }
    }

    private mutating func performOnBoard(_ deed: Deed) {
        switch deed {
        case .press(let length, let hearing): press(for: length, hearing)
        case .letGo(let hearing, let since, let listener): letGo(hearing, since: since, of: listener)
        case .hearLate(let since, let until, let listener):
            guard board?.listener == listener else { break }
            hearEdge(isPressed: true, at: since)
            hearEdge(isPressed: false, at: until)
        case .pullButton(let back):
            guard board?.isThere == true else { break }
            board?.isThere = false
            board?.listener += 1
            world.put(.button(.gone))
            deeds.plan(.putButton, at: world.now + back)
        case .putButton:
            board?.isThere = true
            readLine()
        default: preconditionFailure("\(deed) is not done to the button")
        }
    }

    private mutating func hearEdge(isPressed: Bool, at time: Duration) {
        world.put(.button(.edge(isPressed: isPressed, at: time)))
    }

    private mutating func press(for length: Duration, _ hearing: ButtonHearing) {
        guard let board, !board.isDown else { return }
        self.board?.isDown = true
        deeds.plan(.letGo(hearing, since: world.now, of: board.listener), at: world.now + length)
        guard board.isThere else { return }
        switch hearing {
        case .atOnce, .releaseLost: hearEdge(isPressed: true, at: world.now)
        case .pressLost: readLine()
        case .late: break
        }
    }

    private mutating func letGo(_ hearing: ButtonHearing, since: Duration, of listener: Int) {
        board?.isDown = false
        guard let board, board.isThere else { return }
        switch hearing {
        case .releaseLost: readLine()
        // Who came to listen meanwhile heard that it is down.
        case .late(let late) where board.listener == listener:
            let until = world.now
            deeds.plan(.hearLate(since: since, until: until, of: listener), at: until + late)
        case .atOnce, .pressLost, .late: hearEdge(isPressed: false, at: world.now)
        }
    }
}

// MARK: - Once nothing goes wrong any more

extension ScenarioRun {
    /// Everything is well from now on.
    private mutating func calmDown() {
        guard !isAlarmed else { return }
        let now = world.now
        world.watcher?.heard("nothing goes wrong any more", at: now)
        deeds = Agenda()
        damage = 0
        world.vacate(isOrderly: true)
        world.powerOn()
        world.heal()
        board = board.map { Board(listener: $0.listener + 1) }
        readLine()
        switch process {
        case .running: break
        case .doomed:
            process = .running
            world.killAfter(effects: nil)
        case .stopping: bury()
        case .gone: deeds.plan(.start, at: world.now)
        }
    }

    /// Does what the daemon's sentences ask of a person, until a shoot is completed; what is wrong if it is not.
    private mutating func goOn() -> Violation? {
        let end = world.now + Self.patience
        while !isAlarmed, world.now < end {
            if isListening, help() { return nil }
            live(until: min(end, world.now + .seconds(5)))
        }
        guard !isAlarmed else { return nil }
        return Violation(.comesToItsEnd, at: world.now, "No shoot is completed: \(world.daemon.status)")
    }

    /// One thing that a person would do now; whether nothing is left to do.
    private mutating func help() -> Bool {
        if world.daemon.state("connection") == "released" {
            ask(.connect(world.daemon.core.hasCameraToReturnTo ? .last : .text(Scenario.address.host)))
        }
        let state = world.daemon.state("shooting")
        // What is missing may be fired twice: the user fires the plan anew.
        if state == "interrupted", world.daemon.core.recordContradiction != nil {
            ask(.shoot(scenario.plan, streams: true, drops: true))
            return false
        }
        if board != nil, let state, helpByButton(state) { return false }
        switch state {
        case "completed": return true
        case "idle": ask(.shoot(scenario.plan, streams: true))
        case "interrupted" where isCutOff: ask(.resume)
        case "byCommand", "unrecorded": ask(.resume)
        case "partial", "cancelled", "interrupted": ask(.retry(streams: true))
        default: break
        }
        return false
    }

    /// Whether the shoot that an earlier run left did not end by itself or by order.
    private var isCutOff: Bool { ![.cancelled, .partial].contains(world.daemon.core.leftOutcome) }

    /// What a person at the tripod does by the button; whether that is enough. To fire what is missing of a shoot that
    /// is over takes another means: a press begins a new one.
    private mutating func helpByButton(_ state: String) -> Bool {
        switch state {
        case "idle": break
        case "interrupted" where isCutOff: break
        case "byCommand", "unrecorded":
            guard world.daemon.core.buttonConfiguration.pressWhileShooting == .pause else { return false }
        default: return false
        }
        let press = Deed.press(for: .milliseconds(150), .atOnce)
        note(press)
        performOnBoard(press)
        return true
    }

    /// The daemon is told to stop, and leaves everything in order; what is wrong if it does not.
    private mutating func stopInOrder() -> Violation? {
        guard !isAlarmed else { return nil }
        // Pictures come, settings are put back.
        live(until: world.now + .seconds(30))
        process = .stopping(back: .zero)
        world.put(.stop)
        while !isAlarmed, !isProcessOver {
            world.advance(to: world.daemon.stopDeadline ?? world.now) {
                $0.watcher?.isAlarmed == true || $0.daemon.isFinished
            }
        }
        hearAnswers()
        guard !isAlarmed else { return nil }
        guard !world.daemon.isFinished else {
            // What the network still holds reaches the cameras.
            world.advance(to: world.now + .seconds(30)) { $0.watcher?.isAlarmed == true }
            return nil
        }
        return Violation(.stopsInOrder, at: world.now, "The ordered stop does not end: \(world.daemon.status)")
    }
}
