import Bodies
import Cameras
import Controller

// The part of a run after all faults.

extension ScenarioRun {
    /// Ends all faults.
    mutating func clearAllFaults() {
        guard !hasSeenViolation else { return }
        let now = world.now
        world.watcher?.note("nothing goes wrong any more", at: now)
        actions = Schedule()
        damage = 0
        world.vacate(isOrderly: true)
        world.powerOn()
        world.clearFaults()
        board = board.map { Board(listener: $0.listener + 1) }
        readLine()
        switch process {
        case .running: break
        case .killScheduled:
            process = .running
            world.killAfter(effects: nil)
        case .stopping: endProcess()
        case .gone: actions.plan(.start, at: world.now)
        }
    }

    /// Follows the daemon's sentences until a shoot is completed. Returns a violation if no shoot is completed.
    mutating func goOn() -> Violation? {
        let end = world.now + Self.endLimit
        while !hasSeenViolation, world.now < end {
            if isListening, help() { return nil }
            live(until: min(end, world.now + .seconds(5)))
        }
        guard !hasSeenViolation else { return nil }
        return Violation(.reachesEnd, at: world.now, "No shoot is completed: \(world.daemon.status)")
    }

    /// Performs one useful action of a user. Returns true when a shoot is completed and no action is needed.
    mutating func help() -> Bool {
        if world.daemon.state("connection") == "released" {
            ask(.connect(world.daemon.core.hasCameraToReturnTo ? .last : .text(scenario.addressText)))
        }
        let state = world.daemon.state("shooting")
        // A retry can expose the missing frames twice. The user fires the plan again instead.
        if state == "interrupted", world.daemon.core.recordContradiction != nil {
            ask(.shoot(scenario.plan, streams: true, drops: true))
            return false
        }
        if board != nil, let state, resumeByButton(state) { return false }
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

    /// Whether the end of the daemon interrupted the shoot of an earlier run.
    var isCutOff: Bool { ![.cancelled, .partial].contains(world.daemon.core.leftOutcome) }

    /// Performs the action of a user with only the button. Returns false if the state needs another client. For
    /// example, a press cannot retry missing frames, because it starts a new shoot.
    mutating func resumeByButton(_ state: String) -> Bool {
        switch state {
        case "idle": break
        case "interrupted" where isCutOff: break
        case "byCommand", "unrecorded":
            guard world.daemon.core.buttonConfiguration.pressWhileShooting == .pause else { return false }
        default: return false
        }
        let press = ScenarioAction.press(for: .milliseconds(150), .atOnce)
        note(press)
        performOnBoard(press)
        return true
    }

    /// Stops the daemon, which must close everything in order. Returns a violation if the daemon does not.
    mutating func stopInOrder() -> Violation? {
        guard !hasSeenViolation else { return nil }
        // In these 30 s the last pictures arrive, and the daemon restores the settings.
        live(until: world.now + .seconds(30))
        process = .stopping(back: .zero)
        world.put(.stop)
        while !hasSeenViolation, !isProcessOver {
            world.advance(to: world.daemon.stopDeadline ?? world.now) {
                $0.watcher?.hasSeenViolation == true || $0.daemon.isFinished
            }
        }
        receiveReplies()
        guard !hasSeenViolation else { return nil }
        guard !world.daemon.isFinished else {
            // In these 30 s the cameras receive the bytes that are still in the network.
            world.advance(to: world.now + .seconds(30)) { $0.watcher?.hasSeenViolation == true }
            return nil
        }
        return Violation(.stopsInOrder, at: world.now, "The ordered stop does not end: \(world.daemon.status)")
    }
}
