import Cameras
import Exposure

// What is said of a picture.

extension PictureSkip {
    func sentence(of kind: PictureInfo.Kind) -> String {
        switch self {
        case .policy: "The transfer policy does not keep \(kind == .raw ? "RAW files" : "files of this kind")."
        case .noRoom: "It cannot be stored here now. It stays on the camera's card."
        }
    }
}

extension Verdict {
    var frameState: FrameState? {
        switch self {
        case .none: nil
        case .verified: .verified
        case .suspect: .suspect
        }
    }

    var photoState: PhotoReport.State {
        switch self {
        case .none: .stored
        case .verified: .verified
        case .suspect: .suspect
        }
    }

    /// Nil: the picture is not suspect.
    var doubt: SuspectReason? { if case .suspect(let doubt) = self { doubt } else { nil } }
}

extension JournalEntry {
    static func suspect(_ frame: RecentPictures.FiredFrame, _ doubt: SuspectReason, path: String) -> JournalEntry {
        let planned = PlannedFrame(position: frame.position, speed: frame.shot.speed)
        return JournalEntry(
            level: .warning,
            kind: .note,
            message: planned.doubtSentence(doubt),
            fields: [
                .init("SHOOT", String(frame.shot.shoot)), .init("SET", String(frame.position.set)),
                .init("FRAME", String(frame.position.frame)), .init("SPEED", frame.shot.speed.label),
                .init("PICTURE", path),
            ]
        )
    }
}
