import Cameras

/// A report on a frame's picture to the shooting chart.
package struct PictureUpdate: Hashable, Sendable {
    package var picture: PictureID
    package var shoot: Int
    /// An index into the plan's frames.
    package var frame: Int
    /// The shutter command of the picture. A frame may be fired twice, and one shot may become two files.
    package var shot: Ticket
    /// The camera's name of the file.
    package var name = ""
    package var kind = PictureInfo.Kind.other
    package var content: Content

    package enum Content: Hashable, Sendable {
        /// Its bytes arrive.
        case coming(byteCount: UInt64?)
        /// Its bytes stopped, at least for now; the sentence says why.
        case gone(String)
        /// It is durable here.
        case checked(Verdict)
    }
}

/// The result of comparing a picture's EXIF data with the planned frame.
package enum Verdict: Hashable, Sendable {
    case verified
    case suspect(SuspectReason)
    /// The file has no data to compare, and need not have any.
    case none
}

/// Why a picture does not match the plan.
package enum SuspectReason: Hashable, Sendable {
    /// Its exposure time, as text for users.
    case speed(found: String)
    case aperture(found: String, set: String)
    case iso(found: UInt32, set: UInt32)
    /// It was taken this long before the shutter was released.
    case older(by: Duration)
    /// An earlier frame's picture has the same second, which is impossible.
    case sameTime(String)
    /// Its time is before that of the previous frame.
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

    /// Nil: the picture is not suspect.
    var doubt: SuspectReason? { if case .suspect(let doubt) = self { doubt } else { nil } }
}
