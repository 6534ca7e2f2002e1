import Cameras
import Exposure

extension Shoot {
    /// What is known of a frame.
    package enum FrameOutcome: Equatable, Sendable {
        case planned
        /// About to be fired: its speed is being set.
        case preparing
        case attempting
        /// The body took the shutter command.
        case exposing
        /// The body reported the picture, which is to be kept on this computer alone, and is not durable here yet.
        case exposed
        /// The body reported the picture, and its only copy is gone; the sentence says why.
        case lost(String)
        /// The picture is where it is meant to be kept.
        case captured
        /// The shutter may have fired.
        case unknown
        /// Captured, and its picture is what was planned.
        case verified
        /// Captured, and its picture is not what was planned.
        case suspect(Doubt)
        /// It came to nothing, and nothing was exposed.
        case failed

        /// Whether the picture is where it is meant to be kept, whatever it shows.
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

        /// Whether the shutter may have fired, and what came of it is open.
        package var isOpen: Bool {
            switch self {
            case .unknown, .exposed: true
            case .planned, .preparing, .attempting, .exposing, .captured, .verified, .suspect, .lost, .failed: false
            }
        }
    }
}

extension Shoot.FrameOutcome {
    /// In the ledger's words.
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

    /// What a kept word means once the daemon that wrote it is gone.
    init(_ word: FrameState, doubt: String?) {
        switch word {
        case .planned: self = .planned
        case .attempting, .unknown: self = .unknown
        case .captured, .verified, .suspect: self = .captured
        case .failed: self = .failed
        case .exposed: self = .exposed
        case .lost: self = .lost(doubt ?? "The camera no longer has its picture.")
        }
    }
}
