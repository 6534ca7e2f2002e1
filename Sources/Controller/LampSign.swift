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
        guard !service.view.isLeaving else { return .dark }
        let chart = shooting.chart.machine
        if chart.isActive(.active) { return shooting.sign }
        if connection.isActive(.modeCheck), connection.machine.behavior.trouble != nil { return .needsYou }
        if connection.isActive(.refused) { return .needsYou }
        if outcome == .partial || outcome == .interrupted { return .needsYou }
        guard connection.isActive(.connected) else { return .waiting }
        guard chart.isActive(.completed) else { return .ready }
        return shooting.hasDoubts ? .doneWithDoubts : .done
    }
}
