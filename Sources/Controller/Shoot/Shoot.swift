import Cameras
import Exposure

/// The record of one shoot: what was planned, what is known of each frame.
package struct Shoot: Equatable, Sendable {
    /// Counts the shoots, from 1, over all runs of the daemon.
    package let id: Int
    package let plan: Plan
    /// Which body it is fired on; see ``Cameras/CameraIdentity/id``.
    package let camera: CameraIdentity
    /// When it began.
    package let began: Moment
    package let trigger: ShootTrigger
    /// What is known of each frame's firing.
    var firings: [FrameOutcome]
    /// The frame in work, or the last that was; an index into the plan's frames. Nil before the first.
    package internal(set) var current: Int?
    /// Why the shoot ended early, in a sentence.
    package var cause: String?
    /// What the user had ordered when the shoot was interrupted, in an earlier run of the daemon.
    package var requestedStop: RequestedStop?
    /// What is known of the second firing of a suspect frame, by the frame's index.
    var again: [Int: FrameOutcome] = [:]
    /// What pictures say of their frames, by the frame's index; may come before the camera's word of the capture.
    var judgements: [Int: Judgement] = [:]
    /// Frames that a person wants once more, by index.
    var wantedAgain: Set<Int> = []
    /// The frame whose shutter was released last, or was to be; an index.
    var lastReleased: Int?
    /// How it ended in an earlier run of the daemon, and was left; nil: it is this run's.
    package internal(set) var left: ShootOutcome?
    /// Whether the ledger lost the last changes of an earlier run: what is missing may have been captured.
    package internal(set) var isRecordIncomplete = false
    /// When it ended in that run; nil: not known.
    package internal(set) var ended: Moment?
    /// How many shots the camera had left when each frame was about to be fired, as far as that is certain.
    var shotsLeft: [Int: Int] = [:]

    /// What did not go as planned, in the order in which it began: the first ``incidentsMax``. Times are the ledger's.
    package internal(set) var incidents: [Incident] = []
    /// A pause every few seconds for a whole night is more; a reader has enough of it then.
    package static let incidentsMax = 100

    /// A verdict and the shot that it is of. Nil: verified.
    struct Judgement: Equatable {
        var doubt: Doubt?
        var shot: Ticket
    }

    package init(id: Int, plan: Plan, camera: CameraIdentity, began: Moment, trigger: ShootTrigger = .client) {
        self.trigger = trigger
        self.id = id
        self.plan = plan
        self.camera = camera
        self.began = began
        firings = Array(repeating: .planned, count: plan.frames.count)
    }

    package var total: Int { firings.count }
    package var captured: Int { firings.count { $0.isCaptured } }
    package var isDone: Bool { firings.allSatisfy(\.isCaptured) }

    /// What is known of each frame.
    package var outcomes: [FrameOutcome] { firings.indices.map(outcome) }

    /// What of it can be fired or dropped; nil: every frame was captured.
    package var unfinished: UnfinishedShoot? {
        isDone ? nil : UnfinishedShoot(id: id, missing: total - captured, total: total)
    }

    func outcome(of frame: Int) -> FrameOutcome {
        guard firings[frame].isCaptured, let judgement = judgements[frame] else { return firings[frame] }
        return judgement.doubt.map { .suspect($0) } ?? .verified
    }

    /// The frame in work, or the last that was.
    package var frame: PlannedFrame? { current.map { plan.frames[$0] } }

    /// What is known of the firing in work: the second, where a suspect frame is fired again.
    package var attempt: FrameOutcome? { current.map { again[$0] ?? firings[$0] } }

    var nextMissing: Int? { firings.firstIndex { !$0.isCaptured && !$0.isLost } }

    /// Whether the shutter may have fired for the first frame that is missing.
    package var isNextInDoubt: Bool { nextMissing.map { firings[$0].isOpen } ?? false }

    /// Whether every frame was fired, and pictures of some were lost.
    package var isRestLost: Bool { nextMissing == nil && !isDone }

    /// The frame that the newest files in the body's buffer are of, when this daemon has not fired any: one whose
    /// exposure is open, else the last one that was fired.
    package var lastOpen: Int? {
        firings.firstIndex(where: \.isOpen) ?? current.flatMap { firings[$0].isCaptured ? $0 : nil }
    }

    /// Turns to the first frame that is missing.
    package mutating func takeNext() {
        guard let next = nextMissing else { preconditionFailure("the chart asks isPlanDone first") }
        current = next
    }

    /// Whether the shutter may have been released for the frame in work without the camera's word of a picture.
    package var isCurrentInDoubt: Bool {
        switch attempt {
        case .attempting, .exposing, .unknown: true
        case .planned, .preparing, .exposed, .lost, .captured, .verified, .suspect, .failed, nil: false
        }
    }

    /// The frame in work came to nothing: its shutter may have fired, if the body took the command or may have taken
    /// it.
    package mutating func giveUp() {
        switch attempt {
        case .exposing: note(.unknown)
        case .planned, .preparing, .attempting: note(.failed)
        case .exposed, .lost, .captured, .unknown, .verified, .suspect, .failed, nil: break
        }
    }

    /// Notes what is known of the firing in work.
    package mutating func note(_ outcome: FrameOutcome) {
        guard let current else { preconditionFailure("no frame is in work") }
        precondition(attempt?.isCaptured == false, "a captured frame stays captured")
        let isPress = attempt == .attempting && [.exposing, .exposed, .captured, .unknown].contains(outcome)
        if isPress, let reason = reasonAgain { note(.firedAgain, reason) }
        if again[current] == nil {
            firings[current] = outcome
        } else {
            again[current] = outcome
            if outcome.isCaptured { wantedAgain.remove(current) }
        }
        if outcome == .attempting { lastReleased = current }
    }

    /// Why the shutter of the frame in work is pressed once more; nil: it was not pressed before, or that is noted.
    private var reasonAgain: Incident.Reason? {
        guard let current else { return nil }
        if again[current] != nil { return wantedAgain.contains(current) ? .command : .suspect }
        let last = incidents.last { incident in
            // One that fired is pressed once more when its picture is nowhere.
            let wasInDoubt = incident.kind == .inDoubt && [.unknown, .fired].contains(incident.outcome)
            return incident.frame == current && (wasInDoubt || incident.kind == .firedAgain)
        }
        return last?.kind == .inDoubt ? .inDoubt : nil
    }

    /// The frame in work is about to be fired, and the camera has so many shots left; nil: not known for certain.
    package mutating func arm(shotsLeft: Int?) {
        note(.preparing)
        if let current { self.shotsLeft[current] = shotsLeft }
    }

    /// The camera's count before the frame in work became certain after ``arm(shotsLeft:)``.
    package mutating func noteShotsLeft(_ count: Int) {
        if let current { shotsLeft[current] = count }
    }

    /// Whether the frame in work is about to be fired, as far as is recorded.
    package var isArmed: Bool { attempt == .preparing }

    /// Nothing is about to be fired any more.
    package mutating func disarm() {
        if attempt == .preparing { note(.planned) }
    }

    /// How many shots the camera had left before the frame in work was fired, where that is certain.
    package var shotsLeftBefore: Int? { current.flatMap { shotsLeft[$0] } }

    /// How many more exposures the camera's counter shows than are recorded, where the ledger lost its last changes; 0
    /// also where it cannot be known: no count is recorded, or another card is in the camera.
    package func unrecordedExposures(shotsLeft: Int?) -> Int {
        let counts = self.shotsLeft.min { ($0.value, -$0.key) < ($1.value, -$1.key) }
        guard isRecordIncomplete, let shotsLeft, let last = counts else { return 0 }
        let fired = firings.indices.count { $0 >= last.key && firings[$0] != .planned && firings[$0] != .failed }
        let again = incidents.count { $0.kind == .firedAgain } + wantedAgain.count
        let more = last.value - shotsLeft - fired - again
        // More than the plan has frames: another card.
        return (1...total).contains(more) ? more : 0
    }

    /// This run of the daemon goes on with it, whichever began it.
    package mutating func takeOver() {
        if left == .interrupted { note(.interrupted, .interrupted, began: ended) }
        left = nil
        isRecordIncomplete = false
    }

    /// Something out of the ordinary began at the frame in work.
    package mutating func note(_ kind: Incident.Kind, _ reason: Incident.Reason, began: Moment? = nil) {
        note(Incident(kind, reason, frame: current, began: began))
    }

    private mutating func note(_ incident: Incident) {
        if incidents.count < Self.incidentsMax { incidents.append(incident) }
    }

    /// The shutter may have been released for the frame in work, for a reason that is not recorded yet.
    package mutating func noteDoubt(_ reason: Incident.Reason) {
        if attempt == .unknown, openDoubt(of: current) == nil { note(.inDoubt, reason) }
    }

    /// What is known now of the frame in doubt.
    package mutating func resolveDoubt(_ outcome: Incident.Outcome) {
        if let index = openDoubt(of: current) { incidents[index].outcome = outcome }
    }

    func openDoubt(of frame: Int?) -> Int? {
        incidents.lastIndex { $0.kind == .inDoubt && $0.frame == frame && $0.outcome == nil }
    }

    /// The daemon ends: what was about to be fired will not be, and what was being fired may be.
    package mutating func interrupt() {
        disarm()
        if isCurrentInDoubt { note(.unknown) }
    }
}
