import Cameras

/// The texts of the journal, the status and the replies about pictures.
enum PictureSentences {
    // MARK: The transfer

    static let off =
        "Pictures of shoots are not transferred. "
        + "To store them here, set policy = \"jpeg\" or \"both\" under [transfer]."
    static let diskNearlyFull = "The disk for pictures is nearly full, or not writable."

    static func pausedByFullDisk(_ failure: String) -> String {
        "\(failure) No picture is transferred until there is space."
    }

    static func pausedByFailure(_ failure: String) -> String {
        "\(failure) No picture is transferred until the folder is writable."
    }

    static let continues = "Pictures can be stored again. The transfer continues."

    /// The sentence that says why pictures are not stored, and where they stay.
    ///
    /// - Parameter isOnlyCopyHere: whether the camera stores no picture on its card.
    static func notStored(isFull: Bool, isOnlyCopyHere: Bool, isFiring: Bool) -> String {
        let obstacle = isFull ? "The disk for pictures is full or not writable" : "Pictures cannot be stored here"
        let rest =
            if isOnlyCopyHere {
                "the camera keeps no picture on its card\(isFiring ? ", and the shoot cannot continue" : "")."
            } else {
                "pictures stay on the camera's card\(isFiring ? "; the shoot continues" : "")."
            }
        return "\(obstacle): \(rest)"
    }

    // MARK: Why a picture is not here

    static let noFileTransferred = "The camera did not transfer the picture."

    /// - Parameter missing: the kinds of file that the camera did not transfer.
    static func fileNotTransferred(_ missing: Set<PictureInfo.Kind>) -> String {
        let name = missing.contains(.raw) ? "RAW" : missing.contains(.heif) ? "HEIF" : "JPEG"
        return "The camera did not transfer the \(name) file."
    }

    static let gone = "The camera no longer has the picture."
    static let lostWithLink = "The link broke during the transfer, and the camera no longer has the picture."
    static let incomplete = "The transfer was incomplete."
    static let ofAnotherFrame = "The picture in the camera's buffer belongs to another frame."
    static let lightDamaged = "The numbers of a picture's light do not agree with each other."

    static let notMetered = "The JPEG of the frame did not arrive. The frame is fired again."

    static func noPictureToMeter(within limit: Duration) -> String {
        "No JPEG of the frame arrived within \(limit.components.seconds) s, so the next frame is not known."
    }

    static func lightNotRead(within limit: Duration) -> String {
        "A picture was not read within \(limit.components.seconds) s, so the next frame is not known."
    }

    static let storedTooLate = "The disk did not store the picture in time."

    /// - Parameter count: the number of pictures of the set that were not received.
    static func receivedTooLate(_ count: Int) -> String {
        let late = count == 1 ? "A picture of the set was" : "\(count) pictures of the set were"
        return "\(late) not received in time. The shoot continues."
    }

    static let markedAsSuspect = "An earlier run of the daemon marked the frame as suspect."
}

extension PictureSkip {
    func sentence(of kind: PictureInfo.Kind) -> String {
        switch self {
        case .policy: "The transfer policy does not keep \(kind == .raw ? "RAW files" : "files of this kind")."
        case .noRoom: "The picture cannot be stored here now. It stays on the camera's card."
        case .denied:
            "The camera denies access to its pictures in this mode. The picture stays on its card. "
                + "Choose another connection in the camera's network menu."
        case .notOffered(let status):
            "The camera did not send the picture: HTTP status \(status). It stays on the camera's card."
        case .failed(let attempts): "The transfer failed \(attempts) times. The picture stays on the camera's card."
        case .foreign:
            "The camera names another device for the picture, so it is not fetched. It stays on the camera's card."
        case .tooMany: "Too many pictures waited for their transfer. This one stays on the camera's card."
        case .ofOtherCamera: "Another camera is connected now. The picture stays on the first camera's card."
        }
    }
}

extension SuspectReason {
    /// The text after `… is suspect: `.
    package var clause: String {
        switch self {
        case .speed(let found): "its picture shows \(found)"
        case .aperture(let found, let set): "its picture shows \(found), but the camera was set to \(set)"
        case .iso(let found, let set): "its picture shows ISO \(found), but the camera was set to ISO \(set)"
        case .older(let time): "its picture was taken \(time.components.seconds) s before the shutter was released"
        case .sameTime(let time): "its picture has the time \(time), the same as an earlier frame's picture"
        case .outOfOrder(let time): "its picture has the time \(time), which is before the time of the previous frame"
        case .silent: "its picture contains no exposure time"
        case .unreadable(let reason): "the exposure data of its picture cannot be read (\(reason))"
        case .kept(let sentence):
            sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast(sentence.hasSuffix(".") ? 1 : 0)
        }
    }

    package var sentence: String { clause.prefix(1).uppercased() + clause.dropFirst() + "." }
}

extension PhotosReport {
    /// The sentence for the number of pictures in each state: `12 pictures, 11 verified, 1 suspect; 3 skipped.`
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
