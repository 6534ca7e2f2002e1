import Bodies
import Cameras
import Controller

// The button on the tripod.

extension ScenarioRun {
    /// Reports the state of the line to the daemon, as when the daemon begins to listen to the line.
    mutating func readLine() {
        if let board, board.isThere { world.put(.button(.line(isPressed: board.isDown))) }
    }

    mutating func performOnBoard(_ action: ScenarioAction) {
        switch action {
        case .press(let length, let reception): press(for: length, reception)
        case .releaseButton(let reception, let since, let listener):
            releaseButton(reception, since: since, of: listener)
        case .receiveLate(let since, let until, let listener):
            guard board?.listener == listener else { break }
            receiveEdge(isPressed: true, at: since)
            receiveEdge(isPressed: false, at: until)
        case .pullButton(let back):
            guard board?.isThere == true else { break }
            board?.isThere = false
            board?.listener += 1
            world.put(.button(.gone))
            actions.plan(.putButton, at: world.now + back)
        case .putButton:
            board?.isThere = true
            readLine()
        default: preconditionFailure("\(action) is not done to the button")
        }
    }

    mutating func receiveEdge(isPressed: Bool, at time: Duration) {
        world.put(.button(.edge(isPressed: isPressed, at: time)))
    }

    mutating func press(for length: Duration, _ reception: EdgeReception) {
        guard let board, !board.isDown else { return }
        self.board?.isDown = true
        actions.plan(.releaseButton(reception, since: world.now, of: board.listener), at: world.now + length)
        guard board.isThere else { return }
        switch reception {
        case .atOnce, .releaseLost: receiveEdge(isPressed: true, at: world.now)
        case .pressLost: readLine()
        case .late: break
        }
    }

    mutating func releaseButton(_ reception: EdgeReception, since: Duration, of listener: Int) {
        board?.isDown = false
        guard let board, board.isThere else { return }
        switch reception {
        case .releaseLost: readLine()
        // Both edges arrive late, except at a new listener, which has already read that the button is down.
        case .late(let late) where board.listener == listener:
            let until = world.now
            actions.plan(.receiveLate(since: since, until: until, of: listener), at: until + late)
        case .atOnce, .pressLost, .late: receiveEdge(isPressed: false, at: world.now)
        }
    }
}
