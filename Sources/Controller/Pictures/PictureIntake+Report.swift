import Cameras
import Exposure

// The reports about pictures to clients and in the journal.

extension PictureIntake {
    /// The report on the pictures of the last shoot, and on pictures that belong to no shoot.
    func report(of facts: Facts) -> PhotosReport {
        let last = facts.shoot?.id ?? recent.photos.compactMap(\.shoot).max()
        let photos = recent.photos.filter { $0.shoot == nil || $0.shoot == last }
        // A client can request pictures whatever the policy.
        let counts = policy == .none && photos.isEmpty ? nil : PhotosReport.sentence(photos)
        let sentences = [counts, policy == .none ? PictureSentences.off : nil, sentence(facts)]
        return PhotosReport(
            policy: policy.rawValue,
            sentence: sentences.compactMap(\.self).joined(separator: " "),
            photos: photos,
            coverage: facts.isOver ? recent.coverage(of: last) : nil
        )
    }

    /// The sentence that says why pictures are not stored, and what happens to the pictures; nil: they are stored.
    func sentence(_ facts: @autoclosure () -> Facts) -> String? {
        guard chart.isActive(.full) || chart.isActive(.failing) else { return nil }
        let facts = facts()
        return PictureSentences.notStored(
            isFull: chart.isActive(.full),
            isOnlyCopyHere: facts.status?.savesToHostAlone == true,
            isFiring: !facts.isOver && !facts.isPaused
        )
    }
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
