import Cameras
import Controller
import Glibc
import Logging
import NIOCore
import PictureReader

/// Performs the core's picture effects on another thread. Pauses the camera when the disk is slower than the camera.
///
/// Received bytes are copied into chunks, and full chunks go to the thread. The copy frees the read buffers at once,
/// limits the memory, and gives the disk large pieces. Used on the event loop only.
final class PictureStore {
    enum Event {
        case input(Input)
        /// Whether pictures arrive faster than the disk writes them. If so, reading must pause.
        case pressure(Bool)
    }

    static let chunkSize = 1 << 17
    /// The maximum number of waiting chunks; above it the picture is cancelled. If a camera closes its connection
    /// during a pause, the kernel's whole buffer is read at once. That is at most 6 MiB with the usual tcp_rmem
    /// (tcp(7)).
    static let chunksMax = 64
    /// The longest pause. During a pause no message of the camera arrives. A driver treats a camera that is silent for
    /// longer as lost.
    static let holdMax = Duration.seconds(5)
    /// The maximum time that the daemon waits for the disk when it ends: for incomplete pictures, and for complete
    /// pictures that are not on the disk. With the ordered stop and the journal, the end takes 8 s at most. Service
    /// managers allow 90 s by default (systemd-system.conf(5), DefaultTimeoutStopSec).
    static let endMax = (halfPictures: Duration.seconds(1), wholePictures: Duration.seconds(3))

    private let worker: PictureWorker
    private let directory: String
    private let reader: MetadataReader
    private let holdMax: Duration
    private let logger: Logger
    private let eventLoop: any EventLoop
    private let onEvent: (Event) -> Void
    /// Received bytes of a picture that do not fill a chunk yet.
    private var chunk: (id: PictureID, bytes: ByteBuffer)?
    /// The incomplete picture that most recently went to the thread.
    private var writing: PictureID?
    /// The picture that was cancelled because the disk was too slow. Its remaining bytes are discarded.
    private var givenUp: PictureID?
    /// The timer that ends a pause of the camera at its time limit.
    private var hold: Scheduled<Void>?

    /// - Parameter onEvent: called on the loop.
    init(
        files: sending PictureFiles,
        directory: String,
        reader: MetadataReader,
        holdMax: Duration = PictureStore.holdMax,
        logger: Logger,
        eventLoop: any EventLoop,
        onEvent: @escaping (Event) -> Void
    ) {
        self.directory = directory
        self.reader = reader
        self.holdMax = holdMax
        self.logger = logger
        self.eventLoop = eventLoop
        self.onEvent = onEvent
        let (reports, hears) = Self.reports(on: eventLoop)
        worker = PictureWorker(files: files, logger: logger, onReport: hears)
        reports.value.onReport = { [weak self] report in self?.take(report) }
    }

    convenience init(
        _ configuration: Configuration,
        logger: Logger,
        eventLoop: any EventLoop,
        onEvent: @escaping (Event) -> Void
    ) {
        let reader = MetadataReader.installed()
        let files = PictureFiles(directory: configuration.picturesPath, reader: reader) { time(nil) }
        self.init(
            files: files,
            directory: configuration.picturesPath,
            reader: reader,
            logger: logger,
            eventLoop: eventLoop,
            onEvent: onEvent
        )
    }

    /// Reports a missing reader, and clears the leftovers of an earlier run.
    func start() {
        if reader.program == nil {
            logger.warning("\(PictureDiskSentences.readerMissing(MetadataReader.programName))")
        }
        worker.submit(.clearLeftovers)
    }

    func perform(_ id: PictureID, _ effect: PictureEffect) {
        if case .bytes(let bytes) = effect { return append(bytes, of: id) }
        handOver()
        if writing == id { writing = nil }
        switch effect {
        case .begin(let destination, let offset):
            if givenUp == id { givenUp = nil }
            worker.submit(.begin(id, destination, offset: offset))
        case .bytes: break
        case .finish: worker.submit(.finish(id))
        case .interrupt: worker.submit(.interrupt(id))
        case .abandon: worker.submit(.abandon(id))
        }
    }

    func write(_ manifest: Manifest) { worker.submit(.manifest(manifest)) }

    /// Reads the light of a stored picture, after everything that was submitted before.
    func readLight(_ path: String) { worker.submit(.readLight(path)) }

    func readCoverage(_ order: CoverageOrder) { worker.submit(.readCoverage(CoverageWork(order))) }

    func checkRoom() { worker.submit(.checkRoom) }

    func close() {
        worker.silence()
        hold?.cancel()
    }

    /// Completes pending work within ``endMax``. Must be called after `close`, and not on the loop.
    func finish() { worker.finish(within: Self.endMax.halfPictures, whole: Self.endMax.wholePictures) }

    private func append(_ bytes: ByteBuffer, of id: PictureID) {
        guard givenUp != id else { return }
        if let chunk, chunk.id != id { handOver() }
        var rest = bytes
        while rest.readableBytes > 0, givenUp != id {
            // The bytes are moved out of `chunk`, so that appending does not copy them.
            var filling = chunk?.bytes ?? worker.spareChunk() ?? ByteBufferAllocator().buffer(capacity: Self.chunkSize)
            chunk = nil
            let count = min(rest.readableBytes, Self.chunkSize - filling.readableBytes)
            guard var piece = rest.readSlice(length: count) else { return }
            filling.writeBuffer(&piece)
            chunk = (id, filling)
            if chunk?.bytes.readableBytes == Self.chunkSize { handOver() }
        }
    }

    private func handOver() {
        guard let (id, bytes) = chunk else { return }
        chunk = nil
        writing = id
        let waiting = worker.submit(.bytes(id, bytes))
        if waiting >= Self.chunksMax { return giveUp(id, PictureDiskSentences.slowerThanTransfer(directory)) }
        guard waiting >= PictureWorker.chunksHigh, hold == nil else { return }
        hold = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(holdMax)) { [weak self] in self?.holdIsTooLong() }
        onEvent(.pressure(true))
    }

    /// Ends a pause that reaches its limit because the disk hangs or is very slow. A complete picture waits longer. An
    /// incomplete picture is cancelled, because the camera would have to wait.
    private func holdIsTooLong() {
        if let writing {
            giveUp(writing, PictureDiskSentences.tooSlow(directory, waited: holdMax))
        } else {
            release()
        }
    }

    private func giveUp(_ id: PictureID, _ sentence: String) {
        if chunk?.id == id { chunk = nil }
        writing = nil
        givenUp = id
        worker.giveUp(id)
        onEvent(.input(.picture(id, .failed(sentence: sentence, isFull: false))))
        release()
    }

    private func release() {
        guard let hold else { return }
        hold.cancel()
        self.hold = nil
        onEvent(.pressure(false))
    }

    private func take(_ report: PictureWorker.Report) {
        switch report {
        case .input(let input): onEvent(.input(input))
        case .drained: release()
        }
    }

    /// Passes reports from the worker's thread to the loop.
    private final class Reports {
        var onReport: ((PictureWorker.Report) -> Void)?
    }

    private static func reports(
        on eventLoop: any EventLoop
    ) -> (NIOLoopBound<Reports>, @Sendable (PictureWorker.Report) -> Void) {
        let reports = NIOLoopBound(Reports(), eventLoop: eventLoop)
        return (reports, { report in eventLoop.execute { reports.value.onReport?(report) } })
    }
}
