import Cameras
import Controller
import Glibc
import Logging
import NIOCore
import PictureReader

/// Does what the core wants done with pictures, away from the loop, and holds the camera when the disk is slower.
///
/// Bytes are copied into chunks, which are handed over when they are full: so the buffers that were read into are free
/// at once to be read into again, memory has a bound, and the disk gets large pieces. Lives on the loop.
final class PictureStore {
    enum Event {
        case input(Input)
        /// Whether pictures come faster than the disk takes them: then nothing more is to be read.
        case pressure(Bool)
    }

    static let chunkSize = 1 << 17
    /// Chunks that may wait when the camera is not held in time; then the picture is given up. 8 MiB: a camera that
    /// closes its connection while it is held leaves what the system took of it, and that is read at once; 6 MiB at
    /// most where tcp_rmem of tcp(7) is as usual.
    static let chunksMax = 64
    /// How long a camera may be held: drivers take one for dead that is silent for longer, and nothing else is heard of
    /// it meanwhile.
    static let holdMax = Duration.seconds(5)
    /// How long the end of the daemon waits for the disk, and how long when a picture has come that is not on it. With
    /// the ordered stop before it and the journal after it that is 8 s; service managers give 90 where nobody says
    /// otherwise (systemd-system.conf(5), DefaultTimeoutStopSec).
    static let endMax = (halfPictures: Duration.seconds(1), wholePictures: Duration.seconds(3))

    private let worker: PictureWorker
    private let directory: String
    private let reader: MetadataReader
    private let holdMax: Duration
    private let logger: Logger
    private let eventLoop: any EventLoop
    private let onEvent: (Event) -> Void
    /// What came of a picture and does not fill a chunk yet.
    private var chunk: (id: PictureID, bytes: ByteBuffer)?
    /// What was handed over last, and has not come to its end.
    private var writing: PictureID?
    /// The picture that came faster than the disk took it: what still comes of it goes nowhere.
    private var givenUp: PictureID?
    /// While the camera is held: what ends that.
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

    /// The store of a daemon.
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

    /// Says what is missing and clears what an earlier run left; for a daemon that keeps pictures.
    func start() {
        if reader.program == nil {
            logger.warning(
                """
                There is no \(MetadataReader.programName) beside bracketd: pictures are kept, and not checked against \
                the plan.
                """
            )
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

    func checkRoom() { worker.submit(.checkRoom) }

    /// From now on nothing is reported.
    func close() {
        worker.silence()
        hold?.cancel()
    }

    /// After `close`, and away from the loop: finishes what waits, within ``endMax``.
    func finish() { worker.finish(within: Self.endMax.halfPictures, whole: Self.endMax.wholePictures) }

    private func append(_ bytes: ByteBuffer, of id: PictureID) {
        guard givenUp != id else { return }
        if let chunk, chunk.id != id { handOver() }
        var rest = bytes
        while rest.readableBytes > 0, givenUp != id {
            // Taken out, so that it is not copied when it is written to.
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
        if waiting >= Self.chunksMax { return giveUp(id, "the picture came faster than \(directory) takes it") }
        guard waiting >= PictureWorker.chunksHigh, hold == nil else { return }
        hold = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(holdMax)) { [weak self] in self?.holdIsTooLong() }
        onEvent(.pressure(true))
    }

    /// The disk hangs, or as good as. A picture that has come stays with it; one that comes would have to wait with the
    /// camera.
    private func holdIsTooLong() {
        if let writing {
            giveUp(writing, "\(directory) is too slow: the camera waited \(holdMax) for it")
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

    /// The way from the worker's thread to the loop.
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
