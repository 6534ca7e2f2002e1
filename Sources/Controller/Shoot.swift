import Exposure

/// The record of one shoot: what was planned, what is known of each frame.
package struct Shoot: Equatable, Sendable {
    /// Counts the shoots of this daemon, from 1.
    package let id: Int
    package let plan: Plan
    package private(set) var outcomes: [FrameOutcome]
    /// The frame in work, or the last that was; an index into the plan's frames. Nil before the first.
    package private(set) var current: Int?
    /// Why the shoot ended early, in a sentence.
    package var cause: String?

    /// What is known of a frame.
    package enum FrameOutcome: Equatable, Sendable {
        case planned
        case attempting
        /// The body took the shutter command.
        case exposing
        case captured
        /// The shutter may have fired.
        case unknown
    }

    package init(id: Int, plan: Plan) {
        self.id = id
        self.plan = plan
        outcomes = Array(repeating: .planned, count: plan.frames.count)
    }

    package var total: Int { outcomes.count }
    package var captured: Int { outcomes.count { $0 == .captured } }
    package var isDone: Bool { outcomes.allSatisfy { $0 == .captured } }

    /// The frame in work, or the last that was.
    package var frame: PlannedFrame? { current.map { plan.frames[$0] } }

    /// Whether the shutter may have fired for the first frame that is missing.
    package var isNextInDoubt: Bool { outcomes.first { $0 != .captured } == .unknown }

    /// Turns to the first frame that is missing.
    package mutating func takeNext() {
        guard let next = outcomes.firstIndex(where: { $0 != .captured }) else {
            preconditionFailure("the chart asks isPlanDone first")
        }
        current = next
    }

    /// Whether the shutter may have been released for the frame in work without the camera's word of a picture.
    package var isCurrentInDoubt: Bool {
        switch current.map({ outcomes[$0] }) {
        case .attempting, .exposing, .unknown: true
        case .planned, .captured, nil: false
        }
    }

    /// The frame in work came to nothing: its shutter may have fired, if the body took the command or may have taken
    /// it.
    package mutating func giveUp() {
        guard let current else { return }
        switch outcomes[current] {
        case .exposing: outcomes[current] = .unknown
        case .attempting: outcomes[current] = .planned
        case .planned, .captured, .unknown: break
        }
    }

    /// Notes what is known of the frame in work.
    package mutating func note(_ outcome: FrameOutcome) {
        guard let current else { preconditionFailure("no frame is in work") }
        precondition(outcomes[current] != .captured, "a captured frame stays captured")
        outcomes[current] = outcome
    }

    /// How far it came, in the words that people rely on.
    package var sentence: String {
        if isDone { return "\(captured) of \(total) exposures captured" }
        guard let position = frame?.position else {
            return "Stopped before the first frame. 0 of \(total) exposures captured."
        }
        return "Stopped at set \(position.set), frame \(position.frame). \(captured) of \(total) exposures captured."
    }
}
