import Cameras

// What clients read of pictures.

extension PictureIntake {
    /// The pictures that were received in the last shoot, and those of none.
    func report(of facts: Facts) -> PhotosReport {
        let last = facts.shoot?.id ?? recent.photos.compactMap(\.shoot).max()
        let photos = recent.photos.filter { $0.shoot == nil || $0.shoot == last }
        let sentences = [policy == .none ? Self.offSentence : PhotosReport.sentence(photos), sentence(facts)]
        return PhotosReport(
            policy: policy.rawValue,
            sentence: sentences.compactMap(\.self).joined(separator: " "),
            photos: photos
        )
    }

    /// What keeps pictures from being stored, and what that means for them; nil: nothing.
    func sentence(_ facts: Facts) -> String? {
        let obstacle: String
        if chart.isActive(.full) {
            obstacle = "The disk for pictures is full or not writable"
        } else if chart.isActive(.failing) {
            obstacle = "Pictures cannot be stored here"
        } else {
            return nil
        }
        let isFiring = !facts.isOver && !facts.isPaused
        let rest =
            if facts.status?.savesToHostAlone == true {
                "the camera keeps no picture on its card\(isFiring ? ", and the shoot cannot go on" : "")."
            } else {
                "pictures stay on the camera's card\(isFiring ? "; the shoot continues" : "")."
            }
        return "\(obstacle): \(rest)"
    }

    private static let offSentence =
        "Pictures are not transferred. To have them here, set policy = \"jpeg\" or \"both\" under [transfer]."

}

extension PhotosReport {
    /// How many came, and what they are worth: `12 pictures, 11 verified, 1 suspect; 3 RAW skipped.`
    static func sentence(_ photos: [PhotoReport]) -> String {
        func count(_ states: PhotoReport.State...) -> Int { photos.count { states.contains($0.state) } }
        let stored = count(.stored, .verified, .suspect)
        var parts = [stored == 0 ? "No pictures" : stored == 1 ? "1 picture" : "\(stored) pictures"]
        let rest = [
            (count(.verified), "verified"), (count(.suspect), "suspect"), (count(.receiving), "in transfer"),
            (count(.failed), "not stored"),
        ]
        parts += rest.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let skipped = count(.skipped)
        return parts.joined(separator: ", ") + (skipped > 0 ? "; \(skipped) skipped." : ".")
    }
}
