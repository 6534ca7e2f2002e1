import Controller
import Exposure

/// The expected content of the ledger's disk, computed from submitted and acknowledged commits.
struct ExpectedLedger: Sendable {
    /// The rows that every power cut keeps.
    private var durable: Rows
    /// The commits that were acknowledged after `durable`. They remain when the process ends.
    private var since: [LedgerCommit] = []
    /// The commits that were submitted and not yet acknowledged.
    private var pending: [LedgerCommit] = []
    private var isOpening = false
    /// The last failed commit. If only its sync failed, its rows can be on disk after the end of the process.
    private var leftOver: LedgerCommit?
    /// The greatest number of a lost shoot. The ledger does not use this number again.
    private var lastLostShoot = 0

    /// The rows of the ledger without their times.
    struct Rows: Equatable, Sendable {
        var shoots: [Int: ShootRow] = [:]
        var frames: [FrameKey: FrameRow] = [:]
        var settings: [SettingKey: SettingRow] = [:]
        var cameras: [String: CameraRow] = [:]
    }

    init(_ tables: VirtualLedger.Tables) { durable = Rows(tables) }

    /// Whether the ledger would show after a power cut that this frame is about to be fired.
    func isAttemptDurable(_ key: FrameKey) -> Bool {
        guard let row = durable.frames[key] else { return false }
        return row.outcome == .attempting || row.again == .attempting
    }

    /// Whether the ledger would have a pending restore of this setting after a power cut.
    func isRowDurable(_ key: SettingKey) -> Bool { durable.settings[key] != nil }

    mutating func take(_ effect: LedgerEffect) {
        switch effect {
        case .open: isOpening = true
        case .commit(let commit): pending.append(commit)
        case .read: break
        }
    }

    /// Handles an event of the ledger. Returns the error in the event; nil: no error.
    mutating func take(_ news: LedgerEvent) -> String? {
        switch news {
        case .committed:
            guard !pending.isEmpty else { return "A commit is acknowledged, but was never submitted." }
            let commit = pending.removeFirst()
            leftOver = nil
            since.append(commit)
            if commit.isDurable { settle() }
            return nil
        case .failed:
            guard !pending.isEmpty else { return "A commit fails, but was never submitted." }
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

    /// Compares the rows on disk after the end of a process with the expected rows.
    ///
    /// - Returns: the error; nil: no error.
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
            // The operating system still holds rows that the process wrote without a sync. A power cut can lose them.
            since = Array(commits.prefix(kept))
            return nil
        }
        var least = durable
        if !isPowerCut { for commit in since { least.apply(commit.rows) } }
        durable = actual
        since.removeAll()
        return kept == nil ? "Acknowledged rows differ on disk: \(actual.difference(from: least))." : nil
    }

    /// Accepts the rows that remain after damage to the log. The damage happened while no process ran.
    ///
    /// - Returns: the settings whose pending restore the ledger lost.
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

    /// The number of these commits that are on disk, counted from the first; nil: the disk has other rows.
    private func count(of commits: [LedgerCommit], in actual: Rows, isPowerCut: Bool) -> Int? {
        var expected = durable
        for count in 0...commits.count {
            if count > 0 { expected.apply(commits[count - 1].rows) }
            if isPowerCut || count >= since.count, isSame(actual, expected) { return count }
        }
        return nil
    }

    /// The difference between the disk and the expected rows; nil: no difference, or a commit is still open.
    func difference(from tables: VirtualLedger.Tables) -> String? {
        guard pending.isEmpty, !isOpening else { return nil }
        var expected = durable
        for commit in since { expected.apply(commit.rows) }
        let actual = Rows(tables)
        return actual == expected ? nil : "Acknowledged rows differ on disk: \(actual.difference(from: expected))."
    }

    /// Whether the ledger has, or will have, a pending restore of this setting.
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
        // The order does not matter, because the rows are independent. A nil row removes the setting.
        for (key, row) in rows.settings { settings[key] = row }
        cameras.merge(rows.cameras) { $1 }
    }

    /// Changes the open rows of an earlier run to interrupted rows. The ledger does the same when it opens.
    mutating func interrupt() {
        // The order does not matter, because the rows are independent.
        for (id, row) in shoots where row.outcome == nil {
            shoots[id]?.outcome = .interrupted
            shoots[id]?.cause = row.cause ?? LedgerContents.interruptedSentence
        }
        // The order does not matter, because the rows are independent.
        for (key, row) in frames {
            if row.outcome == .attempting { frames[key]?.outcome = .unknown }
            if row.again == .attempting { frames[key]?.again = .unknown }
        }
    }

    /// The first difference between these rows and the expected ones, as part of a sentence.
    func difference(from expected: Self) -> String {
        for key in Set(frames.keys).union(expected.frames.keys).sorted() where frames[key] != expected.frames[key] {
            let (here, there) = (frames[key].map(\.words), expected.frames[key].map(\.words))
            return "frame \(key.index + 1) of shoot \(key.shoot) is \(here ?? "missing") for \(there ?? "none")"
        }
        for id in Set(shoots.keys).union(expected.shoots.keys).sorted() where shoots[id] != expected.shoots[id] {
            let (here, there) = (shoots[id]?.outcome?.rawValue, expected.shoots[id]?.outcome?.rawValue)
            return "shoot \(id) is \(here ?? "open or missing") for \(there ?? "open or none")"
        }
        if settings != expected.settings { return "the settings to restore differ" }
        return cameras == expected.cameras ? "nothing differs" : "the cameras differ"
    }

    /// The error in the contents that the ledger reads when it opens; nil: no error.
    func difference(from contents: LedgerContents, lastLostShoot: Int) -> String? {
        let lastShoot = max(shoots.keys.max() ?? 0, lastLostShoot)
        guard contents.lastShoot == lastShoot else {
            return "The last shoot is \(contents.lastShoot) as read, but \(lastShoot) on disk."
        }
        guard contents.settings == settings.keys.sorted().compactMap({ settings[$0] }) else {
            return "The settings to restore differ from those on disk."
        }
        guard Set(contents.cameras.map(\.id)) == Set(cameras.keys) else {
            return "The cameras differ from those on disk."
        }
        let newest = shoots.values.filter(isUnfinished).map(\.id).max()
        guard newest == contents.unfinished?.shoot.id else {
            return "Unfinished on disk is \(newest.map { "shoot \($0)" } ?? "no shoot"), but another one was read."
        }
        guard let unfinished = contents.unfinished, let newest else { return nil }
        let rows = frames.values.filter { $0.shoot == newest }.sorted { $0.index < $1.index }
        return unfinished.frames.map(\.timeless) == rows && unfinished.shoot.timeless == shoots[newest]
            ? nil : "Shoot \(newest) as read differs from the disk."
    }

    /// Whether a restarted daemon continues this shoot: the shoot was running, or ended with missing frames.
    private func isUnfinished(_ shoot: ShootRow) -> Bool {
        if shoot.isDismissed { return false }
        return switch shoot.outcome {
        case .completed: false
        case nil, .interrupted: true
        // A bracket that finds its own range may lack frames that are not chosen yet.
        case .partial, .cancelled:
            shoot.request.goal != nil || frames.values.contains { $0.shoot == shoot.id && $0.isWanted }
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
