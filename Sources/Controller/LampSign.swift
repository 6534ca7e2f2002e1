import Statecharts

/// What the lamp on the tripod says.
package enum LampSign: String, CaseIterable, Hashable, Sendable {
    /// The daemon does not run, or stops.
    case dark
    /// There is no camera yet, or it is being looked for.
    case waiting
    /// A press fires.
    case ready
    /// The shutter is open, or about to open.
    case exposing
    /// A shoot goes on, and the shutter is closed.
    case betweenFrames
    /// Somebody has to do something: the status says what.
    case needsYou
    /// Every planned frame was captured.
    case done
    /// The same, and of one of them it is not certain that it is right.
    case doneWithDoubts
}

extension Core {
    /// What a person some metres away should see now: no more than follows from where the charts stand.
    package var lampSign: LampSign {
        guard !isStopping, connection.machine.isActive(.running) else { return .dark }
        let chart = shooting.machine
        if chart.isActive(.active) { return shootSign }
        if connection.machine.isActive(.modeCheck), connection.machine.behavior.trouble != nil { return .needsYou }
        if connection.machine.isActive(.refused) { return .needsYou }
        if outcome == .partial || outcome == .interrupted { return .needsYou }
        guard connection.machine.isActive(.connected) else { return .waiting }
        guard chart.isActive(.completed) else { return .ready }
        return hasDoubts ? .doneWithDoubts : .done
    }

    private var shootSign: LampSign {
        switch shooting.machine.mainState {
        // While the camera is asked whether it fired, it may be exposing yet.
        case .capturing, .resolvingDoubt: .exposing
        case .byCommand, .linkLost, .wifiSwitched, .cameraNotFit, .unrecorded, .awaitingCamera: .needsYou
        default: .betweenFrames
        }
    }

    private var hasDoubts: Bool {
        shooting.machine.behavior.shoot?.outcomes.contains { outcome in
            switch outcome {
            case .suspect, .unknown: true
            case .planned, .preparing, .attempting, .exposing, .exposed, .lost, .captured, .verified, .failed: false
            }
        } ?? false
    }
}
