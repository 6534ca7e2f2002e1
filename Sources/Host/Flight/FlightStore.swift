import Dispatch
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Brings recordings to the disk, away from the loop. A thread of its own writes what was handed over: at once when it
/// is urgent or much, else after ``lingering``, so that a camera that tells of itself in small pieces does not make as
/// many writes.
///
/// Nothing is synced: what the system has survives whatever ends this process, and a sync would have the ledger's wait
/// for it, upon which frames wait. A power cut may cost the last seconds; whoever reads a recording bears a torn end.
final class FlightStore: Sendable {
    /// What is written at once, in bytes.
    static let batchSize = 1 << 16
    /// How long the rest may wait.
    static let lingering = Duration.milliseconds(200)
    /// Bytes that may wait for a disk that is slow: some minutes of a shoot.
    static let waitingMax = 4 << 20
    /// How long the end of the daemon waits for the disk.
    static let endMax = Duration.seconds(1)

    /// Whole records of one part.
    private struct Batch {
        var part: Int
        var bytes: ByteBuffer
    }

    private struct State {
        var waiting: [Batch] = []
        var waitingCount = 0
        var isUrgent = false
        /// Whether the thread waits for more, or to be hurried.
        var isLingering = false
        var isWorking = false
        var isStarted = false
        /// Whether nothing more is taken.
        var isOver = false
        /// Whether nothing more is written either, for it would follow upon a gap.
        var hasFailed = false

        /// What waits of one part is one batch.
        mutating func take(_ bytes: ByteBuffer, part: Int) {
            waitingCount += bytes.readableBytes
            if waiting.last?.part == part {
                waiting[waiting.count - 1].bytes.writeImmutableBuffer(bytes)
            } else {
                waiting.append(Batch(part: part, bytes: bytes))
            }
        }
    }

    /// Writes whole records of a part, and says what people should know; called on the store's thread.
    typealias Write = (ByteBuffer, _ part: Int) throws(FlightFailure) -> [FlightFiles.Note]

    private let state = Mutex(State())
    private let write: Mutex<Write>
    private let logger: Logger
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let working = DispatchGroup()
    private let hurry = DispatchSemaphore(value: 0)

    init(logger: Logger, write: sending @escaping Write) {
        self.write = Mutex(write)
        self.logger = logger
    }

    convenience init(_ files: FlightFiles, logger: Logger) {
        var files = files
        self.init(logger: logger) { (bytes, part) throws(FlightFailure) in
            try files.append(bytes, part: part)
            return files.takeNotes()
        }
    }

    /// Takes whole records of a part, the parts in order; never waits.
    ///
    /// - Returns: whether more of this run is wanted.
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
            guard state.isUrgent, state.isLingering else { return .nothing }
            state.isLingering = false
            return .hurry
        }
        switch next {
        case .refuse: return false
        case .giveUp:
            logger.warning("\(FlightFiles.ended) Its disk does not take in time what comes.")
            return false
        case .nothing: break
        case .hurry: hurry.signal()
        case .wake:
            working.enter()
            thread.submit { _ in self.work() }
        }
        return true
    }

    /// Writes what waits and ends; waits for that at most so long.
    func finish(within timeout: Duration = endMax) {
        let (isStarted, mustHurry) = state.withLock { state in
            state.isOver = true
            state.isUrgent = true
            defer { state.isLingering = false }
            return (state.isStarted, state.isLingering)
        }
        guard isStarted else { return }
        if mustHurry { hurry.signal() }
        _ = working.wait(timeout: .now() + .nanoseconds(Int(timeout / .nanoseconds(1))))
        thread.shutdownGracefully { _ in }
    }

    private func work() {
        while let batches = next() {
            for batch in batches where !state.withLock({ $0.hasFailed }) { write(batch) }
        }
        working.leave()
    }

    /// What is to be written now; nil: nothing, and the thread may rest.
    private func next() -> [Batch]? {
        let mustLinger = state.withLock { state in
            state.isLingering = !state.waiting.isEmpty && !state.isUrgent
            return state.isLingering
        }
        if mustLinger { _ = hurry.wait(timeout: .now() + .nanoseconds(Int(Self.lingering / .nanoseconds(1)))) }
        return state.withLock { state in
            state.isLingering = false
            state.isUrgent = false
            guard !state.waiting.isEmpty else {
                state.isWorking = false
                return nil
            }
            defer { (state.waiting, state.waitingCount) = ([], 0) }
            return state.waiting
        }
    }

    private func write(_ batch: Batch) {
        do {
            let notes = try write.withLock { (write) throws(FlightFailure) in try write(batch.bytes, batch.part) }
            for note in notes { logger.log(level: note.level, "\(note.sentence)") }
        } catch {
            state.withLock { ($0.isOver, $0.hasFailed) = (true, true) }
            logger.warning("\(FlightFiles.ended) \(error.sentence)")
        }
    }
}
