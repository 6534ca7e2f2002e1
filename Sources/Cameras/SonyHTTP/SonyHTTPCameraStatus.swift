/// The body's report of its work, in `cameraStatus` (API Reference v2.40).
package struct SonyHTTPCameraStatus: RawRepresentable, Hashable, Sendable {
    /// `StillCapturing`. Only `IDLE` is in upper case.
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let error = Self(rawValue: "Error")
    package static let notReady = Self(rawValue: "NotReady")
    package static let idle = Self(rawValue: "IDLE")
    package static let stillCapturing = Self(rawValue: "StillCapturing")
    /// Some camera apps never report this.
    package static let stillSaving = Self(rawValue: "StillSaving")
    package static let contentsTransfer = Self(rawValue: "ContentsTransfer")

    /// The documented values. Any other value counts as busy.
    package static let all: [Self] = [
        "Error", "NotReady", "IDLE", "StillCapturing", "StillSaving", "MovieWaitRecStart", "MovieRecording",
        "MovieWaitRecStop", "MovieSaving", "AudioWaitRecStart", "AudioRecording", "AudioWaitRecStop", "AudioSaving",
        "IntervalWaitRecStart", "IntervalRecording", "IntervalWaitRecStop", "LoopWaitRecStart", "LoopRecording",
        "LoopWaitRecStop", "LoopSaving", "WhiteBalanceOnePushCapturing", "ContentsTransfer", "Streaming", "Deleting",
    ].map(Self.init(rawValue:))

    /// Whether the body works on a still picture.
    package var isStillWork: Bool { self == .stillCapturing || self == .stillSaving }
}
