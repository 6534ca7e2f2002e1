import Cameras
import Controller

// The answers to clients.

extension Invariants {
    mutating func answer(_ id: RequestID, continues: Bool, at now: Duration) {
        guard !requests.answer(id, continues: continues) else { return }
        note(.answeredOnce, at: now, "Request \(id.rawValue) is answered, but waits for no such answer.")
    }

    /// Checks that every required answer was sent.
    mutating func checkUnanswered(at now: Duration) {
        if let id = requests.unanswered {
            note(.answeredOnce, at: now, "Request \(id.rawValue) was due, but was not answered.")
            requests.cancel(id)
        }
        if let due = requests.due, due.time < now {
            note(.answeredOnce, at: now, "Request \(due.id.rawValue) was not answered by \(due.time).")
            requests.cancel(due.id)
        }
    }

    mutating func check(_ reply: Reply, _ id: RequestID, at now: Duration) {
        switch reply {
        case .done:
            guard requests.takeRedo(id), shutters.last.shoot >= 0,
                let frame = shutters.shoots[shutters.last.shoot].lastReleased
            else { break }
            shutters.shoots[shutters.last.shoot].redone.append(frame)
        case .progress(let progress):
            check(progress, at: now)
        case .status(let report):
            if report.sentence.isEmpty { note(.endsAreExplained, at: now, "The status is empty.") }
        default: break
        }
    }

    private mutating func check(_ progress: Progress, at now: Duration) {
        if progress.sentence.isEmpty { note(.endsAreExplained, at: now, "A shoot's progress has no sentence.") }
        switch progress.outcome {
        case .partial, .interrupted:
            if progress.cause?.isEmpty ?? true {
                let outcome = progress.outcome?.rawValue ?? ""
                note(.endsAreExplained, at: now, "The shoot is \(outcome) without a reason.")
            }
        case .cancelled:
            let isAsked = shutters.shoots.contains { $0.id == progress.shoot && $0.isCancelAsked }
            if !isAsked { note(.endsAreExplained, at: now, "The shoot is cancelled without a request.") }
        case .completed: break
        case nil:
            // Two spaces in a row mean that the sentence has no reason.
            if Self.phasesWithReason.contains(progress.phase), progress.sentence.contains("  ") {
                note(.endsAreExplained, at: now, "No reason in: \(progress.sentence)")
            }
        }
    }

    private static let phasesWithReason: Set<String> = [
        "linkLost", "wifiSwitched", "cameraNotFit", "unrecorded", "awaitingCamera", "resolvingDoubt",
    ]
}
