import Controller
import Exposure
import Glibc
import Varlink

extension Bracketd.ShootRecord {
    init(_ shoot: ShootRow, _ frames: [FrameRow]) {
        let captured = frames.count { $0.outcome.isCaptured }
        self.init(
            shoot: Bracketd.ShootSummary(ShootSummary(shoot: shoot, captured: captured, total: frames.count)),
            isDismissed: shoot.isDismissed,
            dismissedBy: shoot.dismissal?.trigger,
            dismissedByShoot: shoot.dismissal?.shoot,
            frames: frames.map(Bracketd.FrameRecord.init),
            incidents: shoot.incidents.map { Bracketd.Incident($0, in: frames) }
        )
    }
}

extension Bracketd.ShootSummary {
    init(_ summary: ShootSummary) {
        let shoot = summary.shoot
        self.init(
            id: shoot.id,
            began: shoot.began.text,
            ended: shoot.ended?.text,
            camera: shoot.cameraName,
            cameraId: shoot.cameraID,
            plan: shoot.headline,
            outcome: shoot.outcome?.rawValue,
            cause: shoot.cause,
            captured: summary.captured,
            total: summary.total
        )
    }
}

extension Dismissal {
    /// The cause; nil: not recorded.
    fileprivate var trigger: String? {
        switch self {
        case .request: "dismiss"
        case .shoot(_, by: .client): "shoot"
        case .shoot(_, by: .button): "button"
        case .unrecorded: nil
        }
    }

    fileprivate var shoot: Int? { if case .shoot(let id, _) = self { id } else { nil } }
}

extension Bracketd.Incident {
    fileprivate init(_ incident: Controller.Incident, in frames: [FrameRow]) {
        let planned = frames.first { $0.index == incident.frame }?.planned
        self.init(
            kind: incident.kind.rawValue,
            reason: incident.reason.rawValue,
            set: planned?.position.set,
            frame: planned?.position.frame,
            speed: planned?.speed.label,
            outcome: incident.outcome?.rawValue,
            began: incident.began?.text,
            ended: incident.ended?.text
        )
    }
}

extension Bracketd.FrameRecord {
    fileprivate init(_ frame: FrameRow) {
        let planned = frame.planned
        self.init(
            set: planned.position.set,
            frame: planned.position.frame,
            speed: planned.speed.label,
            seconds: planned.speed.nominalSeconds,
            outcome: frame.outcome.rawValue,
            again: frame.again?.rawValue,
            doubt: frame.doubt,
            attempted: frame.attempted?.text,
            captured: frame.captured?.text,
            files: frame.files
        )
    }
}

extension Moment {
    /// The time as `2026-11-22T02:34:19.123Z` (RFC 3339). Nil for a time of a daemon's clock, which the ledger never
    /// returns.
    var text: String? {
        guard case .wall(let milliseconds) = self else { return nil }
        let rest = (milliseconds % 1000 + 1000) % 1000
        // The division rounds down, and cannot overflow.
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
