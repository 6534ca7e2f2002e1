import Cameras

// Reports of pictures to clients.

extension PictureIntake {
    /// The pictures of the last shoot, and those outside of any shoot.
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

    /// Why pictures are not stored, and what that means for them; nil: they are.
    func sentence(_ facts: @autoclosure () -> Facts) -> String? {
        let obstacle: String
        if chart.isActive(.full) {
            obstacle = "The disk for pictures is full or not writable"
        } else if chart.isActive(.failing) {
            obstacle = "Pictures cannot be stored here"
        } else {
            return nil
        }
        let facts = facts()
        let isFiring = !facts.isOver && !facts.isPaused
        let rest =
            if facts.status?.savesToHostAlone == true {
                "the camera keeps no picture on its card\(isFiring ? ", and the shoot cannot continue" : "")."
            } else {
                "pictures stay on the camera's card\(isFiring ? "; the shoot continues" : "")."
            }
        return "\(obstacle): \(rest)"
    }

    private static let offSentence =
        "Pictures are not transferred. To have them here, set policy = \"jpeg\" or \"both\" under [transfer]."

}

extension PhotosReport {
    /// The number of pictures, by state: `12 pictures, 11 verified, 1 suspect; 3 RAW skipped.`
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
