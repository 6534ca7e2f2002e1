import Varlink

/// A shoot in a list, as the daemon tells it.
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

/// A frame of a shoot, as the daemon tells it.
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

/// A shoot with its frames, as the daemon tells it.
struct ShootRecord {
    let summary: ShootSummary
    let isDismissed: Bool
    let frames: [FrameRecord]

    init(_ reply: JSONValue) throws(Failure) {
        let fields = try ReplyFields("shoot", of: reply)
        summary = try ShootSummary(fields.object("shoot"))
        isDismissed = try fields.bool("isDismissed")
        var frames: [FrameRecord] = []
        for frame in try fields.objects("frames") { frames.append(try FrameRecord(frame)) }
        self.frames = frames
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
