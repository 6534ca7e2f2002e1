import Interface
import Varlink

/// The progress of a shoot: one answer of the daemon to `Shoot`, `Retry` or `Follow`.
typealias ShootProgress = Bracketd.Progress

extension ShootProgress {
    var step: FramePhase { FramePhase(state: phase) }

    /// The remaining time of the shoot at the time of the answer; nil if unknown.
    var timeLeft: Duration? { remainingMilliseconds.map { .milliseconds($0) } }

    /// The remaining time of the exposure at the time of the answer; nil for a closed shutter and for a short
    /// exposure.
    var exposureLeft: Duration? { exposureLeftMilliseconds.map { .milliseconds($0) } }

    /// As `--json` prints it.
    var printed: JSONValue { PrintedJSON.progress(json) }

    /// Whether the shoot ended without every frame.
    var lacksFrames: Bool { outcome != nil && exitStatus != .allDone }

    /// The exit status of bracketctl if this is the last answer.
    var exitStatus: ProcessExit {
        if outcome == "completed" || (captured >= total && total > 0) { return .allDone }
        return captured > 0 ? .partial : .nothingCaptured
    }
}
