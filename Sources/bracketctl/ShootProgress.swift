import Interface
import Varlink

/// The progress of a shoot: one answer of the daemon to `Shoot`, `Retry` or `Follow`.
typealias ShootProgress = Bracketd.Progress

extension ShootProgress {
    var step: FramePhase { FramePhase(state: phase) }

    /// The remaining time of the shoot when the daemon sent the answer; nil: unknown.
    var timeLeft: Duration? { remainingMilliseconds.map { .milliseconds($0) } }

    /// The remaining time of the exposure when the daemon sent the answer; nil for a closed shutter or a short
    /// exposure.
    var exposureLeft: Duration? { exposureLeftMilliseconds.map { .milliseconds($0) } }

    /// The progress in the form of `--json`.
    var printed: JSONValue { PrintedJSON.progress(json) }

    /// Whether the shoot ended with missing frames.
    var lacksFrames: Bool { outcome != nil && exitStatus != .allDone }

    /// The exit status of bracketctl if no other answer follows.
    var exitStatus: ProcessExit {
        if outcome == "completed" || (captured >= total && total > 0) { return .allDone }
        return captured > 0 ? .partial : .nothingCaptured
    }
}
