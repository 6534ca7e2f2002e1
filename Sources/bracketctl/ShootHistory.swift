import Interface
import Varlink

typealias ShootSummary = Bracketd.ShootSummary

extension ShootSummary {
    static let headline = ["id", "when", "camera", "plan", "outcome", "frames", "why"]
    /// The indexes of the columns with numbers.
    static let numbers: Set<Int> = [0, 5]

    func cells(in environment: Environment) -> [String] {
        [
            String(id), date(began, environment), camera, plan, outcome ?? HistorySentences.running,
            "\(captured)/\(total)", cause ?? "",
        ]
    }

    /// The outcome as text: `partial, 8 of 15 captured`.
    var result: String {
        HistorySentences.outcome(outcome ?? HistorySentences.running, captured: captured, of: total)
    }

    func date(_ text: String?, _ environment: Environment) -> String {
        HistoryTime.text(text) { $0.date(in: environment) }
    }
}

typealias FrameRecord = Bracketd.FrameRecord

extension FrameRecord {
    static let headline = ["set", "frame", "speed", "outcome", "attempted", "captured", "pictures", ""]
    /// The indexes of the columns with numbers.
    static let numbers: Set<Int> = [0, 1]

    func cells(in environment: Environment) -> [String] {
        func time(_ text: String?) -> String { HistoryTime.text(text) { $0.time(in: environment) } }
        return [
            String(set), String(frame), speed,
            again.map { HistorySentences.firedAgain(outcome, reason: $0) } ?? outcome, time(attempted),
            time(captured), files.joined(separator: " "), doubt ?? "",
        ]
    }
}

extension Bracketd.Incident {
    /// The place of the incident: `set 2, frame 3 at 1/15`; empty before the first frame.
    private var place: String {
        guard let set, let frame else { return "" }
        return HistorySentences.place(set: set, frame: frame, speed: speed)
    }

    func cells(in environment: Environment) -> [String] {
        func time(_ text: String?) -> String { HistoryTime.text(text) { $0.time(in: environment) } }
        return [time(began), place, text(until: ended.map(time))]
    }

    /// The incident as text. For an unknown kind of incident, it is the daemon's text.
    private func text(until end: String?) -> String {
        switch kind {
        case "paused": HistorySentences.paused(reason, until: end)
        case "interrupted": HistorySentences.interrupted(until: end)
        case "in-doubt": HistorySentences.inDoubt(reason, answer: answer)
        case "fired-again" where reason == "in-doubt": HistorySentences.pictureMaybeTwice(reason)
        case "fired-again": HistorySentences.pictureTwice(reason)
        default: "\(kind) (\(reason))"
        }
    }

    private var answer: String {
        switch outcome {
        case "fired": HistorySentences.doubtFired
        case "not-fired": HistorySentences.doubtNotFired
        case nil: HistorySentences.doubtOpen
        default: HistorySentences.doubtNotReported
        }
    }
}

typealias ShootRecord = Bracketd.ShootRecord

extension ShootRecord {
    var summary: ShootSummary { shoot }

    /// The end of the outcome, such as `, the rest dropped by shoot 8`; empty: no frame was dropped.
    var dismissal: String {
        guard isDismissed else { return "" }
        switch (dismissedBy, dismissedByShoot) {
        case ("dismiss", _): return HistorySentences.restDroppedByDismiss
        case ("button", let shoot?): return HistorySentences.restDropped(byShootOfButton: shoot)
        case (_, let shoot?): return HistorySentences.restDropped(by: shoot)
        default: return HistorySentences.restDropped
        }
    }

    /// The frames of each set, for programs that merge pictures. Neighbouring sets can share a frame that was fired
    /// once.
    var sets: [(set: Int, frames: [(place: Int, record: FrameRecord)])] {
        var sets: [(set: Int, frames: [(place: Int, record: FrameRecord)])] = []
        for record in frames {
            if sets.last?.set != record.set {
                let shared = record.frame > 1 ? sets.last?.frames.last.map { [(place: 1, record: $0.record)] } : nil
                sets.append((record.set, shared ?? []))
            }
            sets[sets.count - 1].frames.append((record.frame, record))
        }
        return sets
    }
}
