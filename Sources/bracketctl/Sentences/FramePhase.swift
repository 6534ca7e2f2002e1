import enum Controller.Shooting

/// A state of the shooting chart in photographers' terms.
struct FramePhase: Equatable {
    enum Kind {
        /// A state of every frame, which needs no extra sentence.
        case usual
        /// An unusual state in which the shoot continues.
        case unusual
        /// The shoot waits, and the remaining time stands still.
        case waiting
    }

    let words: String
    let kind: Kind
    /// Whether the frame's speed follows the text.
    private let namesSpeed: Bool

    private init(_ words: String, _ kind: Kind, namesSpeed: Bool = false) {
        self.words = words
        self.kind = kind
        self.namesSpeed = namesSpeed
    }

    /// - Parameter state: the chart's name of the state; a state that is not in the table represents itself.
    init(state: String) {
        self = FramePhase.table.first { $0.key.name == state }?.value ?? FramePhase(state, .unusual)
    }

    /// `setting 1/60`, `exposing 4"`, `saving`.
    func text(speed: String?) -> String {
        guard namesSpeed, let speed else { return words }
        return "\(words) \(speed)"
    }

    static let table: [Shooting.State: FramePhase] = [
        .idle: FramePhase("no shoot", .waiting),
        .completed: FramePhase("complete", .waiting),
        .partial: FramePhase("stopped", .waiting),
        .cancelled: FramePhase("cancelled", .waiting),
        .interrupted: FramePhase("interrupted", .waiting),
        .betweenFrames: FramePhase("next frame", .usual),
        .settingSpeed: FramePhase("setting", .usual, namesSpeed: true),
        .confirmingSpeed: FramePhase("setting", .usual, namesSpeed: true),
        .recordingShoot: FramePhase("preparing", .usual),
        .shootDelayed: FramePhase("waiting for the disk", .unusual),
        .recordingFrame: FramePhase("setting", .usual, namesSpeed: true),
        .frameDelayed: FramePhase("waiting for the disk", .unusual),
        .capturing: FramePhase("exposing", .usual, namesSpeed: true),
        .waitingForIdle: FramePhase("saving", .usual),
        .storing: FramePhase("storing", .usual),
        .verifying: FramePhase("waiting for pictures", .unusual),
        .waitingWhileBusy: FramePhase("camera busy", .unusual),
        .awaitingCamera: FramePhase("camera lost", .waiting),
        .resolvingDoubt: FramePhase("asking the camera", .waiting),
        .ending: FramePhase("stopping", .waiting),
        .byCommand: FramePhase("paused", .waiting),
        .linkLost: FramePhase("camera lost", .waiting),
        .wifiSwitched: FramePhase("off the camera's WiFi", .waiting),
        .cameraNotFit: FramePhase("camera not ready", .waiting),
        .unrecorded: FramePhase("waiting for the disk", .waiting),
    ]
}
