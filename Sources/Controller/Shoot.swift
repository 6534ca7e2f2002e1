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
    private var firings: [FrameOutcome]
    /// The frame in work, or the last that was; an index into the plan's frames. Nil before the first.
    package private(set) var current: Int?
    /// Why the shoot ended early, in a sentence.
    package var cause: String?
    /// What the user had ordered when the shoot was interrupted, in an earlier run of the daemon.
    package var requestedStop: RequestedStop?
    /// What is known of the second firing of a suspect frame, by the frame's index.
    private var again: [Int: FrameOutcome] = [:]
    /// What pictures say of their frames, by the frame's index; may come before the camera's word of the capture.
    private var judgements: [Int: Judgement] = [:]
    /// Frames that a person wants once more, by index.
    private var wantedAgain: Set<Int> = []
    /// The frame whose shutter was released last, or was to be; an index.
    private var lastReleased: Int?
    /// How it ended in an earlier run of the daemon, and was left; nil: it is this run's.
    package private(set) var left: ShootOutcome?
    /// Whether the ledger lost the last changes of an earlier run: what is missing may have been captured.
    package private(set) var isRecordIncomplete = false
    /// When it ended in that run; nil: not known.
    package private(set) var ended: Moment?
    /// How many shots the camera had left when each frame was about to be fired, as far as that is certain.
    private var shotsLeft: [Int: Int] = [:]

    /// What did not go as planned, in the order in which it began: the first ``incidentsMax``. Times are the ledger's.
    package private(set) var incidents: [Incident] = []
    /// A pause every few seconds for a whole night is more; a reader has enough of it then.
    package static let incidentsMax = 100

    /// A verdict and the shot that it is of. Nil: verified.
    private struct Judgement: Equatable {
        var doubt: Doubt?
        var shot: Ticket
    }

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

    private func outcome(of frame: Int) -> FrameOutcome {
        guard firings[frame].isCaptured, let judgement = judgements[frame] else { return firings[frame] }
        return judgement.doubt.map { .suspect($0) } ?? .verified
    }

    /// The frame in work, or the last that was.
    package var frame: PlannedFrame? { current.map { plan.frames[$0] } }

    /// What is known of the firing in work: the second, where a suspect frame is fired again.
    package var attempt: FrameOutcome? { current.map { again[$0] ?? firings[$0] } }

    private var nextMissing: Int? { firings.firstIndex { !$0.isCaptured && !$0.isLost } }

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

    private func openDoubt(of frame: Int?) -> Int? {
        incidents.lastIndex { $0.kind == .inDoubt && $0.frame == frame && $0.outcome == nil }
    }

    /// The daemon ends: what was about to be fired will not be, and what was being fired may be.
    package mutating func interrupt() {
        disarm()
        if isCurrentInDoubt { note(.unknown) }
    }

    /// How far it came, in the words that people rely on.
    package var sentence: String {
        if isDone { return "\(captured) of \(total) exposures captured" }
        guard let position = frame?.position else {
            return "Stopped before the first frame. 0 of \(total) exposures captured."
        }
        let stopped = "Stopped at set \(position.set), frame \(position.frame)."
        let open = [unknownSentence, exposedSentence].compactMap(\.self).map { " \($0)" }.joined()
        return "\(stopped) \(captured) of \(total) exposures captured.\(open)"
    }

    /// The same with a full stop in any case.
    package var fullSentence: String { isDone ? "\(sentence)." : sentence }

    /// Which frame's shutter may have fired; nil: none's.
    private var unknownSentence: String? {
        let unknown = firings.indices.filter { firings[$0] == .unknown || again[$0] == .unknown }
        guard let first = unknown.first else { return nil }
        let more = unknown.count > 1 ? " and \(unknown.count - 1) more" : ""
        return "The frame at \(plan.frames[first].speed.label)\(more) may have been fired."
    }

    /// Which frame's picture the body may still hold; nil: none's.
    private var exposedSentence: String? {
        let open = firings.firstIndex(of: .exposed)
        return open.map { "The picture at \(plan.frames[$0].speed.label) is not stored yet." }
    }
}

// Pictures that are kept on this computer alone.
extension Shoot {
    /// Whether the body reported the picture of the frame in work, and it is not stored here yet.
    package var isPictureOwed: Bool { attempt == .exposed }

