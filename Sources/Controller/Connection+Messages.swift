import Cameras
import Statecharts

// The inputs of the connection's chart, and the handling of its effects.

extension ChartRun where B == ConnectionModel {
    mutating func receive(_ message: Message, in turn: inout Turn) {
        switch message {
        case .networkLeft(let departure): deliver(.networkLeft(departure), in: &turn)
        case .networkBack: deliver(.networkBack, in: &turn)
        case .cameraNeeded, .othersAvailable: deliver(.cameraNeeded, in: &turn)
        case .cameraChosen:
            deliver(.cameraChosen, in: &turn)
            turn.send(.connectionRestarted)
        case .cameraReleased: deliver(.cameraReleased, in: &turn)
        default: break
        }
    }

    mutating func receive(_ message: TurnMessage, in turn: inout Turn) {
        switch message {
        case .addressFound(let offer): deliver(.cameraFound(offer), in: &turn)
        case .onlyCameraRefused(let refusal): deliver(.cameraRefused(refusal), in: &turn)
        case .othersAvailable(let areLeft): inform { $0.othersAreLeft = areLeft }
        case .sessionAdopted(let session):
            if let meeting = session.meeting { deliver(.cameraOpened(meeting), in: &turn) }
        case .cameraReported(let event, let readers):
            if readers.connection, let input = Connection.Input(event) { deliver(input, in: &turn) }
        case .settingsOver: deliver(.stop, in: &turn)
        default: break
        }
    }

    /// Adopts the parts of the goal that the chart reads while it seeks a camera.
    mutating func adopt(_ goal: SearchGoal) {
        let (wanted, isGoalOpen) = (goal.wantedCamera, goal.isOpen)
        guard wanted != machine.behavior.wanted || isGoalOpen != machine.behavior.isGoalOpen else { return }
        inform { ($0.wanted, $0.isGoalOpen) = (wanted, isGoalOpen) }
    }

    /// Whether the chart reads the demands of a waiting shoot now.
    var readsRequirements: Bool { isActive(.seeking) || isActive(.modeCheck) }

    /// Adopts a waiting shoot's demands on the camera.
    ///
    /// - Parameter isStatusNext: whether the camera's status follows. If not, the chart checks the latest status again.
    mutating func adopt(_ requirements: CameraRequirements?, isStatusNext: Bool, in turn: inout Turn) {
        guard requirements != machine.behavior.requirements else { return }
        inform { $0.requirements = requirements }
        guard !isStatusNext, isActive(.modeCheck), let status = machine.behavior.status else { return }
        deliver(.cameraStatus(status), in: &turn)
    }

    private mutating func deliver(_ input: Connection.Input, in turn: inout Turn) {
        perform(handle(input, at: turn.now), in: &turn)
    }

    func perform(_ outcome: Outcome, in turn: inout Turn) {
        turn.perform(outcome, level: machine.behavior.isRepeating ? .debug : .info)
        if !outcome.steps.isEmpty { turn.send(.connectionMoved) }
    }
}

extension Connection.Input {
    /// The chart's input for an event of the camera; nil: the chart has no input for this event.
    fileprivate init?(_ event: CameraEvent) {
        switch event {
        case .prepared(let identity): self = .cameraPrepared(identity)
        case .status(let status): self = .cameraStatus(status)
        case .refused(let refusal): self = .cameraRefused(refusal)
        case .lost(let reason): self = .cameraLost(reason)
        case .disconnected: self = .cameraDisconnected
        case .speedAccepted, .speedRead, .shutterReleased, .captured, .saving, .idle, .captureResolved, .busy, .failed,
            .properties, .propertySet, .files, .liveView, .confirmationAwaited:
            return nil
        }
    }
}
