import Bodies
import Controller
import Exposure

/// The ledger without an operating system. It stores rows, answers later, and outlives the daemon.
package struct VirtualLedger: Sendable {
    /// The present content of the file.
    package private(set) var tables = Tables()
    /// The part of the content that every power cut keeps.
    private var synced = Tables()
    /// The commits after `synced`, in order. A power cut keeps none of them, the first ones, or all.
    private var unsynced: [LedgerCommit] = []
    /// The duration of a commit.
    package var delay = Duration.zero
    /// The duration of an opening.
    package var openDelay = Duration.zero
    /// Why nothing can be written; nil: writing works.
    package var writeFailure: String?
    /// Why the file cannot be opened; nil: opening works.
    package var openFailure: String?
    /// The notice for the user when the ledger opens; nil: none.
    package var notice: String?
    /// Whether the ledger does not answer. Requests then wait until it answers again.
    package var isSilent = false {
        didSet { if !isSilent { releaseHeld() } }
    }
    /// The written commits, in order.
    package private(set) var commits: [LedgerCommit] = []
    /// The content of the file without its log. `log`: the commits in the log, in order.
    private var checkpointed = Tables()
    private var log: [LedgerCommit] = []
    /// Whether commits were lost, and no shoot has continued after the loss.
    private var hasLostCommits = false
    /// The greatest number of a lost shoot. `lossNotice`: the notice of the loss when the ledger opens.
    private var lastLostShoot = 0
    private var lossNotice: String?
    /// The time until which nothing can be written.
    private var failureUntil: Duration?
    private var silentUntil: Duration?
    /// The range of random durations; nil: ``delay`` and ``openDelay``.
    private var delays: ClosedRange<Duration>?
    private var random = SeededGenerator(seed: 0)
    private var pending = Schedule<Work>()
    /// The end of the last planned task. Tasks run one after the other.
    private var busyUntil = Duration.zero
    private var held: [LedgerEffect] = []
    /// The operations that fail once: see ``failOnce(_:)``.
    private var failing: Set<DiskOperation> = []
    /// A commit whose sync failed. If the process ends before the next commit is written, this commit can remain in
    /// the file.
    private var leftOver: LedgerCommit?
    private var now = Duration.zero

    package struct Tables: Equatable, Sendable {
        package var shoots: [Int: ShootRow] = [:]
        package var frames: [FrameKey: FrameRow] = [:]
        package var settings: [SettingKey: SettingRow] = [:]
        package var cameras: [String: CameraRow] = [:]
        /// The ids of the cameras. The camera whose row was written last is at the end.
        package var cameraOrder: [String] = []
        package var timings: [TimingRow] = []

        /// The frames of a shoot, in the order of the plan.
        package func frames(of shoot: Int) -> [FrameRow] {
            frames.values.filter { $0.shoot == shoot }.sorted { $0.index < $1.index }
        }

        fileprivate mutating func apply(_ rows: LedgerRows) {
            // The order does not matter, because the rows are independent.
            for (id, row) in rows.shoots {
                shoots[id] = row
                shoots[id]?.began = row.began.wall
                shoots[id]?.ended = row.ended?.wall
                shoots[id]?.incidents = row.incidents.map { incident in
                    var incident = incident
                    incident.began = incident.began?.wall
                    incident.ended = incident.ended?.wall
                    return incident
                }
            }
            // The order does not matter, because the rows are independent.
            for (key, row) in rows.frames {
                frames[key] = row
                frames[key]?.attempted = row.attempted?.wall
                frames[key]?.captured = row.captured?.wall
            }
            cameras.merge(rows.cameras) { $1 }
            cameraOrder.removeAll { rows.cameras[$0] != nil }
            cameraOrder += rows.cameras.keys.sorted()
            for var row in rows.timings {
                row.at = row.at.wall
                timings.append(row)
            }
            // The order does not matter, because the rows are independent. A nil row removes the setting.
            for (key, row) in rows.settings { settings[key] = row }
        }
    }

    private enum Work: Sendable {
        case open
        case commit(LedgerCommit)
        case read(RequestID, LedgerQuery)
    }

    package init() {}

    package var nextTime: Duration? {
        guard let silentUntil else { return pending.nextTime }
        return min(pending.nextTime ?? silentUntil, silentUntil)
    }

    package mutating func perform(_ effect: LedgerEffect, at now: Duration) {
        self.now = now
        guard !isSilent else { return held.append(effect) }
        switch effect {
        case .open: pending.plan(.open, at: end(of: openDelay, at: now))
        case .commit(let commit): pending.plan(.commit(commit), at: end(of: delay, at: now))
        case .read(let id, let query): pending.plan(.read(id, query), at: now)
        }
    }

    /// When a task that is submitted now ends.
    private mutating func end(of time: Duration, at now: Duration) -> Duration {
        guard let delays else { return now + time }
        busyUntil = max(now, busyUntil) + random.duration(in: delays)
        return busyUntil
    }

    package mutating func takeDue(by now: Duration) -> [Input] {
        self.now = now
        if let end = silentUntil, end <= now {
            silentUntil = nil
            isSilent = false
        }
        if let end = failureUntil, end <= now { (writeFailure, failureUntil) = (nil, nil) }
        var inputs: [Input] = []
        while let (_, work) = pending.takeNext(dueBy: now) { inputs.append(.ledger(finish(work))) }
        return inputs
    }

    /// Ends the process at this instant.
    ///
    /// - Parameters:
    ///   - writesPending: Whether the ledger writes the commits that it has not answered yet.
    ///   - isPowerCut: Whether unsynced commits are lost.
    package mutating func crash(writesPending: Bool, isPowerCut: Bool = false) {
        // No single commit fails here, so that the file has the first commits without a gap.
        failing.removeAll()
        while let (_, work) = pending.takeNext() {
            if writesPending, case .commit = work { _ = finish(work) }
        }
        held.removeAll()
        busyUntil = .zero
        leftOver = nil
        if isPowerCut { dropUnsynced() }
    }

    /// Ends the process at this instant with a random result. The file keeps some of the unanswered commits, from the
    /// first one on. After a power cut, it keeps some of the unsynced commits in the same way.
    package mutating func crash(isPowerCut: Bool, drawing random: inout SeededGenerator) {
        var underWay: [LedgerCommit] = []
        while let (_, work) = pending.takeNext() {
            if case .commit(let commit) = work, writeFailure == nil { underWay.append(commit) }
        }
        held.removeAll()
        busyUntil = .zero
        var atRisk = isPowerCut ? unsynced : []
        if let leftOver { atRisk.append(leftOver) } else { atRisk += underWay }
        let kept = atRisk.prefix(random.next(in: 0...atRisk.count))
        leftOver = nil
        if isPowerCut { dropUnsynced() }
        for commit in kept { write(commit) }
        if isPowerCut { noteSynced() }
    }

    private mutating func dropUnsynced() {
        tables = synced
        commits.removeLast(unsynced.count)
        log.removeLast(unsynced.count)
        unsynced.removeAll()
    }

    /// Damages the log of the file between two runs. The ledger loses the last `count` commits and detects the loss.
    /// Checkpointed rows remain.
    ///
    /// - Returns: whether the ledger lost anything.
    @discardableResult
    package mutating func loseLast(_ count: Int) -> Bool {
        let lost = min(count, log.count)
        guard lost > 0 else { return false }
        lastLostShoot = max(lastLostShoot, tables.shoots.keys.max() ?? 0)
        let kept = log.dropLast(lost)
        commits.removeLast(log.count)
        tables = checkpointed
        log.removeAll()
        for commit in kept { write(commit) }
        noteSynced()
        hasLostCommits = true
        lossNotice = "The ledger lost its last changes: the log of its changes is damaged."
        return true
    }

    /// Makes only the next operation of this kind fail.
    package mutating func failOnce(_ operation: DiskOperation) {
        failing.insert(operation)
    }

    private static let failure = "disk I/O error"

    /// Makes the ledger silent until `end`.
    package mutating func beSilent(until end: Duration) {
        isSilent = true
        silentUntil = end
    }

    /// Makes all writes fail until `end`, for this reason.
    package mutating func refuse(_ reason: String, until end: Duration) {
        writeFailure = reason
        failureUntil = end
    }

    /// Draws a random duration for each later commit and opening; nil: ``delay`` and ``openDelay``.
    package mutating func beSlow(_ delays: ClosedRange<Duration>?, seed: UInt64 = 0) {
        self.delays = delays
        random = SeededGenerator(seed: seed)
    }

    /// Ends all faults.
    package mutating func clearFaults(at now: Duration) {
        self.now = now
        delays = nil
        delay = .zero
        openDelay = .zero
        (writeFailure, failureUntil) = (nil, nil)
        openFailure = nil
        silentUntil = nil
        isSilent = false
        failing.removeAll()
    }

    private mutating func releaseHeld() {
        let effects = held
        held.removeAll()
        for effect in effects { perform(effect, at: now) }
    }

    private mutating func finish(_ work: Work) -> LedgerEvent {
        switch work {
        case .open:
            if let openFailure { return .unavailable(openFailure) }
            if failing.remove(.read) != nil { return .unavailable(Self.failure) }
            return .opened(open())
        case .commit(let commit):
            if let writeFailure { return .failed(writeFailure) }
            if failing.remove(.write) != nil { return .failed(Self.failure) }
            if commit.isDurable, failing.remove(.sync) != nil {
                leftOver = commit
                return .failed(Self.failure)
            }
            leftOver = nil
            write(commit)
            if commit.isDurable { noteSynced() }
            if commit.isDurable, commit.rows.shoots.values.contains(where: { $0.outcome != nil }) { checkpoint() }
            return .committed
        case .read(let id, _) where failing.remove(.read) != nil:
            return .read(id, .failed(Self.failure))
        case .read(let id, .shoots(let limit, let before)):
            let ids = tables.shoots.keys.sorted(by: >).filter { $0 < before ?? .max }.prefix(limit)
            return .read(id, .shoots(ids.compactMap { summary($0) }))
        case .read(let id, .shoot(let shoot)):
            guard let row = tables.shoots[shoot] else { return .read(id, .noShoot(shoot)) }
            return .read(id, .shoot(row, tables.frames(of: shoot)))
        }
    }

    private mutating func write(_ commit: LedgerCommit) {
        tables.apply(commit.rows)
        if commit.rows.shoots.values.contains(where: { $0.outcome == nil || $0.isDismissed }) { hasLostCommits = false }
        unsynced.append(commit)
        commits.append(commit)
        log.append(commit)
    }

    private mutating func noteSynced() {
        synced = tables
        unsynced.removeAll()
    }

    /// Applies the log to the file and empties the log.
    private mutating func checkpoint() {
        noteSynced()
        checkpointed = tables
        log.removeAll()
    }

    private func summary(_ id: Int) -> ShootSummary? {
        tables.shoots[id].map { shoot in
            let frames = tables.frames(of: id)
            return ShootSummary(shoot: shoot, captured: frames.count { $0.outcome.isCaptured }, total: frames.count)
        }
    }

    /// Changes the content of the file, as another version of the daemon could have written it.
    package mutating func change(_ edit: (inout Tables) -> Void) { edit(&tables) }

    /// Opens the ledger. As in the real ledger, open rows of an earlier run become interrupted.
    private mutating func open() -> LedgerContents {
        // The order does not matter, because the rows are independent.
        for (id, shoot) in tables.shoots where shoot.outcome == nil {
            tables.shoots[id]?.outcome = .interrupted
            tables.shoots[id]?.cause = shoot.cause ?? LedgerContents.interruptedSentence
        }
        // The order does not matter, because the rows are independent.
        for (key, frame) in tables.frames {
            if frame.outcome == .attempting { tables.frames[key]?.outcome = .unknown }
            if frame.again == .attempting { tables.frames[key]?.again = .unknown }
        }
        var contents = LedgerContents()
        contents.lastShoot = max(tables.shoots.keys.max() ?? 0, lastLostShoot)
        let unfinished = tables.shoots.values.filter { shoot in
            let isOver = shoot.outcome.map { $0 != .interrupted } ?? false
            return !shoot.isDismissed && shoot.outcome != .completed
                && (!isOver || shoot.request.goal != nil || tables.frames(of: shoot.id).contains(where: \.isWanted))
        }
        if let newest = unfinished.max(by: { $0.id < $1.id }) {
            contents.unfinished = .init(
                shoot: newest,
                frames: tables.frames(of: newest.id),
                isRecordIncomplete: hasLostCommits
            )
        }
        contents.settings = tables.settings.keys.sorted().compactMap { tables.settings[$0] }
        contents.cameras = tables.cameraOrder.compactMap { tables.cameras[$0] }
        contents.timings = tables.timings
        let notices = [lossNotice, notice].compactMap(\.self)
        contents.notice = notices.isEmpty ? nil : notices.joined(separator: " ")
        lossNotice = nil
        checkpoint()
        return contents
    }
}

extension Moment {
    /// The time by the wall clock. The virtual world began in 1970.
    fileprivate var wall: Moment {
        guard case .clock(let time) = self else { return self }
        let (seconds, attoseconds) = time.components
        return .wall(milliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
