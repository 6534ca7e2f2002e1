import PTP

/// How a body that is gone is told from one that is at work, and a session kept alive while nothing happens.
///
/// Whatever is asked has a deadline, so a body that says nothing is lost when the running question's patience is over:
/// 5 s, or as long as an exposure may go on. While nothing is going on, the question is the keep-alive. A dead event
/// connection has no question of ours; there the system's probes find out (`Host`, tcp(7)).
extension SonyPTPIP {
    func patience(at now: Duration) -> Operation.Patience {
        let frame = lastFrame.frame.flatMap { $0.isOver ? nil : $0 }
        return common.timing.patience(exposureEnd: frame?.latestEnd, at: now)
    }

    package var keepAlive: Duration { common.keepAlive(body.quirks.keepAlive) }

    /// No button is held, and no command waits for an answer.
    package var isQuiet: Bool {
        guard case .idle = activity else { return false }
        return buttons.areUp && !isFrameOpen && statusQuestions.isEmpty
    }
}
