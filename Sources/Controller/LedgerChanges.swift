import Cameras
import Exposure

/// The recorded rows, and the changes that the ledger has not received yet.
struct LedgerChanges: Sendable {
    private var shoot: ShootRow?
    private(set) var frames: [FrameKey: FrameRow] = [:]
    private var cameras: [String: CameraRow] = [:]
    /// The id of the camera in the last row.
    private var lastCamera: String?
    private var rows = LedgerRows()
    /// The requested commit; nil: no commit is requested.
    private var order: (mark: Int, isDurable: Bool)?
    private var lastMark = 0
    /// Shoots up to this number began before the ledger opened. They are not recorded, because the ledger may use
    /// their numbers for other shoots.
    private var unrecordedUpTo = Int.max

    init() {}

    /// Adopts the opened ledger.
    ///
    /// - Parameters:
    ///   - lastShoot: the number of the last shoot that began before the ledger opened; 0: none.
    ///   - isMissing: whether the unfinished shoot in the ledger has missing frames.
    mutating func begin(with contents: LedgerContents, lastShoot: Int, isMissing: Bool) {
        unrecordedUpTo = lastShoot
        let met = cameras
        for camera in contents.cameras { cameras[camera.id] = camera }
        let last = lastCamera.flatMap { met[$0] }
        lastCamera = contents.cameras.last?.id
        // The ledger can lack the cameras that were connected before the ledger opened.
        for camera in met.values where camera.id != last?.id { record(camera) }
        if let last { record(last) }
        guard shoot == nil, let unfinished = contents.unfinished else { return }
        guard isMissing else { return complete(unfinished.shoot) }
        // A shoot that began before the ledger opened has priority.
        guard lastShoot == 0 else { return }
        shoot = unfinished.shoot
        for frame in unfinished.frames { frames[FrameKey(shoot: frame.shoot, index: frame.index)] = frame }
    }

    /// Records that the last shoot is completed.
    ///
    /// An earlier run of the daemon captured every frame of this shoot, and ended before it recorded the outcome.
    private mutating func complete(_ left: ShootRow) {
        guard left.outcome == .interrupted else { return }
        var row = left
        row.outcome = .completed
        row.cause = nil
        row.requestedStop = nil
        rows.shoots[row.id] = row
        requestCommit(isDurable: true)
    }

    // MARK: Recording

    /// Replaces the last shoot by an older shoot from the ledger.
    ///
    /// The missing frames of the last shoot are dropped, because a restarted daemon can continue only one shoot.
    mutating func restoreFromLedger(_ kept: LedgerContents.Unfinished) {
        if let last = shoot?.id, last != kept.shoot.id {
            dismiss(by: .shoot(kept.shoot.id, by: .client))
            // The frames of the last shoot stay, because their pictures may still arrive.
            frames = frames.filter { $0.key.shoot == last }
        }
        shoot = kept.shoot
        unrecordedUpTo = min(unrecordedUpTo, kept.shoot.id - 1)
        for frame in kept.frames { frames[FrameKey(shoot: frame.shoot, index: frame.index)] = frame }
    }

    /// Records the present state of a shoot.
    ///
    /// - Parameter pictures: the files and the capture times for the rows of the frames.
    mutating func record(_ state: ShootState, _ pictures: RecentPictures, at now: Duration) {
        let present = state.shoot
        guard present.id > unrecordedUpTo else { return }
        if shoot?.id != present.id {
            frames = frames.filter { $0.key.shoot == shoot?.id }
            dismiss(by: .shoot(present.id, by: present.trigger))
        }
        let row = row(state, at: now)
        if row != shoot {
            shoot = row
            rows.shoots[row.id] = row
        }
        for index in present.plan.frames.indices {
            var row = present.row(index)
            row.taken = pictures.taken(of: present.id, index)
            record(row, files: pictures.files(of: present.id, index).map(\.path), at: now)
        }
    }

    private func row(_ state: ShootState, at now: Duration) -> ShootRow {
        let present = state.shoot
        var row = ShootRow(
            id: present.id,
            request: present.plan.request,
            headline: PlanText.headline(present.plan),
            cameraID: present.camera.id,
            cameraName: shoot?.id == present.id ? shoot?.cameraName ?? "" : present.camera.name,
            began: present.began,
            outcome: state.outcome,
            cause: state.cause,
            requestedStop: state.requestedStop,
            incidents: incidents(of: present, isPaused: state.isPaused, at: now)
        )
        if state.outcome != nil {
            let isKnown = shoot?.id == present.id && shoot?.outcome == state.outcome
            row.ended = isKnown ? shoot?.ended : .clock(now)
        }
        return row
    }

