import Varlink

/// Where a shoot stands: one answer of the daemon to `Shoot` or `Retry`.
struct ShootProgress {
    /// The daemon's number for the shoot.
    let number: Int
    let captured: Int
    let total: Int
    let set: Int?
    let frame: Int?
    let speed: String?
    /// The state of the shooting chart, as the chart spells it.
    let phase: String
    let sentence: String
    /// How the shoot ended; nil while it goes on.
    let outcome: String?
    let cause: String?
    /// The answer as it came.
    let json: JSONValue

    init(_ reply: JSONValue) throws(Failure) {
        let fields = try ReplyFields("progress", of: reply)
        number = try fields.int("shoot")
        captured = try fields.int("captured")
        total = try fields.int("total")
        set = try fields.optionalInt("set")
        frame = try fields.optionalInt("frame")
        speed = try fields.optionalString("speed")
        phase = try fields.string("phase")
        sentence = try fields.string("sentence")
        outcome = try fields.optionalString("outcome")
        cause = try fields.optionalString("cause")
        json = reply["progress"] ?? .emptyObject
    }

    /// Whether the shoot is over without every frame.
    var lacksFrames: Bool { outcome != nil && exitStatus != .allDone }

    /// What bracketctl exits with when this is the last answer.
    var exitStatus: ProcessExit {
        if outcome == "completed" || (captured >= total && total > 0) { return .allDone }
        return captured > 0 ? .partial : .nothingCaptured
    }
}
