import Interface
import Varlink

/// The progress of a shoot: one answer of the daemon to `Shoot`, `Retry` or `Follow`.
struct ShootProgress {
    let number: Int
    let captured: Int
    let total: Int
    let set: Int?
    let frame: Int?
    let speed: String?
    /// The shooting chart's name of its state.
    let phase: String
    var step: FramePhase { FramePhase(state: phase) }
    let sentence: String
    /// How the shoot ended; nil before the end.
    let outcome: String?
    let cause: String?
    /// Whether the camera's changed settings were restored; nil without changes or before the end.
    let settings: String?
    /// The remaining time of the shoot at the time of the answer; nil if unknown.
    let timeLeft: Duration?
    /// The remaining time of the exposure at the time of the answer; nil for a closed shutter and for a short
    /// exposure.
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

    /// Whether the shoot ended without every frame.
    var lacksFrames: Bool { outcome != nil && exitStatus != .allDone }

    /// The exit status of bracketctl if this is the last answer.
    var exitStatus: ProcessExit {
        if outcome == "completed" || (captured >= total && total > 0) { return .allDone }
        return captured > 0 ? .partial : .nothingCaptured
    }
}