    /// The incidents with the times of their beginnings and ends.
    private func incidents(of present: Shoot, isPaused: Bool, at now: Duration) -> [Incident] {
        let before = shoot?.id == present.id ? shoot?.incidents ?? [] : []
        let lastPause = present.incidents.lastIndex { $0.kind == .paused }
        return present.incidents.enumerated().map { index, incident in
            var row = incident
            let known = before.indices.contains(index) ? before[index] : nil
            let isOpen =
                switch incident.kind {
                case .paused: isPaused && index == lastPause
                case .inDoubt: incident.outcome == nil
                // The end of this incident is recorded now, and its beginning is not known.
                case .interrupted: false
                case .firedAgain: true
                }
            if incident.kind != .interrupted { row.began = known?.began ?? incident.began ?? .clock(now) }
            row.ended = known?.ended ?? incident.ended ?? (isOpen ? nil : .clock(now))
            return row
        }
    }

    private mutating func record(_ present: FrameRow, files: [String], at now: Duration) {
        let key = FrameKey(shoot: present.shoot, index: present.index)
        let before = frames[key]
        var row = present
        row.files = files.isEmpty ? before?.files ?? [] : files
        row.taken = present.taken ?? before?.taken
        row.attempted = before?.attempted
        row.captured = before?.captured
        if row.isAttempted, before?.isAttempted != true { row.attempted = .clock(now) }
        if row.outcome.isCaptured, before?.outcome.isCaptured != true { row.captured = .clock(now) }
        if row.again == .captured, before?.again != .captured { row.captured = .clock(now) }
        guard row != before else { return }
        frames[key] = row
        rows.frames[key] = row
    }

    /// Records a file and its verification result for a frame of an earlier shoot, or after the daemon began to stop.
    mutating func amend(_ key: FrameKey, _ verdict: Verdict, files: [String]) {
        guard var row = frames[key] else { return }
        if let outcome = verdict.frameState, row.outcome.isCaptured { row.outcome = outcome }
        row.doubt = verdict.doubt?.sentence ?? row.doubt
        row.files = files
        guard row != frames[key] else { return }
        frames[key] = row
        rows.frames[key] = row
    }

    /// Records that the missing frames of the last shoot were dropped.
    mutating func recordDismissal() {
        guard shoot != nil else { return }
        dismiss(by: .request)
        requestCommit(isDurable: true)
        shoot = nil
        frames.removeAll()
    }

    /// Drops the missing frames of the last shoot.
    private mutating func dismiss(by dismissal: Dismissal) {
        guard var row = shoot, row.outcome != .completed, row.dismissal == nil,
            row.request.goal != nil || frames.values.contains(where: { $0.shoot == row.id && $0.isWanted })
        else { return }
        row.dismissal = dismissal
        rows.shoots[row.id] = row
    }

    /// Records a camera. The rows have the order of the sessions, so a camera that connects again is written again.
    mutating func record(_ camera: CameraRow) {
        var row = camera
        if row.network == nil { row.network = cameras[camera.id]?.network }
        guard cameras[camera.id] != row || lastCamera != row.id else { return }
        lastCamera = row.id
        cameras[camera.id] = row
        rows.cameras[camera.id] = row
    }

    /// Records a setting to restore; nil: the setting was restored, or must not be restored any more.
    mutating func record(_ setting: SettingRow?, _ key: SettingKey) {
        rows.settings[key] = .some(setting)
    }

    mutating func record(_ timing: TimingRow) {
        rows.timings.append(timing)
    }

    /// Requests a commit of the recorded changes now.
    mutating func requestCommit(mark: Int? = nil, isDurable: Bool) {
        lastMark = max(lastMark, mark ?? lastMark)
        order = (lastMark, (order?.isDurable ?? false) || isDurable)
    }

    // MARK: Commits

    /// Takes the rows that the ledger must write now; nil: there are no rows, or the rows can wait.
    ///
    /// - Parameter mayWait: whether rows without a requested commit can wait for the next commit.
    mutating func takeOrder(mayWait: Bool) -> RecordOrder? {
        if order == nil, !mayWait, !rows.isEmpty { order = (lastMark, false) }
        guard let (mark, isDurable) = order else { return nil }
        defer {
            rows = LedgerRows()
            order = nil
        }
        return RecordOrder(rows: rows, isDurable: isDurable, mark: mark)
    }
}

extension FrameRow {
    fileprivate var isAttempted: Bool { again.map { $0 == .attempting } ?? (outcome == .attempting) }
}

extension FrameState {
    /// Whether the picture was captured, even if it is suspect.
    package var isCaptured: Bool {
        switch self {
        case .captured, .verified, .suspect: true
        case .planned, .attempting, .exposed, .lost, .unknown, .failed: false
        }
    }
}
