import Cameras

/// What the shooting chart hears of a frame's picture.
package struct PictureNews: Hashable, Sendable {
    package var picture: PictureID
    package var shoot: Int
    /// An index into the plan's frames.
    package var frame: Int
    /// The shutter command that it is of: a frame may be fired twice, and one shot may become two files.
    package var shot: Ticket
    /// As the camera names the file.
    package var name = ""
    package var kind = PictureInfo.Kind.other
    package var content: Content

    package enum Content: Hashable, Sendable {
        /// Its bytes come.
        case coming(byteCount: UInt64?)
        /// Its bytes stopped, for now at least; the sentence says why.
        case gone(String)
        /// It is durable here.
        case judged(Verdict)
    }
}

/// What a picture's own record of its exposure says about the frame that was planned.
package enum Verdict: Hashable, Sendable {
    case verified
    case suspect(Doubt)
    /// The file says nothing that could be held against a plan, and need not.
    case none
}

/// Why a picture is not what was planned.
package enum Doubt: Hashable, Sendable {
    /// Its exposure time, as people write it.
    case speed(found: String)
    case aperture(found: String, set: String)
    case iso(found: UInt32, set: UInt32)
    /// It was taken so long before the shutter was released.
    case older(by: Duration)
    /// An earlier frame's picture is of the same second, and that cannot be.
    case sameTime(String)
    /// It says that it was taken before the frame before it.
    case outOfOrder(String)
    /// The file is readable and does not tell its exposure time.
    case silent
    case unreadable(String)
    /// What an earlier run of the daemon found, in a sentence.
    case kept(String)

    /// What follows `… is suspect: `.
    package var clause: String {
        switch self {
        case .speed(let found): "its picture shows \(found)"
        case .aperture(let found, let set): "its picture shows \(found), but the camera was set to \(set)"
        case .iso(let found, let set): "its picture shows ISO \(found), but the camera was set to ISO \(set)"
        case .older(let time): "its picture was taken \(time.components.seconds) s before the shutter was released"
        case .sameTime(let time): "its picture has the time \(time), like that of an earlier frame"
        case .outOfOrder(let time): "its picture has the time \(time), before that of the previous frame"
        case .silent: "its picture contains no exposure time"
        case .unreadable(let reason): "the exposure data of its picture cannot be read (\(reason))"
        case .kept(let sentence):
            sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast(sentence.hasSuffix(".") ? 1 : 0)
        }
    }

    /// The clause as a sentence.
    package var sentence: String { clause.prefix(1).uppercased() + clause.dropFirst() + "." }
}
