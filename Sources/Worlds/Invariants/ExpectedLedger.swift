import Controller

/// What the ledger's disk must have, worked out from what was handed over and what was acknowledged.
struct ExpectedLedger: Sendable {
    /// What a power cut leaves in any case.
    private var durable: Rows
    /// Acknowledged since; the end of the process leaves it.
    private var since: [LedgerCommit] = []
    /// Handed over, and not answered yet.
    private var pending: [LedgerCommit] = []
    private var isOpening = false
    /// What failed last, and may be on disk all the same when the process ends: its sync may be all that failed.
    private var leftOver: LedgerCommit?
    /// The greatest number of a shoot that was lost: it is not given again.
    private var lastLostShoot = 0

    /// Rows without times.
    struct Rows: Equatable, Sendable {
        var shoots: [Int: ShootRow] = [:]
        var frames: [FrameKey: FrameRow] = [:]
        var settings: [SettingKey: SettingRow] = [:]
        var cameras: [String: CameraRow] = [:]
    }

    init(_ tables: VirtualLedger.Tables) { durable = Rows(tables) }

    /// Whether a power cut now would leave it on disk that this frame is about to be fired.
    func isAttemptDurable(_ key: FrameKey) -> Bool {
        guard let row = durable.frames[key] else { return false }
        return row.outcome == .attempting || row.again == .attempting
    }

    mutating func take(_ effect: LedgerEffect) {
        switch effect {
        case .open: isOpening = true
        case .commit(let commit): pending.append(commit)
        case .read: break
        }
    }

    /// - Returns: what is wrong with it; nil: nothing.
    mutating func take(_ news: LedgerNews) -> String? {
        switch news {
        case .committed:
            guard !pending.isEmpty else { return "A commit is acknowledged that was never handed over." }
            let commit = pending.removeFirst()
            leftOver = nil
            since.append(commit)
            if commit.isDurable { settle() }
            return nil
        case .failed:
            guard !pending.isEmpty else { return "A commit fails that was never handed over." }
            leftOver = pending.removeFirst()
            return nil
        case .opened(let contents):
            isOpening = false
            settle()
            durable.interrupt()
            return durable.difference(from: contents, lastLostShoot: lastLostShoot)
        case .unavailable:
            isOpening = false
            return nil
        case .read, .room:
            return nil
        }
    }

    /// The process ended, and this is on disk.
    ///
    /// - Returns: what is wrong with it; nil: nothing.
    mutating func died(_ tables: VirtualLedger.Tables, isPowerCut: Bool) -> String? {
        let actual = Rows(tables)
        var commits = since + pending
        var kept = count(of: commits, in: actual, isPowerCut: isPowerCut)
        if kept == nil, let leftOver {
            commits = since + [leftOver]
            kept = count(of: commits, in: actual, isPowerCut: isPowerCut)
        }
        defer {
            pending.removeAll()
            isOpening = false
            leftOver = nil
        }
        if let kept, !isPowerCut, !isOpening {
            // What the process had written and not synced is with the system still, and a power cut may take it.
            since = Array(commits.prefix(kept))
            return nil
        }
        var least = durable
        if !isPowerCut { for commit in since { least.apply(commit.rows) } }
        durable = actual
        since.removeAll()
        return kept == nil ? "On disk is what was not acknowledged so: \(actual.difference(from: least))." : nil
    }

    /// The log was damaged while no process ran, and these rows are left: of what was on disk, as it was earlier.
    ///
    /// - Returns: the settings of which the ledger does not say any more how they are to be put back.
    mutating func lost(_ tables: VirtualLedger.Tables) -> [SettingKey] {
        for commit in since { durable.apply(commit.rows) }
        since.removeAll()
        let before = durable
        durable = Rows(tables)
        lastLostShoot = max(lastLostShoot, before.shoots.keys.max() ?? 0)
        return Set(before.settings.keys).union(durable.settings.keys).sorted().filter {
            before.settings[$0] != durable.settings[$0]
        }
    }

    /// How many of these commits, from the beginning, are on disk; nil: what is there is something else.
    private func count(of commits: [LedgerCommit], in actual: Rows, isPowerCut: Bool) -> Int? {
        var expected = durable
        for count in 0...commits.count {
            if count > 0 { expected.apply(commits[count - 1].rows) }
            if isPowerCut || count >= since.count, isSame(actual, expected) { return count }
        }
        return nil
    }

    /// What is wrong with a disk that owes no answer; nil: nothing.
    func difference(from tables: VirtualLedger.Tables) -> String? {
        guard pending.isEmpty, !isOpening else { return nil }
        var expected = durable
        for commit in since { expected.apply(commit.rows) }
        let actual = Rows(tables)
        return actual == expected ? nil : "On disk is not what was acknowledged: \(actual.difference(from: expected))."
    }

