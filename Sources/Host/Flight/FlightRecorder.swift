import CLinux
import Cameras
import Controller
import Flight
import Glibc
import NIOCore

/// Notes what passes the queue, and hands it over to be kept. Lives on the loop, and never waits.
///
/// What is noted goes to the store when the queue is empty for the moment; it is on its way to the disk at once when a
/// chart took a transition.
final class FlightRecorder {
    /// nil: nothing is noted any more.
    private var writer: FlightWriter?
    private let store: FlightStore
    private let fileSize: Int
    /// Handed over of the present part.
    private var handedOver = 0
    private var part = 0
    /// Whether what waits to be handed over has a transition in it.
    private var isUrgent = false

    /// - Parameter fileSize: a part that has so many bytes is followed by the next.
    init(_ header: FlightHeader, fileSize: Int, store: FlightStore) {
        writer = FlightWriter(header)
        self.fileSize = fileSize
        self.store = store
    }

    /// Whether nothing more is noted.
    var isOver: Bool { writer == nil }

    /// Notes an input that was handled, and what it led to.
    func note(_ input: Input, at now: Duration, _ effects: [Effect]) {
        guard writer != nil else { return }
        writer?.note(input, at: now, effects)
        isUrgent = isUrgent || effects.contains(where: Self.isTransition)
        // One burst may be long.
        if (writer?.byteCount ?? 0) >= FlightStore.batchSize { handOver() }
    }

    /// Hands over what was noted.
    func handOver() {
        guard let bytes = writer?.takeBytes(), bytes.readableBytes > 0 else { return }
        handedOver += bytes.readableBytes
        guard store.append(bytes, part: part, isUrgent: isUrgent) else { return writer = nil }
        isUrgent = false
        guard handedOver >= fileSize else { return }
        handedOver = 0
        part += 1
        writer?.beginPart()
    }

    /// Nothing is noted any more; what was noted is on its way.
    func end() {
        isUrgent = true
        handOver()
        writer = nil
    }

    private static func isTransition(_ effect: Effect) -> Bool {
        if case .journal(let entry) = effect { entry.kind == .transition } else { false }
    }
}

extension FlightHeader {
    /// The header of a daemon's run that begins now. Whom cameras take us for is nobody else's business: who knows that
    /// could pass for us.
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