    /// A frame counts as captured because its picture is durable here.
    ///
    /// - Parameter isOnlyCopy: whether the body keeps its pictures nowhere else, so that the file proves the frame.
    package mutating func settle(_ frame: Int, isOnlyCopy: Bool) {
        guard firings.indices.contains(frame) else { return }
        switch again[frame] ?? firings[frame] {
        case .exposed, .lost: break
        case .unknown, .planned, .failed: if !isOnlyCopy { return }
        case .preparing, .attempting, .exposing, .captured, .verified, .suspect: return
        }
        if again[frame] == nil { return firings[frame] = .captured }
        again[frame] = .captured
        wantedAgain.remove(frame)
    }

    /// Frames whose pictures were lost are to be fired.
    package mutating func planLost() {
        for index in firings.indices where firings[index].isLost { firings[index] = .planned }
        again = again.filter { !$0.value.isLost }
    }

    /// Which frames are missing because their pictures were lost, and why; nil: none.
    package var lossSentence: String? {
        Self.summary(
            of: firings.enumerated().compactMap { index, outcome in
                if case .lost(let reason) = outcome { plan.frames[index].lossSentence(reason) } else { nil }
            },
            "missing"
        )
    }

    /// Which frames' second pictures were lost, and why; nil: none. Nothing is missing for that.
    private var secondLossSentence: String? {
        Self.summary(
            of: again.sorted { $0.key < $1.key }.compactMap { index, outcome in
                if case .lost(let reason) = outcome { plan.frames[index].secondLossSentence(reason) } else { nil }
            },
            "lost"
        )
    }

    /// The first few sentences, and how many more there are; nil: none.
    private static func summary(of sentences: [String], _ what: String) -> String? {
        guard !sentences.isEmpty else { return nil }
        let more = sentences.count - sentencesMax
        let first = sentences.prefix(sentencesMax).joined(separator: " ")
        return more > 0 ? "\(first) \(more) more \(more == 1 ? "is" : "are") \(what)." : first
    }
}

// What is kept of it.
extension Shoot {
    /// A frame as it is kept, without times and files.
    package func row(_ index: Int) -> FrameRow {
        let outcome = outcome(of: index)
        var row = FrameRow(shoot: id, index: index, planned: plan.frames[index], outcome: outcome.word)
        switch outcome {
        case .suspect(let doubt): row.doubt = doubt.sentence
        case .lost(let reason): row.doubt = reason
        default: break
        }
        row.again = again[index]?.word
        if wantedAgain.contains(index), row.again != .attempting, row.again != .unknown { row.again = .planned }
        row.shotsLeft = shotsLeft[index]
        return row
    }

    /// A shoot that an earlier run of the daemon left. What was about to be fired then may have been.
    package init(_ kept: LedgerContents.Unfinished) {
        let shoot = kept.shoot
        let frames = kept.frames.sorted { $0.index < $1.index }
        id = shoot.id
        plan = Plan(request: shoot.request, frames: frames.map(\.planned))
        camera = CameraIdentity(maker: "", model: shoot.cameraName, firmware: "", serial: "", id: shoot.cameraID)
        began = shoot.began
        // Which frames it dropped when it began is recorded.
        trigger = .client
        incidents = shoot.incidents
        ended = shoot.ended
        cause = shoot.cause
        requestedStop = shoot.requestedStop
        isRecordIncomplete = kept.isRecordIncomplete
        firings = frames.map { FrameOutcome($0.outcome, doubt: $0.doubt) }
        for (index, frame) in frames.enumerated() {
            shotsLeft[index] = frame.shotsLeft
            switch frame.again {
            case nil: break
            case .captured, .verified, .suspect: again[index] = .captured
            // Whether it was fired does not matter much: its first picture is there.
            case .planned, .attempting, .exposed, .lost, .unknown, .failed: wantedAgain.insert(index)
            }
            switch frame.outcome {
            case .verified: judgements[index] = Judgement(doubt: nil, shot: Ticket(rawValue: 0))
            case .suspect:
                let doubt = Doubt.kept(frame.doubt ?? "An earlier run of the daemon found it suspect.")
                judgements[index] = Judgement(doubt: doubt, shot: Ticket(rawValue: 0))
            case .planned, .attempting, .exposed, .lost, .captured, .unknown, .failed: break
            }
        }
        left = shoot.outcome ?? .interrupted
        // Lost pictures alone ended it: its frames say so.
        if left == .partial, isRestLost { cause = nil }
        current = firings.lastIndex { $0 != .planned }
        lastReleased = firings.lastIndex { $0.isCaptured }
    }

