import Varlink

/// A shoot in a list, as the daemon reports it.
struct ShootSummary {
    let id: Int
    let began: String?
    let ended: String?
    let camera: String
    let plan: String
    /// How it ended; nil: it goes on.
    let outcome: String?
    let cause: String?
    let captured: Int
    let total: Int

    init(_ fields: ReplyFields) throws(Failure) {
        id = try fields.int("id")
        began = try fields.optionalString("began")
        ended = try fields.optionalString("ended")
        camera = try fields.string("camera")
        plan = try fields.string("plan")
        outcome = try fields.optionalString("outcome")
        cause = try fields.optionalString("cause")
        captured = try fields.int("captured")
        total = try fields.int("total")
    }

    static let headline = ["id", "when", "camera", "plan", "outcome", "frames", "why"]
    /// The columns of numbers.
    static let numbers: Set<Int> = [0, 5]

    func cells(in environment: Environment) -> [String] {
        [
            String(id), date(began, environment), camera, plan, outcome ?? "going on", "\(captured)/\(total)",
            cause ?? "",
        ]
    }

    /// `partial, 8 of 15 captured`
    var result: String { "\(outcome ?? "going on"), \(captured) of \(total) captured" }

    func date(_ text: String?, _ environment: Environment) -> String {
        guard let text else { return "" }
        return HistoryTime(text)?.date(in: environment) ?? text
    }
}

/// A frame of a shoot, as the daemon reports it.
struct FrameRecord {
    let set: Int
    let frame: Int
    let speed: String
    let seconds: Double
    let outcome: String
    let again: String?
    let doubt: String?
    let attempted: String?
    let captured: String?
    let files: [String]

    init(_ fields: ReplyFields) throws(Failure) {
        set = try fields.int("set")
        frame = try fields.int("frame")
        speed = try fields.string("speed")
        seconds = try fields.double("seconds")
        outcome = try fields.string("outcome")
        again = try fields.optionalString("again")
        doubt = try fields.optionalString("doubt")
        attempted = try fields.optionalString("attempted")
        captured = try fields.optionalString("captured")
        files = try fields.strings("files")
    }

    static let headline = ["set", "frame", "speed", "outcome", "attempted", "captured", "pictures", ""]
    /// The columns of numbers.
    static let numbers: Set<Int> = [0, 1]

    func cells(in environment: Environment) -> [String] {
        func time(_ text: String?) -> String {
            guard let text else { return "" }
            return HistoryTime(text)?.time(in: environment) ?? text
        }
        return [
            String(set), String(frame), speed, outcome + (again.map { ", again: \($0)" } ?? ""), time(attempted),
            time(captured), files.joined(separator: " "), doubt ?? "",
        ]
    }
}

/// Something out of the ordinary in a shoot, as the daemon reports it.
struct IncidentRecord {
    let kind: String
    let reason: String
    /// `set 2, frame 3 at 1/15`; empty: before the first frame.
    let place: String
    /// What a doubt came to: `fired`, `not-fired` or `unknown`; nil: it is not resolved.
    let outcome: String?
    let began: String?
    let ended: String?

    init(_ fields: ReplyFields) throws(Failure) {
        kind = try fields.string("kind")
        reason = try fields.string("reason")
        outcome = try fields.optionalString("outcome")
        began = try fields.optionalString("began")
        ended = try fields.optionalString("ended")
        guard let set = try fields.optionalInt("set"), let frame = try fields.optionalInt("frame") else {
            place = ""
            return
        }
        place = "set \(set), frame \(frame)" + (try fields.optionalString("speed").map { " at \($0)" } ?? "")
    }

    func cells(in environment: Environment) -> [String] {
        func time(_ text: String) -> String { HistoryTime(text)?.time(in: environment) ?? text }
        return [began.map(time) ?? "", place, text(until: ended.map(time))]
    }

    /// What happened, with the daemon's own words where this bracketctl does not know them.
    private func text(until end: String?) -> String {
        switch kind {
        case "paused": "paused (\(reason))" + (end.map { " until \($0)" } ?? "")
        case "interrupted": "interrupted: the daemon ended" + (end.map { "; the shoot went on at \($0)" } ?? "")
        case "in-doubt": "the shutter may have fired (\(reason)): \(answer)"
        case "fired-again" where reason == "in-doubt":
            "fired again (\(reason)): its picture may be on the card twice"
        case "fired-again": "fired again (\(reason)): its picture is on the card twice"
        default: "\(kind) (\(reason))"
        }
    }

    private var answer: String {
        switch outcome {
        case "fired": "fired"
        case "not-fired": "not fired"
        case nil: "not known yet"
        default: "the camera did not report it"
        }
    }
}

/// A shoot with its frames, as the daemon reports it.
struct ShootRecord {
    let summary: ShootSummary
    let isDismissed: Bool
    /// What dropped the missing frames: `dismiss`, `shoot` or `button`; nil: not recorded.
    let dismissedBy: String?
    /// The shoot that dropped them; nil: not recorded, or the command did.
    let dismissedByShoot: Int?
    let frames: [FrameRecord]
    let incidents: [IncidentRecord]

    init(_ reply: JSONValue) throws(Failure) {
        let fields = try ReplyFields("shoot", of: reply)
        summary = try ShootSummary(fields.object("shoot"))
        isDismissed = try fields.bool("isDismissed")
        dismissedBy = try fields.optionalString("dismissedBy")
        dismissedByShoot = try fields.optionalInt("dismissedByShoot")
        var frames: [FrameRecord] = []
        for frame in try fields.objects("frames") { frames.append(try FrameRecord(frame)) }
        self.frames = frames
        var incidents: [IncidentRecord] = []
        for incident in try fields.optionalObjects("incidents") ?? [] {
            incidents.append(try IncidentRecord(incident))
        }
        self.incidents = incidents
    }

    /// `, the rest dismissed by shoot 8`; empty: nothing was dropped.
    var dismissal: String {
        guard isDismissed else { return "" }
        let rest = ", the rest dismissed"
        switch (dismissedBy, dismissedByShoot) {
        case ("dismiss", _): return "\(rest) by bracketctl dismiss"
        case ("button", let shoot?): return "\(rest) by shoot \(shoot), which the button began"
        case (_, let shoot?): return "\(rest) by shoot \(shoot)"
        default: return rest
        }
    }

    /// What is to be merged, set by set. Where neighbours share a frame that was fired once, both have it.
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
