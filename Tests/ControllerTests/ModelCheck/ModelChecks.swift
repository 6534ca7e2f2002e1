import Controller
import Statecharts

// The checks that read all worlds. They run when all worlds are known.

extension ModelRun {
    /// Each check has the worlds where it starts, its goal, and the actors that may act on the way.
    ///
    /// Under strong fairness, an event that is possible again and again will occur. So a goal that is reachable from
    /// every world on the way will be reached. These checks therefore prove what happens, not only what can happen.
    mutating func addWorlds() {
        // If a stop waits for a frame, the shoot continues only after the next start.
        let active = worlds { $0.shooting(.active) && !$0.service(.finishingFrame) }
        let ended = worlds { $0.shooting(.completed) || $0.shooting(.partial) || $0.shooting(.cancelled) }
        let needsPerson = worlds {
            $0.shooting(.byCommand) || $0.connection(.released) || $0.connection(.refused)
        }
        let isOver = worlds { !$0.shooting(.active) }
        let isPaused = worlds { $0.shooting(.byCommand) }
        let waitsForCamera = worlds { $0.shooting(.awaitingCamera) }
        let isWished = worlds { $0.shooting(.pauseWanted) || $0.shooting(.cancelWanted) }

        for world in graph.worlds.indices where active[world] && !graph.isLeft(world, by: .everybody) {
            add(.stuck, "no event is possible", world)
            break
        }
        require(.end, "an end", from: active, to: ended, by: .everybody)
        require(.endByPerson, "an end", from: active, to: ended, by: [.daemon, .help, .harm, .resume, .cancel])
        let endOrPerson = union(ended, needsPerson)
        require(.endWithoutPerson, "an end", from: active, to: endOrPerson, by: [.daemon, .help, .harm])

        let goesOn = worlds {
            let isHeld = $0.nextMessage == .buttonHeld
            // Only `retry` fires a frame again whose picture was lost.
            return $0.shooting(.active) && !$0.shooting(.cancelWanted) && !$0.service(.finishingFrame) && !isHeld
                && !$0.hasLost
        }
        let completed = worlds { $0.shooting(.completed) }
        require(.completed, "completion", from: goesOn, to: completed, by: [.daemon, .help, .resume, .call])

        // Timers alone end a frame, whatever the camera does. But a frame in doubt waits for the camera.
        let kept = union(union(isOver, isPaused), waitsForCamera)
        require(.wishes, "what the user requested", from: isWished, to: kept, by: .daemon)
        let inDoubt = union(union(isOver, isPaused), needsPerson)
        require(.wishesInDoubt, "what the user requested", from: isWished, to: inDoubt, by: [.daemon, .help])

        forbid(.views, "the shoot and the connection differ on whether a camera is connected") {
            $0.isAtRest && $0.shooting(.present) != $0.connection(.connected)
        }
        forbid(.views, "the shoot and the connection differ on whether the camera is ready") {
            $0.isAtRest && $0.shooting(.notReady) != $0.connection(.modeCheck)
        }
        forbid(.views, "a pause gives the wrong reason") {
            let isOfLink = $0.shooting(.linkLost) || $0.shooting(.wifiSwitched)
            return $0.isAtRest
                && ($0.shooting(.cameraNotFit) ? !$0.shooting(.notReady) : isOfLink && $0.shooting(.notReady))
        }
        forbid(.network, "a camera is searched for or connected away from its network") {
            let isAway = $0.network(.down) || $0.network(.elsewhere) || $0.network(.noRoute)
            return $0.isAtRest && isAway && ($0.connection(.online) || $0.connection(.seeking))
        }
        forbid(.network, "no search runs though the camera's network is back") {
            $0.isAtRest && ($0.network(.joined) || $0.network(.unknown)) && $0.connection(.offNetwork)
        }
        forbid(.network, "the shoot has a camera away from its network") {
            let isAway = $0.network(.down) || $0.network(.elsewhere) || $0.network(.noRoute)
            return $0.isAtRest && isAway && $0.shooting(.present)
        }
        let stopping = worlds { $0.isStopping }
        require(.end, "the stop", from: stopping, to: worlds { $0.connection.isEmpty }, by: .daemon)
        addTripod(stopping)
    }

    private mutating func addTripod(_ stopping: [Bool]) {
        // Whatever happened to the line, the button receives a release and then accepts a new press.
        let countsFrom = worlds { $0.button(.absent) || $0.button(.ready) }
        let all = graph.worlds.map { _ in true }
        require(.button, "a button that accepts a press", from: all, to: countsFrom, by: [.daemon, .order])
        // The stop waits until the frame ends. The timer limits this wait.
        let waiting = worlds { $0.service(.finishingFrame) }
        require(.stop, "the daemon's end", from: waiting, to: stopping, by: .daemon)
        forbid(.stop, "the daemon waits for a frame, and none is under way") {
            $0.isAtRest && $0.service(.finishingFrame) && (!$0.shooting(.running) || $0.shooting(.awaitingCamera))
        }
    }

    private func union(_ left: [Bool], _ right: [Bool]) -> [Bool] { zip(left, right).map { $0 || $1 } }

    private mutating func require(
        _ check: ModelCheck,
        _ goal: String,
        from: [Bool],
        to goals: [Bool],
        by allowed: ModelActor
    ) {
        let reaching = graph.canReach(goals, by: allowed)
        guard let world = graph.worlds.indices.first(where: { from[$0] && !reaching[$0] }) else { return }
        add(check, "\(goal) cannot be reached", world)
    }

    private mutating func forbid(_ check: ModelCheck, _ sentence: String, _ holds: (View) -> Bool) {
        guard let world = worlds(where: holds).firstIndex(of: true) else { return }
        add(check, sentence, world)
    }

    private mutating func add(_ check: ModelCheck, _ sentence: String, _ world: Int) {
        append(check, "\(sentence), after \(graph.path(to: world).count) events: \(way(to: world))")
    }
}
