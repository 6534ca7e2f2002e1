import Interface
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

    init(_ progress: Bracketd.Progress) {
        number = progress.shoot
        captured = progress.captured
        total = progress.total
        set = progress.set
        frame = progress.frame
        speed = progress.speed
        phase = progress.phase
        sentence = progress.sentence
        outcome = progress.outcome
        cause = progress.cause
        settings = progress.settings
        timeLeft = progress.remainingMilliseconds.map { .milliseconds($0) }
        exposureLeft = progress.exposureLeftMilliseconds.map { .milliseconds($0) }
        json = PrintedJSON.progress(progress.json)
    }

    /// Whether the shoot is over without every frame.
    var lacksFrames: Bool { outcome != nil && exitStatus != .allDone }

    /// What bracketctl exits with when this is the last answer.
    var exitStatus: ProcessExit {
        if outcome == "completed" || (captured >= total && total > 0) { return .allDone }
        return captured > 0 ? .partial : .nothingCaptured
    }
}
