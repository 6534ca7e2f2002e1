import Controller
import Exposure
import Glibc
import Varlink

extension LedgerAnswer {
    /// The parameters of the reply, as `io.bracketd` has them.
    var parameters: JSONValue {
        switch self {
        case .shoots(let shoots): ["shoots": .array(shoots.map(\.value))]
        case .shoot(let shoot, let frames):
            [
                "shoot": .object(leavingOutNil: [
                    "shoot": ShootSummary(shoot, frames).value, "isDismissed": .bool(shoot.isDismissed),
                    "dismissedBy": shoot.dismissal?.word.map { .string($0) },
                    "dismissedByShoot": shoot.dismissal?.shoot.map { .int($0) },
                    "frames": .array(frames.map(\.value)),
                    "incidents": .array(shoot.incidents.map { $0.value(in: frames) }),
                ])
            ]
        // The core says these as errors.
        case .noShoot, .failed: .emptyObject
        }
    }
}

extension ShootSummary {
    fileprivate init(_ shoot: ShootRow, _ frames: [FrameRow]) {
        self.init(shoot: shoot, captured: frames.count { $0.outcome.isCaptured }, total: frames.count)
    }

    fileprivate var value: JSONValue {
        .object(leavingOutNil: [
            "id": .int(shoot.id),
            "began": shoot.began.text.map { .string($0) },
            "ended": shoot.ended?.text.map { .string($0) },
            "camera": .string(shoot.cameraName),
            "cameraId": .string(shoot.cameraID),
            "plan": .string(shoot.headline),
            "outcome": shoot.outcome.map { .string($0.rawValue) },
            "cause": shoot.cause.map { .string($0) },
            "captured": .int(captured),
            "total": .int(total),
        ])
    }
}

extension Dismissal {
    /// Nil: it was not recorded.
    fileprivate var word: String? {
        switch self {
        case .request: "dismiss"
        case .shoot(_, by: .client): "shoot"
        case .shoot(_, by: .button): "button"
        case .unrecorded: nil
        }
    }

    fileprivate var shoot: Int? { if case .shoot(let id, _) = self { id } else { nil } }
}

extension Incident {
    fileprivate func value(in frames: [FrameRow]) -> JSONValue {
        let planned = frames.first { $0.index == frame }?.planned
        return .object(leavingOutNil: [
            "kind": .string(kind.rawValue),
            "reason": .string(reason.rawValue),
            "set": planned.map { .int($0.position.set) },
            "frame": planned.map { .int($0.position.frame) },
            "speed": planned.map { .string($0.speed.label) },
            "outcome": outcome.map { .string($0.rawValue) },
            "began": began?.text.map { .string($0) },
            "ended": ended?.text.map { .string($0) },
        ])
    }
}

extension FrameRow {
    fileprivate var value: JSONValue {
        .object(leavingOutNil: [
            "set": .int(planned.position.set),
            "frame": .int(planned.position.frame),
            "speed": .string(planned.speed.label),
            "seconds": .double(planned.speed.nominalSeconds),
            "outcome": .string(outcome.rawValue),
            "again": again.map { .string($0.rawValue) },
            "doubt": doubt.map { .string($0) },
            "attempted": attempted?.text.map { .string($0) },
            "captured": captured?.text.map { .string($0) },
            "files": .strings(files),
        ])
    }
}

extension Moment {
    /// `2026-11-22T02:34:19.123Z` (RFC 3339); nil for a time of a daemon's clock, which the ledger never answers.
    var text: String? {
        guard case .wall(let milliseconds) = self else { return nil }
        let rest = (milliseconds % 1000 + 1000) % 1000
        // Rounded down, without a way over the edge of the numbers.
        var seconds = time_t(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
        var calendar = tm()
        guard gmtime_r(&seconds, &calendar) != nil else { return nil }
        func digits(_ number: some BinaryInteger, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        let year = digits(Int(calendar.tm_year) + 1900, 4)
        let date = "\(year)-\(digits(calendar.tm_mon + 1, 2))-\(digits(calendar.tm_mday, 2))"
        let time = "\(digits(calendar.tm_hour, 2)):\(digits(calendar.tm_min, 2)):\(digits(calendar.tm_sec, 2))"
        return "\(date)T\(time).\(digits(rest, 3))Z"
    }
}

extension Check {
    var value: JSONValue {
        .object(leavingOutNil: [
            "name": .string(name),
            "result": .string(result.rawValue),
            "sentence": .string(sentence),
            "advice": advice.map { .string($0) },
        ])
    }
}