    /// The same shoot, with every frame in doubt to be fired again: other frames may have been fired since, and a
    /// camera can only say whether its last one was.
    package var withoutDoubts: Shoot {
        var shoot = self
        for index in firings.indices where firings[index].isOpen {
            shoot.firings[index] = .planned
            shoot.shotsLeft[index] = nil
            if let doubt = openDoubt(of: index) { shoot.incidents[doubt].outcome = .unknown }
        }
        return shoot
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
    fileprivate init(_ word: FrameState, doubt: String?) {
        switch word {
        case .planned: self = .planned
        case .attempting, .unknown: self = .unknown
        case .captured, .verified, .suspect: self = .captured
        case .failed: self = .failed
        case .exposed: self = .exposed
        case .lost: self = .lost(doubt ?? "The camera no longer had its picture.")
        }
    }
}

// What pictures say of their frames.
extension Shoot {
    /// More frames than these are only counted in a sentence.
    private static let sentencesMax = 3

    /// Whether a set was just fired whole, and the next not begun.
    package var isAtSetEnd: Bool {
        guard let next = nextMissing else { return true }
        return next > 0 && plan.frames[next - 1].position.set != plan.frames[next].position.set
    }

    /// Whether the last frame can be fired once more: one was released, and is not wanted again already.
    package var mayWantAgain: Bool {
        lastReleased.map { !wantedAgain.contains($0) || again[$0]?.isLost == true } ?? false
    }

    /// The frame that was released last is to be fired once more, when it is captured.
    package mutating func wantAgain() {
        guard let lastReleased else { return }
        if again[lastReleased]?.isLost == true { again[lastReleased] = nil }
        wantedAgain.insert(lastReleased)
    }

    /// Whether a person wants a captured frame once more.
    package var isWantedAgain: Bool { nextWanted != nil }

    /// What is to be fired when it goes on: frames that are missing or wanted again, and last those of which nobody
    /// knows whether they were fired.
    package func firing(withRedo: Bool = false) -> Preflight.Firing {
        var wanted = wantedAgain
        if withRedo, let lastReleased { wanted.insert(lastReleased) }
        var (certain, doubtful): ([ShutterSpeed], [ShutterSpeed]) = ([], [])
        for (index, outcome) in firings.enumerated() {
            let speed = plan.frames[index].speed
            switch outcome {
            case .planned, .preparing, .lost, .failed: certain.append(speed)
            case .attempting, .exposing, .exposed, .unknown: doubtful.append(speed)
            case .captured, .verified, .suspect: if wanted.contains(index) { certain.append(speed) }
            }
        }
        return Preflight.Firing(camera: camera, speeds: certain + doubtful, doubtful: doubtful.count)
    }

    /// The speeds that are to be fired yet, that of the frame in work among them until its picture is there.
    package var speedsLeft: [ShutterSpeed] {
        firings.indices.filter { index in
            !firings[index].isCaptured || wantedAgain.contains(index)
                || index == current && again[index]?.isCaptured == false
        }.map { plan.frames[$0].speed }
    }

    private var nextWanted: Int? {
        wantedAgain.sorted().first { firings[$0].isCaptured && again[$0]?.isLost != true }
    }

    /// Turns to the frame that a person wants once more.
    package mutating func takeWanted() {
        guard let next = nextWanted else { preconditionFailure("the chart asks isAgainWanted first") }
        current = next
        again[next] = .planned
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
        Self.summary(
            of: outcomes.enumerated().compactMap { index, outcome in
                if case .suspect(let doubt) = outcome { plan.frames[index].doubtSentence(doubt) } else { nil }
            },
            "suspect"
        )
    }

    /// Why it ended early, which pictures were lost, and what is suspect; nil: none of it.
    package var remark: String? {
        let sentences = [cause, lossSentence, secondLossSentence, doubtSentence].compactMap(\.self)
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}

extension PlannedFrame {
    /// `Set 2, frame 3 at 1/15`.
    package var place: String { "Set \(position.set), frame \(position.frame) at \(speed.label)" }

    /// That this frame is suspect, and why.
    package func doubtSentence(_ doubt: Doubt) -> String { "\(place) is suspect: \(doubt.clause)." }

    /// That the picture of this frame is lost, and why.
    package func lossSentence(_ reason: String) -> String { "\(place) is missing: its picture is lost. \(reason)" }

    /// That the picture of this frame's second firing is lost, and why.
    package func secondLossSentence(_ reason: String) -> String {
        "\(place) was fired again: the second picture is lost, the first one is kept. \(reason)"
    }
}
