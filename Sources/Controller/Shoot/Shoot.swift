import Cameras
import Exposure

/// The record of one shoot: the plan, and the known outcome of each frame.
package struct Shoot: Equatable, Sendable {
    /// The number of the shoot, from 1, over all runs of the daemon.
    package let id: Int
    /// A bracket that finds its own range gets its frames one after the other. A client can extend any shoot.
    package internal(set) var plan: Plan
    /// The body that fires the shoot; see ``Cameras/CameraIdentity/id``.
    package let camera: CameraIdentity
    package let began: Moment
    package let trigger: ShootTrigger
    /// The known outcome of each frame's first firing.
    var firings: [FrameOutcome]
    /// The current or the last frame, as an index into the plan's frames. Nil before the first frame.
    package internal(set) var current: Int?
    /// The sentence that says why the shoot ended early.
    package var cause: String?
    /// The user's request to pause or cancel the shoot before the end of an earlier run interrupted it.
    package var requestedStop: RequestedStop?
    /// The known outcome of each frame's second firing, by the frame's index.
    var again: [Int: FrameOutcome] = [:]
    /// The result of each frame's comparison, by the frame's index. It may come before the camera reports the picture.
    var shotVerdicts: [Int: ShotVerdict] = [:]
    /// The indices of the frames that the user wants once more.
    var wantedAgain: Set<Int> = []
    /// What a bracket that finds its own range covers; nil: not found yet, or the plan has the range.
    package internal(set) var range: FoundRange?
    /// The index of the frame for which the shutter was last released, or was about to be released.
    var lastReleased: Int?
    /// The outcome of the shoot in an earlier run of the daemon; nil: this run fires the shoot.
    package internal(set) var left: ShootOutcome?
    /// Whether the ledger lost the last changes of an earlier run. If so, missing frames may have been captured.
    package internal(set) var isRecordIncomplete = false
    /// The end of the shoot in the earlier run; nil: not known.
    package internal(set) var ended: Moment?
    /// The camera's shot counter before each frame, if that is certain.
    var shotsLeft: [Int: Int] = [:]

    /// The first ``incidentsMax`` incidents, in the order of their begin. The ledger adds their times.
    package internal(set) var incidents: [Incident] = []
    /// The limit of incidents. Only a pause every few seconds all night causes more, and no reader needs more.
    package static let incidentsMax = 100

    /// The result of the comparison of a picture with its shot. A nil doubt means that the picture is verified.
    struct ShotVerdict: Equatable {
        var doubt: SuspectReason?
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
    package var isDone: Bool { firings.allSatisfy(\.isCaptured) && !isRangeOpen }

    /// Whether a bracket that finds its own range may need more frames.
    package var isRangeOpen: Bool { plan.request.goal != nil && range == nil }

    /// Whether the pictures so far have to decide which frame is next.
    var isChoiceAwaited: Bool { isRangeOpen && firings.allSatisfy(\.isCaptured) }

    /// Plans one more frame: the next one of a bracket that finds its own range, or an extension.
    mutating func addFrame(_ speed: ShutterSpeed) {
        plan = plan.adding(speed)
        firings.append(.planned)
        range?.kept.append(speed)
        range?.kept.sort()
    }

    /// The known outcome of each frame.
    package var outcomes: [FrameOutcome] { firings.indices.map(outcome) }

    /// The missing frames, which can be fired or dropped; nil: every frame was captured.
    package var unfinished: UnfinishedShoot? {
        guard !isDone else { return nil }
        // At least one more frame follows while the range is not found.
        let more = isChoiceAwaited ? 1 : 0
        return UnfinishedShoot(id: id, missing: total - captured + more, total: total + more)
    }

    func outcome(of frame: Int) -> FrameOutcome {
        guard firings[frame].isCaptured, let judgement = shotVerdicts[frame] else { return firings[frame] }
        return judgement.doubt.map { .suspect($0) } ?? .verified
    }

    /// The current or the last frame.
    package var frame: PlannedFrame? { current.map { plan.frames[$0] } }

    /// The known outcome of the current firing. This is the second firing if a frame is fired again.
    package var attempt: FrameOutcome? { current.map { again[$0] ?? firings[$0] } }

    var nextMissing: Int? { firings.firstIndex { !$0.isCaptured && !$0.isLost } }

    /// Whether the shutter may have fired for the first missing frame.
    package var isNextInDoubt: Bool { nextMissing.map { firings[$0].isOpen } ?? false }

    /// Whether every frame was fired, and the pictures of some frames were lost.
    package var areMissingFramesLost: Bool { nextMissing == nil && firings.contains { !$0.isCaptured } }

    /// The frame to which the newest files in the body's buffer belong, as long as this run has fired no frame. It is
    /// the frame whose outcome is open, otherwise the last fired frame.
    package var lastOpen: Int? {
        firings.firstIndex(where: \.isOpen) ?? current.flatMap { firings[$0].isCaptured ? $0 : nil }
    }

    /// Selects the first missing frame.
    package mutating func takeNext() {
        guard let next = nextMissing else { preconditionFailure("the chart asks isPlanDone first") }
        current = next
    }

    /// Whether the shutter may have been released for the current frame, and the camera has not reported a picture.
    package var isCurrentInDoubt: Bool {
        switch attempt {
        case .attempting, .exposing, .unknown: true
        case .planned, .preparing, .exposed, .lost, .captured, .verified, .suspect, .failed, nil: false
        }
    }

    /// Notes that the current frame failed. If the body accepted the shutter command, the shutter may have fired.
    package mutating func giveUp() {
        switch attempt {
        case .exposing: note(.unknown)
        case .planned, .preparing, .attempting: note(.failed)
        case .exposed, .lost, .captured, .unknown, .verified, .suspect, .failed, nil: break
        }
    }

    /// Notes the known outcome of the current firing.
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

    /// Why the shutter is pressed a second time for this frame; nil: this is the first time, or the reason is noted.
    private var reasonAgain: Incident.Reason? {
        guard let current else { return nil }
        if again[current] != nil { return wantedAgain.contains(current) ? .command : .suspect }
        let last = incidents.last { incident in
            // If the picture of a fired frame is lost, the frame is fired once more.
            let wasInDoubt = incident.kind == .inDoubt && [.unknown, .fired].contains(incident.outcome)
            return incident.frame == current && (wasInDoubt || incident.kind == .firedAgain)
        }
        return last?.kind == .inDoubt ? .inDoubt : nil
    }

    /// Notes that the current frame is about to be fired. The shot counter is nil if it is not certain.
    package mutating func arm(shotsLeft: Int?) {
        note(.preparing)
        if let current { self.shotsLeft[current] = shotsLeft }
    }

    /// Notes that the next missing frame is about to be fired, while the current frame is still processed. This is only
    /// for a frame with the speed of the current frame, because the body has this speed already.
    ///
    /// - Returns: whether there is such a frame.
    package mutating func armNextAtSameSpeed(shotsLeft: Int?) -> Bool {
        guard let current, let next = nextMissing, firings[next] == .planned, wantedAgain.isEmpty,
            plan.frames[next].speed == plan.frames[current].speed
        else { return false }
        firings[next] = .preparing
        self.shotsLeft[next] = shotsLeft
        return true
    }

    /// Notes the camera's counter before the current frame, if it becomes certain only after ``arm(shotsLeft:)``.
    package mutating func noteShotsLeft(_ count: Int) {
        if let current { shotsLeft[current] = count }
    }

    /// Whether the record says that the current frame is about to be fired.
    package var isArmed: Bool { attempt == .preparing }

    /// Notes that the frame that was about to be fired will not be fired now.
    package mutating func disarm() {
        if attempt == .preparing { note(.planned) }
        for index in firings.indices where firings[index] == .preparing { firings[index] = .planned }
    }

    /// The shot counter before the current frame, if that is certain.
    package var shotsLeftBefore: Int? { current.flatMap { shotsLeft[$0] } }

    /// The number of exposures that the camera's counter shows but the ledger does not have, if the ledger lost its
    /// last changes. It is also 0 if the number is not known: no count is recorded, or another card is in the camera.
    package func unrecordedExposures(shotsLeft: Int?) -> Int {
        let counts = self.shotsLeft.min { ($0.value, -$0.key) < ($1.value, -$1.key) }
        guard isRecordIncomplete, let shotsLeft, let last = counts else { return 0 }
        let fired = firings.indices.count { $0 >= last.key && firings[$0] != .planned && firings[$0] != .failed }
        let again = incidents.count { $0.kind == .firedAgain } + wantedAgain.count
        let more = last.value - shotsLeft - fired - again
        // A number greater than the number of planned frames means that another card is in the camera.
        return (1...total).contains(more) ? more : 0
    }

    /// Lets this run of the daemon continue the shoot.
    package mutating func adoptByThisRun() {
        if left == .interrupted { note(.interrupted, .interrupted, began: ended) }
        left = nil
        // Later exposures can be missing in the record, so its counts prove nothing.
        if isRecordIncomplete { shotsLeft.removeAll() }
        isRecordIncomplete = false
    }

    /// Notes an incident that began at the current frame.
    package mutating func note(_ kind: Incident.Kind, _ reason: Incident.Reason, began: Moment? = nil) {
        note(Incident(kind, reason, frame: current, began: began))
    }

    private mutating func note(_ incident: Incident) {
        if incidents.count < Self.incidentsMax { incidents.append(incident) }
    }

    /// Notes that the shutter may have been released for the current frame, unless a reason is recorded already.
    package mutating func noteDoubt(_ reason: Incident.Reason) {
        if attempt == .unknown, openDoubt(of: current) == nil { note(.inDoubt, reason) }
    }

    /// Notes the resolved outcome of the frame in doubt.
    package mutating func resolveDoubt(_ outcome: Incident.Outcome) {
        if let index = openDoubt(of: current) { incidents[index].outcome = outcome }
    }

    func openDoubt(of frame: Int?) -> Int? {
        incidents.lastIndex { $0.kind == .inDoubt && $0.frame == frame && $0.outcome == nil }
    }

    /// Notes that the daemon ends. A frame that was about to be fired stays planned. If the shutter was released, the
    /// frame is in doubt.
    package mutating func interrupt() {
        disarm()
        if isCurrentInDoubt { note(.unknown) }
    }
}
