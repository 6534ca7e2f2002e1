import Bodies
import Cameras
import Controller

// The actions of users and chance.

extension ScenarioRun {
    mutating func perform(_ action: ScenarioAction) {
        note(action)
        switch action {
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
            actions.plan(.putBattery, at: world.now + back)
        case .putBattery: world.powerOn()
        case .move(let way):
            guard var station = world.station else { break }
            station.way = way
            world.stand(station)
        case .ledger, .disk, .failLedger, .failDisk, .damageLog: performOnDisks(action)
        case .occupy, .keepOccupied, .vacate: performOnSession(action)
        case .kill, .stop, .stopAgain, .start: performOnProcess(action)
        case .press, .letGo, .hearLate, .pullButton, .putButton: performOnBoard(action)
        case .configure(let button, let resumesByItself):
            var configuration = scenario.configuration
            configuration.button = button
            configuration.resumesByItself = resumesByItself
            world.put(.configured(configuration))
        }
        hearAnswers()
    }

    private mutating func performOnDisks(_ action: ScenarioAction) {
        switch action {
        case .ledger(let mood, let time): spoilLedger(mood, until: world.now + time)
        case .disk(let mood, let time): spoilDisk(mood, until: world.now + time)
        case .failLedger(let operation): world.ledger { $0.failOnce(operation) }
        case .failDisk(let operation): world.disk { $0.failOnce(operation) }
        case .damageLog(let commits): damage = commits
        default: preconditionFailure("\(action) is not done to a disk")
        }
    }

    private mutating func performOnProcess(_ action: ScenarioAction) {
        switch action {
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
        default: preconditionFailure("\(action) is not done to the daemon's process")
        }
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

    private mutating func performOnSession(_ action: ScenarioAction) {
        switch action {
        case .occupy(let time, let tries, let isOrderly):
            world.occupy()
            let next = ScenarioAction.keepOccupied(for: time, tries: tries - 1, isOrderly: isOrderly)
            actions.plan(next, at: world.now + Self.clientPatience)
        case .keepOccupied(let time, let tries, let isOrderly):
            if world.isOccupied {
                actions.plan(.vacate(isOrderly: isOrderly), at: world.now + time)
            } else if tries > 0 {
                actions.plan(.occupy(for: time, tries: tries, isOrderly: isOrderly), at: world.now)
            }
        case .vacate(let isOrderly): world.vacate(isOrderly: isOrderly)
        default: preconditionFailure("\(action) is not done to the camera's session")
        }
    }

    mutating func ask(_ request: Request) {
        guard isListening, let request = door.call(request) else { return }
        put(request)
    }

    mutating func put(_ request: Request) {
        let id = world.nextRequest()
        door.named(id)
        lastRequest = id
        world.put(.request(id, request))
    }

    /// Whether a client finds a daemon.
    var isListening: Bool {
        switch process {
        case .running, .doomed: true
        case .stopping, .gone: false
        }
    }

    /// The process has ended; another one is started later.
    mutating func bury() {
        switch process {
        case .running, .gone: return
        case .doomed(let isPowerCut, let writesPending, let back):
            world.kill(writesPending: writesPending, isPowerCut: isPowerCut)
            world.loseCommits(damage)
            damage = 0
            actions.plan(.start, at: world.now + back)
        case .stopping(let back):
            // The last submitted rows are written before the process ends.
            world.kill(writesPending: true)
            actions.plan(.start, at: world.now + back)
        }
        process = .gone
        board?.listener += 1
        kills += 1
        lastRequest = nil
    }

    mutating func hearAnswers() {
        for answer in world.daemon.answers[answersSeen...] { door.answered(answer) }
        answersSeen = world.daemon.answers.count
    }
}
