import Statecharts

/// How much the daemon relies on its ledger.
package enum LedgerMode: String, Codable, CaseIterable, Hashable, Sendable {
    /// Nothing is fired that is not on disk before: a shoot pauses while the disk takes nothing.
    case required
    /// A shoot goes on without, and says so.
    case bestEffort = "best-effort"
    /// Nothing is kept: a shoot does not survive the daemon.
    case off
}

/// Rows to be kept, and what waits for them.
package struct RecordOrder: Equatable, Sendable {
    package var rows: LedgerRows
    /// Whether what waits may go on only when a power cut cannot undo it.
    package var isDurable: Bool
    /// Numbers the orders, from 1.
    package var mark: Int
}

/// What became of orders to keep something.
package enum RecordNews: Hashable, Sendable {
    /// Every order up to this one is on disk.
    case kept(upTo: Int)
    /// Those that are not on disk yet will not be soon; the sentence says why.
    case refused(upTo: Int, sentence: String)
}

/// Why rows are not on disk.
package enum RecordTrouble: Equatable, Sendable {
    /// The ledger is still being checked after its opening took long.
    case slowOpening
    /// The ledger cannot be opened, or a row cannot be written; the sentence says why.
    case failed(String)
    /// The disk does not answer.
    case silent
}

/// What the recording chart asks for.
package enum RecordingEffect: Equatable, Sendable {
    case ledger(LedgerEffect)
    case announce(RecordNews)
    case report(JournalEntry)
}

/// The data behind `recording.scxml`.
package struct RecordingModel: Equatable, Sendable {
    let mode: LedgerMode
    /// What is not on disk yet and not on its way.
    private(set) var waiting = LedgerRows()
    private var waitsDurably = false
    /// What is on its way.
    private var writing = LedgerRows()
    private var writesDurably = false
    private var wantedMark = 0
    private var writingMark = 0
    /// Nothing up to here is written any more: it is on disk, or was given up.
    private var settledMark = 0
    /// Whether a power cut could undo what is on disk.
    private var isUndoable = false
    /// Why rows are not on disk; nil: they are.
    package private(set) var trouble: RecordTrouble?

    /// More frames than these wait for no disk: then the oldest shoot of them is given up. Some thousand shoots.
    static let framesMax = 20_000
    static let timingsMax = 1000

    package init(_ mode: LedgerMode = .off) {
        self.mode = mode
    }

    /// Why rows are not on disk, and what that means for shoots; nil: they are.
    package var troubleSentence: String? {
        switch trouble {
        case nil: nil
        case .slowOpening: "The ledger is still being checked."
        case .failed(let sentence): "\(sentence) \(consequence)"
        case .silent: "The ledger's disk did not answer for 5 s. \(consequence)"
        }
    }

    private func entry(_ level: JournalEntry.Level, _ message: String) -> RecordingEffect {
        .report(JournalEntry(level: level, kind: .ledger, message: message))
    }
}

// Only what the chart names stands here; a test compares the two.
extension RecordingModel: RecordingBehavior {
    package typealias Effect = RecordingEffect

    package func isOff() -> Bool { mode == .off }

    package func isNothingNew(_ order: RecordOrder) -> Bool {
        order.rows.isEmpty && !(order.isDurable && isUndoable)
    }

    package func isAnythingWanted() -> Bool { !waiting.isEmpty || wantedMark > settledMark }

    package mutating func gather(_ order: RecordOrder, _ effects: inout [RecordingEffect]) {
        waiting.merge(order.rows)
        waitsDurably = waitsDurably || order.isDurable
        wantedMark = max(wantedMark, order.mark)
        bound(&effects)
    }

    package mutating func passAll(_ order: RecordOrder, _ effects: inout [RecordingEffect]) {
        effects.append(.announce(.kept(upTo: order.mark)))
    }

    package mutating func passNothing(_ order: RecordOrder, _ effects: inout [RecordingEffect]) {
        wantedMark = max(wantedMark, order.mark)
        settledMark = wantedMark
        effects.append(.announce(.kept(upTo: settledMark)))
    }