    /// Whether a setting is on disk to be put back, or on its way there.
    func isRowPending(_ key: SettingKey) -> Bool {
        var row = durable.settings[key]
        for commit in since + pending { if let change = commit.rows.settings[key] { row = change } }
        return row != nil
    }

    private func isSame(_ actual: Rows, _ expected: Rows) -> Bool {
        if actual == expected { return true }
        guard isOpening else { return false }
        var opened = expected
        opened.interrupt()
        return actual == opened
    }

    private mutating func settle() {
        for commit in since { durable.apply(commit.rows) }
        since.removeAll(keepingCapacity: true)
    }
}

extension ExpectedLedger.Rows {
    init(_ tables: VirtualLedger.Tables) {
        shoots = tables.shoots.mapValues(\.timeless)
        frames = tables.frames.mapValues(\.timeless)
        settings = tables.settings
        cameras = tables.cameras
    }

    mutating func apply(_ rows: LedgerRows) {
        shoots.merge(rows.shoots.mapValues(\.timeless)) { $1 }
        frames.merge(rows.frames.mapValues(\.timeless)) { $1 }
        // In any order: each row by itself; nil removes one.
        for (key, row) in rows.settings { settings[key] = row }
        cameras.merge(rows.cameras) { $1 }
    }

    /// What opening makes of what an earlier run left open.
    mutating func interrupt() {
        // In any order: each row by itself.
        for (id, row) in shoots where row.outcome == nil {
            shoots[id]?.outcome = .interrupted
            shoots[id]?.cause = row.cause ?? LedgerContents.interruptedSentence
        }
        // In any order: each row by itself.
        for (key, row) in frames {
            if row.outcome == .attempting { frames[key]?.outcome = .unknown }
            if row.again == .attempting { frames[key]?.again = .unknown }
        }
    }

    /// The first thing that is another one here; for a sentence.
    func difference(from expected: Self) -> String {
        for key in Set(frames.keys).union(expected.frames.keys).sorted() where frames[key] != expected.frames[key] {
            let (here, there) = (frames[key].map(\.words), expected.frames[key].map(\.words))
            return "frame \(key.index + 1) of shoot \(key.shoot) is \(here ?? "missing") for \(there ?? "none")"
        }
        for id in Set(shoots.keys).union(expected.shoots.keys).sorted() where shoots[id] != expected.shoots[id] {
            let (here, there) = (shoots[id]?.outcome?.rawValue, expected.shoots[id]?.outcome?.rawValue)
            return "shoot \(id) is \(here ?? "open or missing") for \(there ?? "open or none")"
        }
        if settings != expected.settings { return "the settings to put back differ" }
        return cameras == expected.cameras ? "nothing differs" : "the cameras differ"
    }

    /// What is wrong with what was read when the ledger was opened; nil: nothing.
    func difference(from contents: LedgerContents, lastLostShoot: Int) -> String? {
        let lastShoot = max(shoots.keys.max() ?? 0, lastLostShoot)
        guard contents.lastShoot == lastShoot else {
            return "The last shoot is \(contents.lastShoot) in what was read, and \(lastShoot) on disk."
        }
        guard contents.settings == settings.keys.sorted().compactMap({ settings[$0] }) else {
            return "The settings to put back are others than those on disk."
        }
        guard Set(contents.cameras.map(\.id)) == Set(cameras.keys) else {
            return "The cameras are others than those on disk."
        }
        let newest = shoots.values.filter(isUnfinished).map(\.id).max()
        guard newest == contents.unfinished?.shoot.id else {
            return "Unfinished on disk is \(newest.map { "shoot \($0)" } ?? "no shoot"), and another one was read."
        }
        guard let unfinished = contents.unfinished, let newest else { return nil }
        let rows = frames.values.filter { $0.shoot == newest }.sorted { $0.index < $1.index }
        return unfinished.frames.map(\.timeless) == rows && unfinished.shoot.timeless == shoots[newest]
            ? nil : "What was read of shoot \(newest) is not what is on disk."
    }

    /// Whether a restart goes on with it: it was under way, or ended without every frame.
    private func isUnfinished(_ shoot: ShootRow) -> Bool {
        if shoot.isDismissed { return false }
        return switch shoot.outcome {
        case .completed: false
        case nil, .interrupted: true
        case .partial, .cancelled: frames.values.contains { $0.shoot == shoot.id && $0.isWanted }
        }
    }
}

extension ShootRow {
    fileprivate var timeless: ShootRow {
        var row = self
        row.began = .wall(milliseconds: began.milliseconds)
        row.ended = nil
        for index in incidents.indices {
            row.incidents[index].began = nil
            row.incidents[index].ended = nil
        }
        return row
    }
}

extension FrameRow {
    fileprivate var timeless: FrameRow {
        var row = self
        row.attempted = nil
        row.captured = nil
        return row
    }

    fileprivate var words: String { outcome.rawValue + (again.map { ", again \($0.rawValue)" } ?? "") }
}
