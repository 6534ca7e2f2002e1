import Statecharts

/// The signal of the lamp on the tripod.
package enum LampSignal: String, CaseIterable, Hashable, Sendable {
    /// The daemon does not run, or stops.
    case dark
    /// No camera is connected, or the daemon searches for one.
    case waiting
    /// A press of the button starts a shoot.
    case ready
    /// The shutter is open, or will open soon.
    case exposing
    /// A shoot runs, and the shutter is closed.
    case betweenFrames
    /// The user must do something; the status says what.
    case actionNeeded
    /// Every planned frame was captured.
    case done
    /// Every planned frame was captured, and at least one is suspect.
    case doneWithDoubts

    /// Whether the daemon is connected, and nothing happens until the user acts.
    package var isRest: Bool { [.ready, .done, .doneWithDoubts].contains(self) }
}

extension Core {
    /// The signal for the user at the tripod. Only the states of the charts decide it.
    package var lampSignal: LampSignal {
        guard !service.view.isLeaving else { return .dark }
        let chart = shooting.chart.machine
        if chart.isActive(.active) { return shooting.sign }
        if connection.isActive(.modeCheck), connection.machine.behavior.absenceReason != nil { return .actionNeeded }
        if connection.isActive(.refused) { return .actionNeeded }
        if outcome == .partial || outcome == .interrupted { return .actionNeeded }
        guard connection.isActive(.connected) else { return .waiting }
        guard chart.isActive(.completed) else { return .ready }
        return shooting.hasDoubts ? .doneWithDoubts : .done
    }
}
