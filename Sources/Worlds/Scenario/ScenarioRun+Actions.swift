import Bodies
import Cameras
import Controller

// The actions of users, clients and chance.

extension ScenarioRun {
    mutating func perform(_ action: ScenarioAction) {
        note(action)
        switch action {
        case .ask(let request): ask(request)
        case .hangUp:
            guard isListening, let id = lastRequest else { break }
            lastRequest = nil
            world.put(.requestCancelled(id))
        case .invalidCalls(let number):
            if isListening, let request = channel.invalidCalls(number) { put(request) }
        case .turnMode(let mode): world.turnDial(to: mode)
        case .turnSpeed(let speed): world.turnSpeed(to: speed)
        case .pullBattery(let back):
            world.powerOff()
            actions.plan(.putBattery, at: world.now + back)
        case .putBattery: world.powerOn()
        case .move(let change):
            guard var station = world.station else { break }
            station.change = change
            world.moveStation(station)
        case .ledger, .disk, .failLedger, .failDisk, .damageLog: performOnDisks(action)
        case .occupy, .keepOccupied, .vacate: performOnSession(action)
        case .kill, .stop, .stopAgain, .start: performOnProcess(action)
        case .press, .releaseButton, .receiveLate, .pullButton, .putButton: performOnBoard(action)
        case .configure(let button, let resumesByItself):
            var configuration = scenario.configuration
            configuration.button = button
            configuration.resumesByItself = resumesByItself
            world.put(.configured(configuration))
        }
        receiveReplies()
    }

    private mutating func performOnDisks(_ action: ScenarioAction) {
        switch action {
        case .ledger(let diskCondition, let time): applyLedgerFault(diskCondition, until: world.now + time)
        case .disk(let diskCondition, let time): applyDiskFault(diskCondition, until: world.now + time)
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
            process = .killScheduled(isPowerCut: isPowerCut, writesPending: writesPending, back: back)
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

    private mutating func applyLedgerFault(_ diskCondition: DiskCondition, until end: Duration) {
        let seed = scenario.worldSeed
        world.ledger { ledger in
            switch diskCondition {
            case .slow(let most): ledger.beSlow(.zero...most, seed: seed)
            case .full: ledger.refuse("database or disk is full", until: end)
            case .silent: ledger.beSilent(until: end)
            }
        }
    }

    private mutating func applyDiskFault(_ diskCondition: DiskCondition, until end: Duration) {
        let seed = scenario.worldSeed
        world.disk { disk in
            switch diskCondition {
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
            actions.plan(next, at: world.now + Self.clientTimeout)
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
        guard isListening, let request = channel.call(request) else { return }
        put(request)
    }

    mutating func put(_ request: Request) {
        let id = world.nextRequest()
        channel.named(id)
        lastRequest = id
        world.put(.request(id, request))
    }

    /// Whether a client can connect to the daemon.
    var isListening: Bool {
        switch process {
        case .running, .killScheduled: true
        case .stopping, .gone: false
        }
    }

    /// Ends the process and plans the start of another one.
    mutating func endProcess() {
        switch process {
        case .running, .gone: return
        case .killScheduled(let isPowerCut, let writesPending, let back):
            world.kill(writesPending: writesPending, isPowerCut: isPowerCut)
            world.loseCommits(damage)
            damage = 0
            actions.plan(.start, at: world.now + back)
        case .stopping(let back):
            // The ledger writes the last submitted rows before the process ends.
            world.kill(writesPending: true)
            actions.plan(.start, at: world.now + back)
        }
        process = .gone
        board?.listener += 1
        kills += 1
        lastRequest = nil
    }

    mutating func receiveReplies() {
        for answer in world.daemon.answers[answersSeen...] { channel.answered(answer) }
        answersSeen = world.daemon.answers.count
    }
}