    package mutating func drop(_ order: RecordOrder, _ effects: inout [RecordingEffect]) {
        wantedMark = max(wantedMark, order.mark)
        settledMark = wantedMark
    }

    package mutating func refuseAll(_ effects: inout [RecordingEffect]) {
        guard wantedMark > 0 else { return }
        effects.append(.announce(.refused(upTo: wantedMark, sentence: troubleSentence ?? "")))
    }

    package mutating func open(_ effects: inout [RecordingEffect]) {
        effects.append(.ledger(.open))
    }

    package mutating func commit(_ effects: inout [RecordingEffect]) {
        writing = waiting
        writesDurably = waitsDurably
        writingMark = wantedMark
        waiting = LedgerRows()
        waitsDurably = false
        effects.append(.ledger(.commit(LedgerCommit(rows: writing, isDurable: writesDurably))))
    }

    /// What waits behind a commit that is on its way would end with the daemon.
    package mutating func commitRest(_ effects: inout [RecordingEffect]) {
        guard !waiting.isEmpty else { return }
        effects.append(.ledger(.commit(LedgerCommit(rows: waiting, isDurable: true))))
        waiting = LedgerRows()
    }

    package mutating func passCommitted(_ effects: inout [RecordingEffect]) {
        writing = LedgerRows()
        isUndoable = !writesDurably
        settledMark = writingMark
        effects.append(.announce(.kept(upTo: settledMark)))
    }

    package mutating func reportOpened(_ effects: inout [RecordingEffect]) {
        // A notice only where a warning came before.
        effects.append(entry(trouble == nil ? .debug : .notice, "The ledger is open."))
        trouble = nil
    }

    package mutating func noteUnavailable(_ sentence: String, _ effects: inout [RecordingEffect]) {
        // It is tried again and again; once is enough to say so.
        if trouble != .failed(sentence) { report(.failed(sentence), &effects) }
        waiting = LedgerRows()
        settledMark = wantedMark
    }

    package mutating func noteSlowOpening(_ effects: inout [RecordingEffect]) {
        trouble = .slowOpening
        effects.append(entry(.warning, "The check of the ledger takes more than 10 s: the disk is slow."))
    }

    package mutating func noteFailure(_ sentence: String, _ effects: inout [RecordingEffect]) {
        takeBack()
        report(.failed(sentence), &effects)
    }

    package mutating func noteSilence(_ effects: inout [RecordingEffect]) {
        report(.silent, &effects)
    }

    package mutating func reportAgain(_ effects: inout [RecordingEffect]) {
        trouble = nil
        effects.append(entry(.notice, "The ledger can be written again."))
    }

    package mutating func keepForLater(_ sentence: String, _ effects: inout [RecordingEffect]) {
        takeBack()
        trouble = .failed(sentence)
    }
}

extension RecordingModel {
    private var consequence: String {
        mode == .required
            ? "No frame is fired until the ledger can be written."
            : "Shoots continue without a record, and cannot be continued after a crash."
    }

    private mutating func report(_ trouble: RecordTrouble, _ effects: inout [RecordingEffect]) {
        self.trouble = trouble
        effects.append(entry(.error, troubleSentence ?? ""))
    }

    /// What could not be written waits on; what came meanwhile is newer.
    private mutating func takeBack() {
        writing.merge(waiting)
        waiting = writing
        waitsDurably = waitsDurably || writesDurably
        writing = LedgerRows()
    }

    private mutating func bound(_ effects: inout [RecordingEffect]) {
        if waiting.timings.count > Self.timingsMax {
            waiting.timings.removeFirst(waiting.timings.count - Self.timingsMax)
        }
        guard waiting.frames.count > Self.framesMax, let oldest = waiting.frames.keys.min()?.shoot else { return }
        waiting.frames = waiting.frames.filter { $0.key.shoot != oldest }
        waiting.shoots[oldest] = nil
        effects.append(entry(.error, "Shoot \(oldest) is not recorded: too many changes wait for the ledger's disk."))
    }
}
