import Cameras
import Exposure

/// The record of one shoot: what was planned, what is known of each frame.
package struct Shoot: Equatable, Sendable {
    /// Counts the shoots of this daemon, from 1.
    package let id: Int
    package let plan: Plan
    /// What is known of each frame's firing.
    private var firings: [FrameOutcome]
    /// The frame in work, or the last that was; an index into the plan's frames. Nil before the first.
    package private(set) var current: Int?
    /// Why the shoot ended early, in a sentence.
    package var cause: String?
    /// What is known of the second firing of a suspect frame, by the frame's index.
    private var again: [Int: FrameOutcome] = [:]
    /// What pictures say of their frames, by the frame's index; may come before the camera's word of the capture.
    private var judgements: [Int: Judgement] = [:]

    /// A verdict and the shot that it is of. Nil: verified.
    private struct Judgement: Equatable {
        var doubt: Doubt?
        var shot: Ticket
    }

    /// What is known of a frame.
    package enum FrameOutcome: Equatable, Sendable {
        case planned
        case attempting
        /// The body took the shutter command.
        case exposing
        case captured
        /// The shutter may have fired.
        case unknown
        /// Captured, and its picture is what was planned.
        case verified
        /// Captured, and its picture is not what was planned.
        case suspect(Doubt)

        /// Whether the body reported the picture, whatever it shows.
        package var isCaptured: Bool {
            switch self {
            case .captured, .verified, .suspect: true
            case .planned, .attempting, .exposing, .unknown: false
            }
        }
    }

    package init(id: Int, plan: Plan) {
        self.id = id
        self.plan = plan
        firings = Array(repeating: .planned, count: plan.frames.count)
    }

    package var total: Int { firings.count }
    package var captured: Int { firings.count { $0.isCaptured } }
    package var isDone: Bool { firings.allSatisfy(\.isCaptured) }

    /// What is known of each frame.
    package var outcomes: [FrameOutcome] { firings.indices.map(outcome) }

    private func outcome(of frame: Int) -> FrameOutcome {
        guard firings[frame].isCaptured, let judgement = judgements[frame] else { return firings[frame] }
        return judgement.doubt.map { .suspect($0) } ?? .verified
    }

    /// The frame in work, or the last that was.
    package var frame: PlannedFrame? { current.map { plan.frames[$0] } }

    /// What is known of the firing in work: the second, where a suspect frame is fired again.
    package var attempt: FrameOutcome? { current.map { again[$0] ?? firings[$0] } }

    private var nextMissing: Int? { firings.firstIndex { !$0.isCaptured } }

    /// Whether the shutter may have fired for the first frame that is missing.
    package var isNextInDoubt: Bool { nextMissing.map { firings[$0] == .unknown } ?? false }

    /// Turns to the first frame that is missing.
    package mutating func takeNext() {
        guard let next = nextMissing else { preconditionFailure("the chart asks isPlanDone first") }
        current = next
    }

    /// Whether the shutter may have been released for the frame in work without the camera's word of a picture.
    package var isCurrentInDoubt: Bool {
        switch attempt {
        case .attempting, .exposing, .unknown: true
        case .planned, .captured, .verified, .suspect, nil: false
        }
    }

    /// The frame in work came to nothing: its shutter may have fired, if the body took the command or may have taken
    /// it.
    package mutating func giveUp() {
        switch attempt {
        case .exposing: note(.unknown)
        case .attempting: note(.planned)
        case .planned, .captured, .unknown, .verified, .suspect, nil: break
        }
    }

    /// Notes what is known of the firing in work.
    package mutating func note(_ outcome: FrameOutcome) {
        guard let current else { preconditionFailure("no frame is in work") }
        precondition(attempt?.isCaptured == false, "a captured frame stays captured")
        if again[current] == nil { firings[current] = outcome } else { again[current] = outcome }
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

// What pictures say of their frames.
extension Shoot {
    /// More suspects than these are only counted in a sentence.
    private static let suspectsTold = 3

    /// Whether a set was just fired whole, and the next not begun.
    package var isAtSetEnd: Bool {
        guard let next = nextMissing else { return true }
        return next > 0 && plan.frames[next - 1].position.set != plan.frames[next].position.set
    }

    /// Whether a suspect frame may be fired again: each is once.
    package var isSuspectLeft: Bool { nextSuspect != nil }

    private var nextSuspect: Int? {
        firings.indices.first { index in
            guard case .suspect = outcome(of: index) else { return false }
            return again[index] == nil || again[index] == .planned
        }
    }

    /// Whether the frame was fired again, or may have been.
    package func wasFiredAgain(_ frame: Int) -> Bool { again[frame].map { $0 != .planned } ?? false }

    /// Whether the frame in work is one that is fired again.
    package var isAgain: Bool { current.map { again[$0] != nil } ?? false }

    /// Turns to the first suspect frame that was not fired again.
    package mutating func takeSuspect() {
        guard let next = nextSuspect else { preconditionFailure("the chart asks isSuspectLeft first") }
        current = next
        again[next] = .planned
    }

    /// Notes what a picture says of its frame.
    ///
    /// Of two files of one shot the suspect one counts; of two shots the good one, else the later.
    package mutating func judge(_ frame: Int, _ verdict: Verdict, shot: Ticket) {
        guard firings.indices.contains(frame) else { return }
        let before = judgements[frame]
        switch verdict {
        case .none: break
        case .verified where before?.shot == shot: break
        case .verified: judgements[frame] = Judgement(doubt: nil, shot: shot)
        case .suspect where before != nil && before?.doubt == nil && before?.shot != shot: break
        case .suspect(let doubt): judgements[frame] = Judgement(doubt: doubt, shot: shot)
        }
    }

    /// Which frames are suspect and why; nil: none.
    package var doubtSentence: String? {
        let sentences = firings.indices.compactMap { index in
            if case .suspect(let doubt) = outcome(of: index) { plan.frames[index].doubtSentence(doubt) } else { nil }
        }
        guard !sentences.isEmpty else { return nil }
        let more = sentences.count - Self.suspectsTold
        let told = sentences.prefix(Self.suspectsTold).joined(separator: " ")
        return more > 0 ? "\(told) \(more) more \(more == 1 ? "is" : "are") suspect." : told
    }

    /// Why it ended early, and what is suspect; nil: neither.
    package var remark: String? {
        let sentences = [cause, doubtSentence].compactMap(\.self)
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}

extension PlannedFrame {
    /// `Set 2, frame 3 at 1/15`.
    package var place: String { "Set \(position.set), frame \(position.frame) at \(speed.label)" }

    /// That this frame is suspect, and why.
    package func doubtSentence(_ doubt: Doubt) -> String { "\(place) is suspect: \(doubt.clause)." }
}
