import Cameras
import Exposure

extension Shoot {
    /// The known outcome of a frame.
    package enum FrameOutcome: Equatable, Sendable {
        case planned
        /// The frame is about to be fired: its speed is being set.
        case preparing
        case attempting
        /// The body accepted the shutter command.
        case exposing
        /// The body reported the picture. Its only copy must go to this computer, and is not durable here yet.
        case exposed
        /// The body reported the picture, and its only copy is gone; the sentence says why.
        case lost(String)
        /// The picture is stored in the place where it must be kept.
        case captured
        /// The shutter may have fired.
        case unknown
        /// The frame was captured, and the picture matches the plan.
        case verified
        /// The frame was captured, and the picture does not match the plan.
        case suspect(SuspectReason)
        /// The frame failed, and nothing was exposed.
        case failed

        /// Whether the picture is stored where it must be kept. It may still differ from the plan.
        package var isCaptured: Bool {
            switch self {
            case .captured, .verified, .suspect: true
            case .planned, .preparing, .attempting, .exposing, .exposed, .lost, .unknown, .failed: false
            }
        }

        /// Whether the picture was lost. Only `retry` fires such a frame again.
        package var isLost: Bool {
            if case .lost = self { true } else { false }
        }

        /// Whether the shutter may have fired, and the result is not known.
        package var isOpen: Bool {
            switch self {
            case .unknown, .exposed: true
            case .planned, .preparing, .attempting, .exposing, .captured, .verified, .suspect, .lost, .failed: false
            }
        }
    }
}

extension Shoot.FrameOutcome {
    /// The state for the ledger.
    package var word: FrameState {
        switch self {
        case .planned: .planned
        case .preparing, .attempting, .exposing: .attempting
        case .exposed: .exposed
        case .lost: .lost
        case .captured: .captured
        case .unknown: .unknown
        case .verified: .verified
        case .suspect: .suspect
        case .failed: .failed
        }
    }

    /// The sentence that says why the frame is suspect or lost; nil: the frame is neither.
    var doubt: String? {
        switch self {
        case .suspect(let doubt): doubt.sentence
        case .lost(let reason): reason
        default: nil
        }
    }

    /// Creates the outcome from a state in the ledger, after the daemon that recorded it has ended.
    init(_ word: FrameState, doubt: String?) {
        switch word {
        case .planned: self = .planned
        case .attempting, .unknown: self = .unknown
        case .captured, .verified, .suspect: self = .captured
        case .failed: self = .failed
        case .exposed: self = .exposed
        case .lost: self = .lost(doubt ?? PictureSentences.gone)
        }
    }
}
