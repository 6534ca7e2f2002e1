import Cameras
import Controller
import Dispatch
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The thread that waits for the pictures' disk, so that the loop never does, and the jobs that wait for it. It is
/// started when there is something to do.
final class PictureWorker: Sendable {
    /// Chunks that wait to be written: from here on the camera is to be held, up to here it may go on.
    static let chunksHigh = 6
    static let chunksLow = 3

    private struct State {
        var waiting = CircularBuffer<Job>()
        /// Handed over and not yet written.
        var chunkCount = 0
        /// Whether the loop waits for ``Report/drained``.
        var mustTell = false
        /// Pictures that have come, and are not on the disk yet.
        var finishCount = 0
        /// Given up while the thread may be at work on them: what comes of that is told to nobody.
        var givenUp: Set<PictureID> = []
        var isWorking = false
        var isStarted = false
        /// nil: nobody is to hear of anything any more.
        var onReport: (@Sendable (Report) -> Void)?
        /// Written ones, to be filled again.
        var spare: [ByteBuffer] = []
    }

    private let state: Mutex<State>
    private let files: Mutex<PictureFiles>
    private let remarks: PictureRemarks
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let working = DispatchGroup()

    /// - Parameter onReport: called on the worker's thread, one after the other.
    init(files: sending PictureFiles, logger: Logger, onReport: @escaping @Sendable (Report) -> Void) {
        remarks = PictureRemarks(logger: logger, hasReader: files.hasReader)
        self.files = Mutex(files)
        state = Mutex(State(onReport: onReport))
    }

    /// Puts a job at the end of the queue; never waits.
    ///
    /// - Returns: the number of chunks that wait now.
    @discardableResult
    func submit(_ job: Job) -> Int {
        let (chunkCount, mustWake) = state.withLock { state in
            if case .bytes = job {
                state.chunkCount += 1
                // Never taken back here: the loop may hold the camera, and waits to be told.
                if state.chunkCount >= Self.chunksHigh { state.mustTell = true }
            }
            if case .finish = job { state.finishCount += 1 }
            if !Self.replaceManifest(by: job, in: &state.waiting) { state.waiting.append(job) }
            defer { state.isWorking = true }
            if !state.isStarted { thread.start() }
            state.isStarted = true
            return (state.chunkCount, !state.isWorking)
        }
        if mustWake {
            working.enter()
            thread.submit { _ in self.work() }
        }
        return chunkCount
    }

    /// Drops a picture that has not come whole, with all that waits of it. From when this returns nothing is reported
    /// of it, until it is begun again.
    func giveUp(_ id: PictureID) {
        state.withLock { state in
            let (dropped, kept) = (state.waiting.filter { $0.picture == id }, state.waiting.filter { $0.picture != id })
            state.waiting = CircularBuffer(kept)
            state.chunkCount -= dropped.count { if case .bytes = $0 { true } else { false } }
            state.finishCount -= dropped.count { if case .finish = $0 { true } else { false } }
            if state.chunkCount <= Self.chunksLow { state.mustTell = false }
            state.givenUp.insert(id)
        }
        submit(.abandon(id))
    }

    /// Memory for the next chunk.
    func spareChunk() -> ByteBuffer? {
        var chunk = state.withLock { $0.spare.popLast() }
        // Nobody else holds it any more, so it keeps its memory.
        chunk?.clear()
        return chunk
    }

    /// From when this returns nothing is reported.
    func silence() { state.withLock { $0.onReport = nil } }

    /// Does what waits, removes what is unfinished, and ends; waits for that, at most this long, or that long when
    /// pictures have come that are not on the disk.
    func finish(within timeout: Duration, whole wholeTimeout: Duration) {
        let (isStarted, hasWhole) = state.withLock { ($0.isStarted, $0.finishCount > 0) }
        guard isStarted else { return }
        submit(.abandonAll)
        let timeout = hasWhole ? max(timeout, wholeTimeout) : timeout
        _ = working.wait(timeout: .now() + .nanoseconds(Int(timeout / .nanoseconds(1))))
        thread.shutdownGracefully { _ in }
    }

