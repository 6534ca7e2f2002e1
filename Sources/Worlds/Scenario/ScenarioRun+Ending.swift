import Bodies
import Cameras
import Controller

// Once nothing goes wrong any more.

extension ScenarioRun {
    /// Everything is well from now on.
    mutating func calmDown() {
        guard !isAlarmed else { return }
        let now = world.now
        world.watcher?.heard("nothing goes wrong any more", at: now)
        actions = Agenda()
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
        case .gone: actions.plan(.start, at: world.now)
        }
    }

    /// Does what the daemon's sentences ask of a person, until a shoot is completed; what is wrong if it is not.
    mutating func goOn() -> Violation? {
        let end = world.now + Self.patience
        while !isAlarmed, world.now < end {
            if isListening, help() { return nil }
            live(until: min(end, world.now + .seconds(5)))
        }
        guard !isAlarmed else { return nil }
        return Violation(.comesToItsEnd, at: world.now, "No shoot is completed: \(world.daemon.status)")
    }

    /// One thing that a person would do now; whether nothing is left to do.
    mutating func help() -> Bool {
        if world.daemon.state("connection") == "released" {
            ask(.connect(world.daemon.core.hasCameraToReturnTo ? .last : .text(scenario.addressText)))
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
    var isCutOff: Bool { ![.cancelled, .partial].contains(world.daemon.core.leftOutcome) }

    /// What a person at the tripod does by the button; whether that is enough. To fire what is missing of a shoot that
    /// is over takes another means: a press begins a new one.
    mutating func helpByButton(_ state: String) -> Bool {
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

    /// The daemon is told to stop, and leaves everything in order; what is wrong if it does not.
    mutating func stopInOrder() -> Violation? {
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
