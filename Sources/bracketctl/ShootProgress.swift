import Exposure
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

    /// What a bracket that finds its own range reports at its end: its warnings, and the frames that are kept.
    var rangeSentences: [String] {
        let warnings = warnings ?? []
        let isCovered = !MeteringWarning.limitCodes.contains { warnings.contains($0) }
        let frames = kept.flatMap { $0.isEmpty ? nil : ShootReportSentences.kept($0, coverTheScene: isCovered) }
        return (warningSentences ?? []) + [frames].compactMap(\.self)
    }

    /// The exit status of bracketctl if no other answer follows. A bracket that finds its own range keeps no frame
    /// before the search ends.
    var exitStatus: ProcessExit {
        if kept?.isEmpty != true, outcome == "completed" || (captured >= total && total > 0) { return .allDone }
        return captured > 0 ? .partial : .nothingCaptured
    }
}
