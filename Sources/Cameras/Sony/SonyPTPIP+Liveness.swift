import PTP

/// Distinguishes a lost body from a busy body, and keeps an idle session open.
///
/// Every request has a deadline: 5 s, or the longest possible exposure. A silent body counts as lost when the deadline
/// of the running request passes. While the session is idle, the keep-alive is that request. This part sends no
/// request on the event connection; the kernel's probes detect a broken event connection (`Host`, tcp(7)).
extension SonyPTPIP {
    func timeout(at now: Duration) -> Operation.Timeout {
        let frame = lastFrame.frame.flatMap { $0.isOver ? nil : $0 }
        return common.timing.timeout(exposureEnd: frame?.latestEnd, at: now)
    }

    package var keepAlive: Duration { common.keepAlive(body.quirks.keepAlive) }

    /// Whether no button is pressed and no command waits for an answer.
    package var isQuiet: Bool {
        guard case .idle = activity else { return false }
        return buttons.areUp && !lastFrame.isOpen && statusQuestions.isEmpty
    }
}
