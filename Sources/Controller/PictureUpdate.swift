import Cameras

/// A report to the shooting chart about a picture of a frame.
package struct PictureUpdate: Hashable, Sendable {
    package var picture: PictureID
    package var shoot: Int
    /// The index of the frame in the plan.
    package var frame: Int
    /// The ticket of the shutter command. A frame can be fired twice, and one shot can produce two files.
    package var shot: Ticket
    /// The camera's name for the file.
    package var name = ""
    package var kind = PictureInfo.Kind.other
    package var content: Content

    package enum Content: Hashable, Sendable {
        /// The transfer of the picture has begun.
        case coming(byteCount: UInt64?)
        /// The transfer stopped, and may start again later. The sentence says why it stopped.
        case gone(String)
        /// The picture is durable on this computer, and was compared with the plan.
        case checked(Verdict)
    }
}

/// The result of comparing a picture's EXIF data with the planned frame.
package enum Verdict: Hashable, Sendable {
    case verified
    case suspect(SuspectReason)
    /// The file has no data to compare, and its kind does not require such data.
    case none
}

/// Why a picture does not match the plan.
package enum SuspectReason: Hashable, Sendable {
    /// The exposure time is wrong. `found` is the time in the file, as text for users.
    case speed(found: String)
    case aperture(found: String, set: String)
    case iso(found: UInt32, set: UInt32)
    /// The picture's time is this much earlier than the release of the shutter.
    case older(by: Duration)
    /// The picture's time is in the same second as that of an earlier frame's picture. This is impossible.
    case sameTime(String)
    /// The picture has an earlier time than the previous frame's picture.
    case outOfOrder(String)
    /// The file is readable and has no exposure time.
    case silent
    case unreadable(String)
    /// The result of an earlier run of the daemon, as a sentence.
    case kept(String)
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

    /// Why the picture is suspect; nil: it is not suspect.
    var doubt: SuspectReason? { if case .suspect(let doubt) = self { doubt } else { nil } }
}
