import Statecharts

/// The rows for the ledger, and the state of writing them.
struct Records: Sendable {
    /// The chart of the writing. The core starts and advances it as a row of `ChartEntry.charts`.
    var chart: ChartRun<RecordingModel>
    private(set) var changes = LedgerChanges()
    /// The free space on the ledger's disk; nil: not known.
    private(set) var freeBytes: Int64?

    init(_ mode: LedgerMode) {
        chart = ChartRun(RecordingModel(mode))
    }

    var mode: LedgerMode { chart.machine.behavior.mode }

    // MARK: From other parts

    /// - Parameter pictures: the files and the capture times for the rows of the frames.
    mutating func receive(_ message: TurnMessage, _ pictures: RecentPictures, in turn: inout Turn) {
        switch message {
        case .keep(let item): keep(item, pictures, at: turn.now)
        case .commit(let mark, let isDurable): changes.requestCommit(mark: mark, isDurable: isDurable)
        case .shootRestored(let kept): changes.restoreFromLedger(kept)
        case .recordsFound(let contents, let lastShoot, let isMissing):
            begin(with: contents, lastShoot: lastShoot, isMissing: isMissing, in: &turn)
        case .recovered(let contents):
            deliver(.opened, in: &turn)
            turn.send(.camerasRestored(contents.cameras))
        case .cameraNoted(let row): changes.record(row)
        case .ledgerWanted(let query, let request, let id): read(query, for: request, id, in: &turn)
        case .connectionStopped:
            commit(mayWait: false, in: &turn)
            deliver(.stop, in: &turn)
        default: break
        }
    }

    /// Tries to write the ledger again, because a part of the core waits for the ledger's disk.
    mutating func retry(in turn: inout Turn) { deliver(.retry, in: &turn) }

    private mutating func keep(_ item: RecordItem, _ pictures: RecentPictures, at now: Duration) {
        switch item {
        case .shoot(let state): changes.record(state, pictures, at: now)
        case .noShoot: changes.recordDismissal()
        case .timing(let row): changes.record(row)
        case .setting(let key, let row): changes.record(row, key)
        case .verdict(let verdict, let frame, let files): changes.amend(frame, verdict, files: files)
        }
    }

    /// Commits the rows that must be on disk now. During a shoot, other rows wait for the next commit. So each frame
    /// causes at most two commits, and each stored file at most one more.
    ///
    /// - Parameter mayWait: whether a shoot is firing its frames, and is not paused.
    mutating func commit(mayWait: Bool, in turn: inout Turn) {
        guard let order = changes.takeOrder(mayWait: mayWait) else { return }
        deliver(.wanted(order), in: &turn)
    }

    // MARK: From the ledger

    mutating func receive(_ news: LedgerEvent, in turn: inout Turn) {
        switch news {
        case .opened(let contents): turn.send(.ledgerOpened(contents))
        case .unavailable(let sentence): deliver(.unavailable(sentence), in: &turn)
        case .committed: deliver(.committed, in: &turn)
        case .failed(let sentence): deliver(.failed(sentence), in: &turn)
        case .read(let id, let answer): turn.send(.ledgerRead(id, answer))
        case .room(let freeBytes): self.freeBytes = freeBytes
        }
    }

    private mutating func begin(
        with contents: LedgerContents,
        lastShoot: Int,
        isMissing: Bool,
        in turn: inout Turn
    ) {
        if let notice = contents.notice {
            turn.journal(.error, .ledger, notice)
        }
        changes.begin(with: contents, lastShoot: lastShoot, isMissing: isMissing)
        guard lastShoot > 0 else { return }
        turn.journal(.warning, .ledger, LedgerSentences.notRecorded(shootsBeforeOpening: lastShoot))
    }

    private func read(_ query: LedgerQuery, for request: Request?, _ id: RequestID, in turn: inout Turn) {
        if let sentence = readingFailure(isRecent: request != nil) {
            return turn.append(.fail(id, .ledgerUnavailable(sentence: sentence)))
        }
        turn.send(.subscribe(Subscription(id, to: .ledger, for: request, effects: [.ledger(.read(id, query))])))
    }

    // MARK: The chart

    private mutating func deliver(_ input: Recording.Input, in turn: inout Turn) {
        turn.perform(chart.handle(input, at: turn.now), level: .debug)
    }
}
