import enum Controller.Shooting

/// A state of the shooting chart in the terms of photographers.
struct FramePhase: Equatable {
    enum Kind {
        /// A state that every frame enters. Its text needs no additional sentence.
        case usual
        /// An unusual state in which the shoot continues.
        case unusual
        /// A state in which the shoot waits and the remaining time does not decrease.
        case waiting
    }

    let words: String
    let kind: Kind
    /// Whether the speed of the frame follows the text.
    private let namesSpeed: Bool

    private init(_ words: String, _ kind: Kind, namesSpeed: Bool = false) {
        self.words = words
        self.kind = kind
        self.namesSpeed = namesSpeed
    }

    /// - Parameter state: The chart's name of the state. For an unknown state, the name itself becomes the text.
    init(state: String) {
        self = FramePhase.table.first { $0.key.name == state }?.value ?? FramePhase(state, .unusual)
    }

    /// The text of the state: `setting 1/60`, `exposing 4"`, `saving`.
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
        .choosingFrame: FramePhase("reading the picture", .usual),
        .verifying: FramePhase("waiting for pictures", .unusual),
        .waitingWhileBusy: FramePhase("camera busy", .unusual),
        .awaitingCamera: FramePhase("camera lost", .waiting),
        .resolvingDoubt: FramePhase("asking the camera", .waiting),
        .ending: FramePhase("stopping", .waiting),
        .byCommand: FramePhase("paused", .waiting),
        .linkLost: FramePhase("camera lost", .waiting),
        .wifiSwitched: FramePhase("not in the camera's WiFi", .waiting),
        .cameraNotFit: FramePhase("camera not ready", .waiting),
        .unrecorded: FramePhase("waiting for the disk", .waiting),
    ]
}
