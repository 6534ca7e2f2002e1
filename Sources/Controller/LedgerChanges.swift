import Cameras
import Exposure

/// What the ledger has, and what it has yet to receive: only what changed is sent.
struct LedgerChanges: Sendable {
    private var shoot: ShootRow?
    private(set) var frames: [FrameKey: FrameRow] = [:]
    private var cameras: [String: CameraRow] = [:]
    /// The camera whose row is the last.
    private var lastCamera: String?
    private var rows = LedgerRows()
    /// What is wanted on disk now.
    private var order: (mark: Int, isDurable: Bool)?
    private var lastMark = 0
    /// Shoots that were begun when there was no ledger: their numbers may be others' there. Until it is open, all.
    private var unrecordedUpTo = Int.max

    init() {}

    /// The ledger is open.
    ///
    /// - Parameters:
    ///   - lastShoot: the last shoot that was begun before.
    ///   - isMissing: whether anything is missing of the last shoot, where it was not completed.
    mutating func begin(with contents: LedgerContents, lastShoot: Int, isMissing: Bool) {
        unrecordedUpTo = lastShoot
        let met = cameras
        for camera in contents.cameras { cameras[camera.id] = camera }
        let last = lastCamera.flatMap { met[$0] }
        lastCamera = contents.cameras.last?.id
        // What was met before may have gone unrecorded.
        for camera in met.values where camera.id != last?.id { record(camera) }
        if let last { record(last) }
        guard shoot == nil, let unfinished = contents.unfinished else { return }
        guard isMissing else { return complete(unfinished.shoot) }
        // A shoot that this run began without a ledger stands before it.
        guard lastShoot == 0 else { return }
        shoot = unfinished.shoot
        for frame in unfinished.frames { frames[FrameKey(shoot: frame.shoot, index: frame.index)] = frame }
    }

    /// The last run captured every frame, and ended before it could say so.
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

    /// An older shoot that the ledger answered takes the place of the last one. The frames that the last one lacks are
    /// dropped, because a restart of the daemon goes on with one shoot only.
    mutating func recall(_ kept: LedgerContents.Unfinished) {
        if let last = shoot?.id, last != kept.shoot.id {
            dismiss(by: .shoot(kept.shoot.id, by: .client))
            // Pictures of the last one may still come.
            frames = frames.filter { $0.key.shoot == last }
        }
        shoot = kept.shoot
        unrecordedUpTo = min(unrecordedUpTo, kept.shoot.id - 1)
        for frame in kept.frames { frames[FrameKey(shoot: frame.shoot, index: frame.index)] = frame }
    }

    /// How a shoot stands now.
    ///
    /// - Parameter pictures: their files and the times at which they were taken are in the rows of frames.
    mutating func record(_ standing: ShootStanding, _ pictures: RecentPictures, at now: Duration) {
        let present = standing.shoot
        guard present.id > unrecordedUpTo else { return }
        if shoot?.id != present.id {
            frames = frames.filter { $0.key.shoot == shoot?.id }
            dismiss(by: .shoot(present.id, by: present.trigger))
        }
        let row = row(standing, at: now)
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

    private func row(_ standing: ShootStanding, at now: Duration) -> ShootRow {
        let present = standing.shoot
        var row = ShootRow(
            id: present.id,
            request: present.plan.request,
            headline: PlanText.headline(present.plan),
            cameraID: present.camera.id,
            cameraName: shoot?.id == present.id ? shoot?.cameraName ?? "" : present.camera.name,
            began: present.began,
            outcome: standing.outcome,
            cause: standing.cause,
            requestedStop: standing.requestedStop,
            incidents: incidents(of: present, isPaused: standing.isPaused, at: now)
        )
        if standing.outcome != nil {
            let isKnown = shoot?.id == present.id && shoot?.outcome == standing.outcome
            row.ended = isKnown ? shoot?.ended : .clock(now)
        }
        return row
    }

    /// With the times at which they began and ended.
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
                // When the daemon was killed is not known.
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

    /// A picture of a shoot that is no longer the present one was judged.
    mutating func amend(_ key: FrameKey, _ outcome: FrameState?, doubt: String?, files: [String]) {
        guard var row = frames[key] else { return }
        if let outcome, row.outcome.isCaptured { row.outcome = outcome }
        row.doubt = doubt ?? row.doubt
        row.files = files
        guard row != frames[key] else { return }
        frames[key] = row
        rows.frames[key] = row
    }

    /// The rest of the last shoot was dropped.
    mutating func recordDismissal() {
        guard shoot != nil else { return }
        dismiss(by: .request)
        requestCommit(isDurable: true)
        shoot = nil
        frames.removeAll()
    }

    /// What the last shoot lacks is dropped.
    private mutating func dismiss(by dismissal: Dismissal) {
        guard var row = shoot, row.outcome != .completed, row.dismissal == nil,
            frames.values.contains(where: { $0.shoot == row.id && $0.isWanted })
        else { return }
        row.dismissal = dismissal
        rows.shoots[row.id] = row
    }

    /// The rows are in the order in which the cameras were connected: one that comes back is written again.
    mutating func record(_ camera: CameraRow) {
        var row = camera
        if row.network == nil { row.network = cameras[camera.id]?.network }
        guard cameras[camera.id] != row || lastCamera != row.id else { return }
        lastCamera = row.id
        cameras[camera.id] = row
        rows.cameras[camera.id] = row
    }

    /// nil: the setting was put back, or is no longer to be.
    mutating func record(_ setting: SettingRow?, _ key: SettingKey) {
        rows.settings[key] = .some(setting)
    }

    mutating func record(_ timing: TimingRow) {
        rows.timings.append(timing)
    }

    /// What was recorded is wanted on disk now.
    mutating func requestCommit(mark: Int? = nil, isDurable: Bool) {
        lastMark = max(lastMark, mark ?? lastMark)
        order = (lastMark, (order?.isDurable ?? false) || isDurable)
    }

    // MARK: Commits

    /// What the ledger is to receive now; nil: nothing, or nothing that could not wait for the next time.
    ///
    /// - Parameter mayWait: whether there will be a next time soon.
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
