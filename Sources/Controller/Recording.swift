import Statecharts

/// The importance of the ledger for a shoot.
package enum LedgerMode: String, Codable, CaseIterable, Hashable, Sendable {
    /// No frame is fired before its row is on disk. A shoot pauses while the disk accepts no rows.
    case required
    /// A shoot continues without the ledger, and reports that.
    case bestEffort = "best-effort"
    /// Nothing is recorded. A shoot cannot continue after the end of the daemon.
    case off
}

/// An order to record rows. A part of the core can wait until the rows are recorded.
package struct RecordOrder: Equatable, Sendable {
    package var rows: LedgerRows
    /// Whether the rows must be synced to disk, so that a power cut cannot undo them.
    package var isDurable: Bool
    /// The number of the order, from 1.
    package var mark: Int
}

/// The result of orders to record rows.
package enum RecordUpdate: Hashable, Sendable {
    /// Every order up to this one is on disk.
    case kept(upTo: Int)
    /// Rows of this order or an earlier one cannot be written now. The sentence gives the reason.
    case refused(upTo: Int, sentence: String)
}

/// The reason why rows are not on disk.
package enum RecordError: Equatable, Sendable {
    /// The check of the ledger takes too long.
    case slowOpening
    /// The ledger cannot be opened, or a row cannot be written; the sentence says why.
    case failed(String)
    /// The disk does not answer.
    case silent
}

/// The data behind `recording.scxml`.
struct RecordingModel: Equatable, Sendable {
    let mode: LedgerMode
    /// The rows that wait for the next commit.
    private(set) var waiting = LedgerCommit()
    /// The rows of the current commit.
    private var writing = LedgerCommit()
    private var wantedMark = 0
    private var writingMark = 0
    /// The newest order that is on disk or was given up.
    private var settledMark = 0
    /// Whether a power cut could undo committed rows that are not synced yet.
    private var isUndoable = false
    /// The reason why rows are not on disk; nil: no error.
    private(set) var error: RecordError?

    /// The limit of waiting frames. Beyond this limit the oldest waiting shoot is given up.
    static let framesMax = 20_000
    static let timingsMax = 1000

    init(_ mode: LedgerMode = .off) {
        self.mode = mode
    }

    /// The sentence that says why rows are not on disk, and what this means for shoots; nil: no error.
    var failureSentence: String? {
        switch error {
        case nil: nil
        case .slowOpening: LedgerSentences.stillChecked
        case .failed(let sentence): LedgerSentences.notWritten(sentence, mode)
        case .silent: LedgerSentences.silent(mode)
        }
    }

    private func entry(_ level: JournalEntry.Level, _ message: String) -> PartEffect {
        .journal(JournalEntry(level: level, kind: .ledger, message: message))
    }
}

// This extension has only the functions that the chart names. A test compares it with the chart.
extension RecordingModel: RecordingBehavior {
    typealias Effect = PartEffect

    func isOff() -> Bool { mode == .off }

    func hasNoNewRows(_ order: RecordOrder) -> Bool {
        order.rows.isEmpty && !(order.isDurable && isUndoable)
    }

    func hasWantedRows() -> Bool { !waiting.rows.isEmpty || wantedMark > settledMark }

    mutating func queueRows(_ order: RecordOrder, _ effects: inout [PartEffect]) {
        waiting.merge(LedgerCommit(rows: order.rows, isDurable: order.isDurable))
        wantedMark = max(wantedMark, order.mark)
        bound(&effects)
    }

    mutating func confirmAll(_ order: RecordOrder, _ effects: inout [PartEffect]) {
        effects.append(.enqueue(.record(.kept(upTo: order.mark))))
    }

    mutating func confirmNothing(_ order: RecordOrder, _ effects: inout [PartEffect]) {
        wantedMark = max(wantedMark, order.mark)
        settledMark = wantedMark
        effects.append(.enqueue(.record(.kept(upTo: settledMark))))
    }

