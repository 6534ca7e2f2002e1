import Cameras
import Controller
import Dispatch
import Exposure
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The thread that waits for the pictures' disk, and its queue of jobs. The thread starts with the first job.
final class PictureWorker: Sendable {
    /// The limits of waiting chunks. The camera pauses at the upper limit and resumes at the lower limit.
    static let chunksHigh = 6
    static let chunksLow = 3

    private struct State {
        var waiting = CircularBuffer<Job>()
        /// The number of queued chunks that are not written yet.
        var chunkCount = 0
        /// Whether the loop waits for ``Report/drained``.
        var mustTell = false
        /// The number of complete pictures that are not on the disk yet.
        var finishCount = 0
        /// The pictures that were cancelled while the thread possibly works on them. Their results are not reported.
        var givenUp: Set<PictureID> = []
        var isWorking = false
        var isStarted = false
        /// The receiver of reports; nil after `silence`.
        var onReport: (@Sendable (Report) -> Void)?
        /// The memory of written chunks, for reuse.
        var spare: [ByteBuffer] = []
    }

    private let state: Mutex<State>
    private let files: Mutex<PictureFiles>
    private let remarks: PictureJournal
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let working = DispatchGroup()

    /// - Parameter onReport: called on the worker's thread, one call at a time.
    init(files: sending PictureFiles, logger: Logger, onReport: @escaping @Sendable (Report) -> Void) {
        remarks = PictureJournal(logger: logger, hasReader: files.hasReader)
        self.files = Mutex(files)
        state = Mutex(State(onReport: onReport))
    }

    /// Queues a job; never waits.
    ///
    /// - Returns: the number of waiting chunks.
    @discardableResult
    func submit(_ job: Job) -> Int {
        let (chunkCount, mustWake) = state.withLock { state in
            if case .bytes = job {
                state.chunkCount += 1
                // `mustTell` is not reset here, because the loop may have paused the camera and still need the report.
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

    /// Cancels an incomplete picture and discards its waiting chunks. After this returns, no result of the picture is
    /// reported until the picture begins again.
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

    func spareChunk() -> ByteBuffer? {
        var chunk = state.withLock { $0.spare.popLast() }
        // Clearing keeps the chunk's memory, because nothing else references the chunk.
        chunk?.clear()
        return chunk
    }

    /// Stops the reports. Nothing is reported after this returns.
    func silence() { state.withLock { $0.onReport = nil } }

    /// Completes pending work, removes incomplete files, and ends the thread. Waits at most `timeout`, or
    /// `wholeTimeout` when complete pictures are not on the disk yet.
    func finish(within timeout: Duration, whole wholeTimeout: Duration) {
        let (isStarted, hasWhole) = state.withLock { ($0.isStarted, $0.finishCount > 0) }
        guard isStarted else { return }
        submit(.abandonAll)
        let timeout = hasWhole ? max(timeout, wholeTimeout) : timeout
        _ = working.wait(timeout: .now() + .nanoseconds(Int(timeout / .nanoseconds(1))))
        thread.shutdownGracefully { _ in }
    }

    /// Replaces a waiting manifest by a newer one of the same shoot. At most one manifest per shoot waits.
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
        // The call is made under the lock, so that no report is in progress when `silence` returns.
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
        case .readLight(let path): report(.input(.light(files.withLock { $0.light(of: path) })))
        case .readCoverage(let work): readNext(of: work)
        case .checkRoom:
            writeFailedManifests()
            report(.input(.room(isThere: files.withLock { $0.hasRoom() })))
        case .clearLeftovers: clearLeftovers()
        case .abandonAll:
            writeFailedManifests()
            files.withLock { $0.abandonAll() }
        }
    }

    /// Performs work on a picture, and reports the picture's result if there is one.
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

    /// Reads one picture, and puts the rest of the work at the end of the queue. Otherwise the pictures of the next
    /// shoot would wait for seconds.
    private func readNext(of work: CoverageWork) {
        // After the end of the loop the result has no reader, and the stop must not wait for it.
        guard state.withLock({ $0.onReport != nil }) else { return }
        guard let frame = work.next else { return report(.input(.coverage(work.result))) }
        var work = work
        let picture = files.withLock { $0.picture(at: frame.path) }
        work.add(picture?.map, at: picture?.speed ?? frame.speed)
        submit(.readCoverage(work))
    }

    /// Frees the spare chunks, because an idle daemon needs no memory for pictures.
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

    /// Writes the failed manifests again, because the core does not send them again.
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
