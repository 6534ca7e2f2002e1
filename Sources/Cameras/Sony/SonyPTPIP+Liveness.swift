import PTP

/// How a body that is gone is told from one that is at work, and a session kept alive while nothing happens.
///
/// Whatever is asked has a deadline, so a body that says nothing is lost when the running question's patience is over:
/// 5 s, or as long as an exposure may go on. While nothing is going on, the question is the keep-alive. A dead event
/// connection has no question of ours; there the system's probes find out (`Host`, tcp(7)).
extension SonyPTPIP {
    /// An exposure is not silence: bodies answer all the while, but none is declared dead for not doing so.
    func patience(at now: Duration) -> Operation.Patience {
        guard let frame = lastFrame.frame, !frame.isOver, frame.latestEnd > now else {
            return Operation.Patience(timing.answer)
        }
        return Operation.Patience(max(timing.answer, frame.latestEnd - now + timing.exposureMargin))
    }

    /// The longest pause between two transactions.
    var keepAlive: Duration {
        let known = body.quirks.keepAlive ?? timing.keepAlive
        guard let id = body.identity?.id, let limit = idleLimits.limit(of: id) else { return known }
        return min(known, max(timing.keepAliveMin, limit * 7 / 10))
    }

    /// A transaction ended: the body bore the pause before it.
    mutating func noteAnswer() {
        guard phase.isConnected, let id = body.identity?.id else { return }
        idleLimits.noteAnswer(of: id, after: errandSince - body.lastTransactionAt)
    }

    /// Learns from a body that closed a session in which nothing was going on. To be asked before the loss is handled.
    mutating func learnIdleLimit(
        _ loss: InitiatorSession.Loss,
        at now: Duration,
        into actions: inout [CameraAction]
    ) {
        guard case .closed(_, let reason) = loss, isQuiet, let id = body.identity?.id else { return }
        let pause = now - body.lastTransactionAt
        guard idleLimits.noteEnd(of: id, after: pause, isInOrder: reason == nil) else { return }
        let rounded = Duration.milliseconds(Int64(pause / .milliseconds(100)) * 100)
        actions.append(.note("the camera left after \(rounded) without a question: it is asked every \(keepAlive) now"))
    }

    /// Nothing runs, nothing is pressed, nobody waits for anything.
    private var isQuiet: Bool {
        guard phase.isConnected, case .idle = activity, errand == nil else { return false }
        return buttons.areUp && !isFrameOpen && statusQuestions.isEmpty
    }
}
