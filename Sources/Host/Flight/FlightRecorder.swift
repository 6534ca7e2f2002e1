import CLinux
import Cameras
import Controller
import Flight
import Glibc
import NIOCore

/// Records the inputs of the queue and passes the records to the store. Used on the event loop only; never waits.
///
/// Records go to the store when the queue is empty. After a transition of a chart the store writes them to the disk at
/// once. The inputs of a daemon at rest are routine, such as the readings that keep a camera connected. Their records
/// wait in memory for the next other record, so that a daemon at rest writes nothing.
final class FlightRecorder {
    /// Encodes the records; nil after the end.
    private var writer: FlightWriter?
    private let store: FlightStore
    private let fileSize: Int
    /// The number of bytes of the current part that were passed to the store.
    private var handedOver = 0
    private var part = 0
    /// Whether the pending records contain a transition.
    private var isUrgent = false
    /// Whether the pending records contain more than the routine inputs of a daemon at rest.
    private var isDue = false
    /// The lamp's signal after the latest input.
    private var lamp = LampSignal.dark

    /// - Parameter fileSize: the size in bytes at which the next part begins.
    init(_ header: FlightHeader, fileSize: Int, store: FlightStore) {
        writer = FlightWriter(header)
        self.fileSize = fileSize
        self.store = store
    }

    var isOver: Bool { writer == nil }

    /// Records an input after it was handled, with its effects.
    func note(_ input: Input, at now: Duration, _ effects: [Effect]) {
        guard writer != nil else { return }
        writer?.note(input, at: now, effects)
        isUrgent = isUrgent || effects.contains(where: Self.isTransition)
        // A burst of inputs can be larger than a batch.
        let isFull = (writer?.byteCount ?? 0) >= FlightStore.batchSize
        for case .lamp(let signal) in effects { lamp = signal }
        isDue = isDue || isUrgent || isFull || !input.isRoutine || !lamp.mayRest
        if isFull { handOver() }
    }

    func handOver() {
        guard isDue, let bytes = writer?.takeBytes(), bytes.readableBytes > 0 else { return }
        handedOver += bytes.readableBytes
        guard store.append(bytes, part: part, isUrgent: isUrgent) else { return writer = nil }
        isUrgent = false
        isDue = false
        guard handedOver >= fileSize else { return }
        handedOver = 0
        part += 1
        writer?.beginPart()
    }

    /// Ends recording. Pending records still go to the store.
    func end() {
        isUrgent = true
        isDue = true
        handOver()
        writer = nil
    }

    private static func isTransition(_ effect: Effect) -> Bool {
        if case .journal(let entry) = effect { entry.kind == .transition } else { false }
    }
}

extension LampSignal {
    /// Whether no shoot runs and no stop. Routine inputs then say only that nothing happens.
    fileprivate var mayRest: Bool { ![.dark, .exposing, .betweenFrames].contains(self) }
}

extension Input {
    /// Whether the input also comes while nothing happens. An event that matters causes a transition.
    fileprivate var isRoutine: Bool {
        switch self {
        case .deadline, .link, .http, .network, .ssdp, .room, .ledger, .message: true
        case .started, .request, .requestCancelled, .picture, .light, .coverage, .button, .planKept, .configured,
            .inspected, .stop:
            false
        }
    }
}

extension FlightHeader {
    /// The header of a run that begins now. It does not contain the daemon's GUID, with which another program could
    /// pretend to be this daemon.
    init(_ configuration: Configuration, clock: DaemonClock) {
        let nobody = InitiatorIdentity(
            guid: [UInt8](repeating: 0, count: InitiatorIdentity.guidByteCount),
            name: Daemon.initiatorName
        )
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        self.init(
            version: Version.current,
            configuration: CoreConfiguration(configuration, identity: nobody),
            charts: Core.chartDigests,
            began: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000,
            clock: clock.now
        )
    }
}
