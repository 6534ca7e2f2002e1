import Varlink

/// Where a shoot stands: one answer of the daemon to `Shoot`, `Retry` or `Follow`.
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
    /// What that means to a photographer.
    var step: FramePhase { FramePhase(state: phase) }
    let sentence: String
    /// How the shoot ended; nil while it goes on.
    let outcome: String?
    let cause: String?
    /// What became of the camera's settings that the shoot changed; nil: nothing was changed, or the shoot goes on.
    let settings: String?
    /// How long the rest of the shoot takes, at the time of the answer; nil: the daemon does not say.
    let timeLeft: Duration?
    /// How much longer the shutter stays open, at the time of the answer; nil: it is closed, or not open for long.
    let exposureLeft: Duration?
    /// As `--json` prints it.
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
        settings = try fields.optionalString("settings")
        timeLeft = try fields.optionalInt("remainingMilliseconds").map { .milliseconds($0) }
        exposureLeft = try fields.optionalInt("exposureLeftMilliseconds").map { .milliseconds($0) }
        json = PrintedJSON.progress(reply["progress"] ?? .emptyObject)
    }

    /// Whether the shoot is over without every frame.
    var lacksFrames: Bool { outcome != nil && exitStatus != .allDone }

    /// What bracketctl exits with when this is the last answer.
    var exitStatus: ProcessExit {
        if outcome == "completed" || (captured >= total && total > 0) { return .allDone }
        return captured > 0 ? .partial : .nothingCaptured
    }
}