    /// A manifest that waits is out of date when a newer one comes: one per shoot waits at most.
    private static func replaceManifest(by job: Job, in waiting: inout CircularBuffer<Job>) -> Bool {
        guard case .manifest(let manifest) = job else { return false }
        for index in waiting.indices {
            if case .manifest(let older) = waiting[index], older.shoot == manifest.shoot {
                waiting[index] = job
                return true
            }
        }
        return false
    }

    private func work() {
        while let job = next() { perform(job) }
        working.leave()
    }

    private func next() -> Job? {
        state.withLock { state in
            if let job = state.waiting.popFirst() { return job }
            state.isWorking = false
            return nil
        }
    }

    private func report(_ report: Report) {
        // Under the lock, so that nothing is under way any more when `silence` returns.
        state.withLock { state in
            if case .input(.picture(let id, _)) = report, state.givenUp.contains(id) { return }
            state.onReport?(report)
        }
    }

    private func perform(_ job: Job) {
        switch job {
        case .begin(let id, let destination, let offset):
            attempt(id) { (files) throws(PictureFailure) in
                try files.begin(id, destination, offset: offset)
                return nil
            }
        case .bytes(let id, let bytes): write(bytes, of: id)
        case .finish(let id):
            attempt(id) { (files) throws(PictureFailure) in try files.finish(id) }
            state.withLock { $0.finishCount -= 1 }
            dropSpareChunks()
        case .interrupt(let id):
            files.withLock { $0.interrupt(id) }
            dropSpareChunks()
        case .abandon(let id):
            files.withLock { $0.abandon(id) }
            state.withLock { _ = $0.givenUp.remove(id) }
            dropSpareChunks()
        case .manifest(let manifest): write(manifest)
        case .checkRoom:
            writeFailedManifests()
            report(.input(.room(isThere: files.withLock { $0.hasRoom() })))
        case .clearLeftovers: clearLeftovers()
        case .abandonAll:
            writeFailedManifests()
            files.withLock { $0.abandonAll() }
        }
    }

    /// Does something with a picture and reports what became of it, if anything did.
    private func attempt(
        _ id: PictureID,
        _ body: (inout PictureFiles) throws(PictureFailure) -> StoredPicture?
    ) {
        let outcome = files.withLock { files -> PictureOutcome? in
            do throws(PictureFailure) {
                return try body(&files).map { .stored($0) }
            } catch {
                return .failed(sentence: error.sentence, isFull: error.isFull)
            }
        }
        guard let outcome else { return }
        if case .stored(let picture) = outcome {
            remarks.stored(picture)
            writeFailedManifests()
        }
        report(.input(.picture(id, outcome)))
    }

    private func write(_ bytes: ByteBuffer, of id: PictureID) {
        attempt(id) { (files) throws(PictureFailure) in
            try files.append(id, bytes)
            return nil
        }
        let isDrained = state.withLock { state in
            state.chunkCount -= 1
            if state.spare.count < Self.chunksHigh { state.spare.append(bytes) }
            guard state.mustTell, state.chunkCount <= Self.chunksLow else { return false }
            state.mustTell = false
            return true
        }
        if isDrained { report(.drained) }
    }

    /// A daemon at rest needs no memory for pictures.
    private func dropSpareChunks() {
        state.withLock { state in
            if state.chunkCount == 0 { state.spare = [] }
        }
    }

    private func write(_ manifest: Manifest) {
        do {
            try files.withLock { (files) throws(PictureFailure) in try files.write(manifest) }
            remarks.written(manifest)
        } catch {
            remarks.failed(manifest, error)
        }
    }

    /// Nobody sends them again.
    private func writeFailedManifests() {
        for manifest in remarks.failedManifests { write(manifest) }
    }

    private func clearLeftovers() {
        do {
            remarks.cleared(try files.withLock { (files) throws(SystemError) in try files.clearLeftovers() })
        } catch {
            remarks.unusable(error)
        }
    }
}
