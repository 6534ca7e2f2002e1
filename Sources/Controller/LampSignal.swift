import Statecharts

/// What the lamp on the tripod shows.
package enum LampSignal: String, CaseIterable, Hashable, Sendable {
    /// The daemon does not run, or stops.
    case dark
    /// No camera is connected, or the daemon searches for one.
    case waiting
    /// A press fires.
    case ready
    /// The shutter is open, or about to open.
    case exposing
    /// A shoot runs, and the shutter is closed.
    case betweenFrames
    /// The user must act; the status says how.
    case actionNeeded
    /// Every planned frame was captured.
    case done
    /// Every planned frame was captured, and at least one is suspect.
    case doneWithDoubts
}

extension Core {
    /// The signal for a user some metres away. It follows only from the states of the charts.
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
