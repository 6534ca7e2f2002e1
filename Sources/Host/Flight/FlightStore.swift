import Dispatch
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Writes recordings to the disk on a separate thread. Urgent records and full batches are written at once. Other
/// records wait for ``writeDelay``, so that many small records share a write.
///
/// Written data survives the end of this process. The first records of a run are synced at once, later records every
/// ``syncInterval``. A power cut loses the records of one interval at most. A shorter interval would delay the ledger's
/// sync, and frames wait for that sync. Readers of recordings accept an incomplete last record.
final class FlightStore: Sendable {
    /// The number of waiting bytes at which the thread writes without delay.
    static let batchSize = 1 << 16
    /// The maximum time that fewer than ``batchSize`` bytes wait to be written.
    static let writeDelay = Duration.milliseconds(200)
    static let syncInterval = Duration.seconds(5)
    /// The maximum number of bytes that wait for a slow disk. A shoot produces this number in some minutes.
    static let waitingMax = 4 << 20
    static let endMax = Duration.seconds(1)

    fileprivate struct Batch {
        var part: Int
        var bytes: ByteBuffer
    }

    fileprivate struct State {
        var waiting: [Batch] = []
        var waitingCount = 0
        var isUrgent = false
        /// Whether the thread waits briefly for more records or an urgent record.
        var isLingering = false
        /// Whether the thread has nothing to write and waits for the next sync.
        var isResting = false
        var isWorking = false
        var isStarted = false
        var isOver = false
        /// Whether writing has ended after a failure. Later records would follow a gap.
        var hasFailed = false
        var syncTime = DispatchTime(uptimeNanoseconds: 0)

        /// Adds waiting records. Records of the same part form one batch.
        mutating func take(_ bytes: ByteBuffer, part: Int) {
            waitingCount += bytes.readableBytes
            if waiting.last?.part == part {
                waiting[waiting.count - 1].bytes.writeImmutableBuffer(bytes)
            } else {
                waiting.append(Batch(part: part, bytes: bytes))
            }
        }
    }

    enum Job {
        case write(ByteBuffer, part: Int)
        case sync
    }

    /// Performs a job and returns notices for the user. Called on the store's thread.
    typealias Work = (Job) throws(FlightFailure) -> [FlightFiles.Note]

    private let state = Mutex(State())
    private let work: Mutex<Work>
    private let syncInterval: Duration
    private let logger: Logger
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let working = DispatchGroup()
    private let hurry = DispatchSemaphore(value: 0)

    init(logger: Logger, syncInterval: Duration = syncInterval, work: sending @escaping Work) {
        self.work = Mutex(work)
        self.syncInterval = syncInterval
        self.logger = logger
    }

    convenience init(_ files: FlightFiles, logger: Logger) {
        var files = files
        self.init(logger: logger) { (job) throws(FlightFailure) in
            switch job {
            case .write(let bytes, let part): try files.append(bytes, part: part)
            case .sync: try files.sync()
            }
            return files.takeNotes()
        }
    }

    /// Queues whole records without waiting. The caller passes the parts in order.
    ///
    /// - Returns: whether the store still accepts records of this run.
    func append(_ bytes: ByteBuffer, part: Int, isUrgent: Bool) -> Bool {
        enum Next { case wake, hurry, nothing, refuse, giveUp }
        let next = state.withLock { state -> Next in
            guard !state.isOver else { return .refuse }
            guard state.waitingCount + bytes.readableBytes <= Self.waitingMax else {
                state.isOver = true
                return .giveUp
            }
            state.take(bytes, part: part)
            state.isUrgent = state.isUrgent || isUrgent || state.waitingCount >= Self.batchSize
            defer { state.isWorking = true }
            if !state.isStarted { thread.start() }
            state.isStarted = true
            guard state.isWorking else { return .wake }
            guard state.isResting || state.isUrgent && state.isLingering else { return .nothing }
            (state.isResting, state.isLingering) = (false, false)
            return .hurry
        }
        switch next {
        case .refuse: return false
        case .giveUp:
            logger.warning("\(RecorderSentences.diskTooSlow)")
            return false
        case .nothing: break
        case .hurry: hurry.signal()
        case .wake:
            working.enter()
            thread.submit { _ in self.drainQueue() }
        }
        return true
    }

    /// Writes and syncs pending records for at most `timeout`. After that, the store ends.
    func finish(within timeout: Duration = endMax) {
        let (isStarted, mustHurry) = state.withLock { state in
            state.isOver = true
            state.isUrgent = true
            defer { (state.isResting, state.isLingering) = (false, false) }
            return (state.isStarted, state.isResting || state.isLingering)
        }
        guard isStarted else { return }
        if mustHurry { hurry.signal() }
        _ = working.wait(timeout: .now() + .nanoseconds(Int(timeout / .nanoseconds(1))))
        thread.shutdownGracefully { _ in }
    }

    private func drainQueue() {
        var isUnsynced = false
        while true {
            switch state.withLock({ $0.next(isUnsynced: isUnsynced, now: .now()) }) {
            case .write(let batches):
                for batch in batches { perform(.write(batch.bytes, part: batch.part)) }
                isUnsynced = true
            case .sync:
                perform(.sync)
                isUnsynced = false
                let next = DispatchTime.now() + .nanoseconds(Int(syncInterval / .nanoseconds(1)))
                state.withLock { $0.syncTime = next }
            case .linger:
                _ = hurry.wait(timeout: .now() + .nanoseconds(Int(Self.writeDelay / .nanoseconds(1))))
                state.withLock { ($0.isLingering, $0.isUrgent) = (false, true) }
            case .rest(let time):
                _ = hurry.wait(timeout: time)
                state.withLock { $0.isResting = false }
            case .end: return working.leave()
            }
        }
    }

    private func perform(_ job: Job) {
        guard !state.withLock({ $0.hasFailed }) else { return }
        do {
            let notes = try work.withLock { (work) throws(FlightFailure) in try work(job) }
            for note in notes { logger.log(level: note.level, "\(note.sentence)") }
        } catch {
            state.withLock { ($0.isOver, $0.hasFailed) = (true, true) }
            logger.warning("\(RecorderSentences.ended(error.sentence))")
        }
    }
}

extension FlightStore.State {
    enum Step {
        case write([FlightStore.Batch])
        case sync
        /// The thread waits briefly for more records or an urgent record.
        case linger
        /// The thread waits for the next sync or for more records.
        case rest(until: DispatchTime)
        case end
    }

    /// - Parameter isUnsynced: whether some of the written bytes are not synced.
    mutating func next(isUnsynced: Bool, now: DispatchTime) -> Step {
        if isUnsynced, now >= syncTime || isOver && waiting.isEmpty { return .sync }
        if !waiting.isEmpty {
            isLingering = !isUrgent
            guard isUrgent else { return .linger }
            isUrgent = false
            defer { (waiting, waitingCount) = ([], 0) }
            return .write(waiting)
        }
        isUrgent = false
        isResting = isUnsynced
        isWorking = isUnsynced
        return isUnsynced ? .rest(until: syncTime) : .end
    }
}