    mutating func drop(_ order: RecordOrder, _ effects: inout [PartEffect]) {
        wantedMark = max(wantedMark, order.mark)
        settledMark = wantedMark
    }

    mutating func refuseAll(_ effects: inout [PartEffect]) {
        guard wantedMark > 0 else { return }
        effects.append(.enqueue(.record(.refused(upTo: wantedMark, sentence: failureSentence ?? ""))))
    }

    mutating func open(_ effects: inout [PartEffect]) {
        effects.append(.append(.ledger(.open)))
    }

    mutating func commit(_ effects: inout [PartEffect]) {
        writing = waiting
        writingMark = wantedMark
        waiting = LedgerCommit()
        effects.append(.append(.ledger(.commit(writing))))
    }

    /// Commits the rows that wait for the end of the current commit. Otherwise the end of the daemon would lose them.
    mutating func commitRemaining(_ effects: inout [PartEffect]) {
        guard !waiting.rows.isEmpty else { return }
        effects.append(.append(.ledger(.commit(LedgerCommit(rows: waiting.rows, isDurable: true)))))
        waiting.rows = LedgerRows()
    }

    mutating func confirmCommitted(_ effects: inout [PartEffect]) {
        isUndoable = !writing.isDurable
        writing = LedgerCommit()
        settledMark = writingMark
        effects.append(.enqueue(.record(.kept(upTo: settledMark))))
    }

    mutating func reportOpened(_ effects: inout [PartEffect]) {
        // The entry is a notice only if it follows a warning.
        effects.append(entry(error == nil ? .debug : .notice, LedgerSentences.isOpen))
        error = nil
    }

    mutating func noteUnavailable(_ sentence: String, _ effects: inout [PartEffect]) {
        // The daemon tries to open the ledger many times. Only the first failure is reported as an error.
        report(.failed(sentence), isRepeated: hasFailed, &effects)
        waiting.rows = LedgerRows()
        settledMark = wantedMark
    }

    mutating func noteSlowOpening(_ effects: inout [PartEffect]) {
        error = .slowOpening
        effects.append(entry(.warning, LedgerSentences.slowOpening))
    }

    mutating func noteFailure(_ sentence: String, _ effects: inout [PartEffect]) {
        requeue()
        report(.failed(sentence), &effects)
    }

    mutating func noteSilence(_ effects: inout [PartEffect]) {
        report(.silent, &effects)
    }

    mutating func reportAgain(_ effects: inout [PartEffect]) {
        error = nil
        effects.append(entry(.notice, LedgerSentences.writableAgain))
    }

    mutating func requeueFailed(_ sentence: String, _ effects: inout [PartEffect]) {
        requeue()
        error = .failed(sentence)
    }
}

extension RecordingModel {
    private var hasFailed: Bool { if case .failed = error { true } else { false } }

    private mutating func report(_ error: RecordError, isRepeated: Bool = false, _ effects: inout [PartEffect]) {
        self.error = error
        effects.append(entry(isRepeated ? .debug : .error, failureSentence ?? ""))
    }

    /// Lets the rows of a failed commit wait again. Rows that came after that commit replace its rows.
    private mutating func requeue() {
        writing.merge(waiting)
        waiting = writing
        writing = LedgerCommit()
    }

    private mutating func bound(_ effects: inout [PartEffect]) {
        if waiting.rows.timings.count > Self.timingsMax {
            waiting.rows.timings.removeFirst(waiting.rows.timings.count - Self.timingsMax)
        }
        let frames = waiting.rows.frames
        guard frames.count > Self.framesMax, let oldest = frames.keys.min()?.shoot else { return }
        waiting.rows.frames = frames.filter { $0.key.shoot != oldest }
        waiting.rows.shoots[oldest] = nil
        effects.append(entry(.error, LedgerSentences.givenUp(shoot: oldest)))
    }
}
