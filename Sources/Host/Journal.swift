import Dispatch
import NIOPosix
import Synchronization

/// Writes journal entries. Its functions run on a thread that is allowed to block.
package protocol JournalWriter: Sendable {
    func write(_ record: JournalRecord)
}

/// Accepts entries from the loop and writes them on a separate thread, so that a slow journal delays nothing else.
/// Entries that do not fit into the queue are lost. A later entry reports their number.
package final class Journal: Sendable {
    /// The maximum number of waiting entries.
    package static let waitingMax = 1024

    private struct State {
        var waiting: [JournalRecord] = []
        var lostCount = 0
        /// The number of all lost entries, reported or not.
        var lostTotal = 0
        var isWriting = false
    }

    private let state = Mutex(State())
    private let writer: any JournalWriter
    private let minimumPriority: JournalRecord.Priority
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let writing = DispatchGroup()

    /// The journal ignores entries of a lower priority than `minimumPriority`.
    package init(writer: any JournalWriter, minimumPriority: JournalRecord.Priority = .debug) {
        self.writer = writer
        self.minimumPriority = minimumPriority
        thread.start()
    }

    var lostTotal: Int { state.withLock { $0.lostTotal } }

    var isJournald: Bool { writer is JournaldWriter }

    /// Queues an entry; never waits.
    package func write(_ record: JournalRecord) {
        guard record.priority <= minimumPriority else { return }
        let mustWake = state.withLock { state in
            guard state.waiting.count < Self.waitingMax else {
                state.lostCount += 1
                state.lostTotal += 1
                return false
            }
            state.waiting.append(record)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard mustWake else { return }
        writing.enter()
        thread.submit { _ in self.writeWaiting() }
    }

    /// Writes pending entries for at most `timeout`, then ends. The caller must write no entry afterwards.
    package func finish(within timeout: Duration = .seconds(1)) {
        let nanoseconds = Int(timeout / .nanoseconds(1))
        _ = writing.wait(timeout: .now() + .nanoseconds(nanoseconds))
        thread.shutdownGracefully { _ in }
    }

    private func writeWaiting() {
        while let (records, lostCount) = takeWaiting() {
            if lostCount > 0 {
                writer.write(JournalRecord(priority: .warning, message: DaemonSentences.entriesLost(lostCount)))
            }
            for record in records { writer.write(record) }
        }
        writing.leave()
    }

    /// Returns the waiting entries and the number of entries lost before them. Returns nil at the thread's end.
    private func takeWaiting() -> (records: [JournalRecord], lostCount: Int)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer {
                state.waiting = []
                state.lostCount = 0
            }
            return (state.waiting, state.lostCount)
        }
    }
}
