import Cameras
import Exposure

/// The rows of the ledger, and the changes that it has yet to receive.
struct LedgerChanges: Sendable {
    private var shoot: ShootRow?
    private(set) var frames: [FrameKey: FrameRow] = [:]
    private var cameras: [String: CameraRow] = [:]
    /// The camera in the last row.
    private var lastCamera: String?
    private var rows = LedgerRows()
    /// What is wanted on disk now.
    private var order: (mark: Int, isDurable: Bool)?
    private var lastMark = 0
    /// Shoots up to this number began without a ledger: there the numbers may belong to other shoots. All, before it
    /// opens.
    private var unrecordedUpTo = Int.max

    init() {}

    /// Adopts the opened ledger.
    ///
    /// - Parameters:
    ///   - lastShoot: the last shoot that began before it opened.
    ///   - isMissing: whether frames of the last shoot are missing, if it was not completed.
    mutating func begin(with contents: LedgerContents, lastShoot: Int, isMissing: Bool) {
        unrecordedUpTo = lastShoot
        let met = cameras
        for camera in contents.cameras { cameras[camera.id] = camera }
        let last = lastCamera.flatMap { met[$0] }
        lastCamera = contents.cameras.last?.id
        // Cameras that were connected before may be unrecorded.
        for camera in met.values where camera.id != last?.id { record(camera) }
        if let last { record(last) }
        guard shoot == nil, let unfinished = contents.unfinished else { return }
        guard isMissing else { return complete(unfinished.shoot) }
        // A shoot of this run that began without a ledger has priority.
        guard lastShoot == 0 else { return }
        shoot = unfinished.shoot
        for frame in unfinished.frames { frames[FrameKey(shoot: frame.shoot, index: frame.index)] = frame }
    }

    /// Completes the last shoot: its run captured every frame, and ended before it could record that.
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

    /// An older shoot from the ledger replaces the last one. The missing frames of the last one are dropped, because a
    /// restart of the daemon continues one shoot only.
    mutating func restoreFromLedger(_ kept: LedgerContents.Unfinished) {
        if let last = shoot?.id, last != kept.shoot.id {
            dismiss(by: .shoot(kept.shoot.id, by: .client))
            // Pictures of the last one may still arrive.
            frames = frames.filter { $0.key.shoot == last }
        }
        shoot = kept.shoot
        unrecordedUpTo = min(unrecordedUpTo, kept.shoot.id - 1)
        for frame in kept.frames { frames[FrameKey(shoot: frame.shoot, index: frame.index)] = frame }
    }

    /// Records the present state of a shoot.
    ///
    /// - Parameter pictures: the rows of frames include their files and the times of the exposures.
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

    /// The incidents with the times at which they began and ended.
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
                // The time at which the daemon was killed is not known.
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

    /// Records the result for a picture of an earlier shoot.
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
            frames.values.contains(where: { $0.shoot == row.id && $0.isWanted })
        else { return }
        row.dismissal = dismissal
        rows.shoots[row.id] = row
    }

    /// The rows are in the order of the connections: a camera that connects again is written again.
    mutating func record(_ camera: CameraRow) {
        var row = camera
        if row.network == nil { row.network = cameras[camera.id]?.network }
        guard cameras[camera.id] != row || lastCamera != row.id else { return }
        lastCamera = row.id
        cameras[camera.id] = row
        rows.cameras[camera.id] = row
    }

    /// nil: the setting was restored, or is no longer to be restored.
    mutating func record(_ setting: SettingRow?, _ key: SettingKey) {
        rows.settings[key] = .some(setting)
    }

    mutating func record(_ timing: TimingRow) {
        rows.timings.append(timing)
    }

    /// Requests that the recorded changes are on disk now.
    mutating func requestCommit(mark: Int? = nil, isDurable: Bool) {
        lastMark = max(lastMark, mark ?? lastMark)
        order = (lastMark, (order?.isDurable ?? false) || isDurable)
    }

    // MARK: Commits

    /// The rows for the ledger now; nil: none, or none that must be written now.
    ///
    /// - Parameter mayWait: whether the next commit comes soon.
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
    /// Whether the camera reported the picture, whatever it shows.
    package var isCaptured: Bool {
        switch self {
        case .captured, .verified, .suspect: true
        case .planned, .attempting, .exposed, .lost, .unknown, .failed: false
        }
    }
}
