import Cameras
import Controller
import NIOCore
import PTP

/// The purpose of a connection of the daemon.
package enum VirtualLine: Hashable, Sendable {
    case link(LinkID)
    /// One request of HTTP and its reply.
    case request(HTTPRequestID)
}

/// A TCP connection in the virtual network, with the state of both systems.
struct VirtualConnection: Sendable {
    /// The receiver.
    enum Direction: Sendable {
        case toBody
        case toDaemon
    }

    enum Content: Sendable {
        case opened
        case bytes(ByteBuffer)
        /// nil: in order.
        case end(reason: String?)
    }

    /// One direction, in the order of sending.
    struct Lane: Sendable {
        private var parcels = CircularBuffer<(time: Duration, content: Content)>(initialCapacity: 0)
        /// When the last parcel arrives.
        private(set) var last = Duration.zero

        var isEmpty: Bool { parcels.isEmpty }

        /// Whether the connection's end is under way.
        var hasEnd: Bool { if case .end? = parcels.last?.content { true } else { false } }

        /// Appends a parcel.
        ///
        /// - Parameter merges: Whether bytes that arrive at the same instant are joined.
        /// - Returns: when it arrives, and whether it is a parcel of its own.
        mutating func add(_ content: Content, at time: Duration, merges: Bool) -> (Duration, isNew: Bool) {
            last = max(last, time)
            guard merges, case .bytes(var more) = content, endsInBytes(at: last),
                case .bytes(var bytes) = parcels.removeLast().content
            else {
                parcels.append((last, content))
                return (last, true)
            }
            bytes.writeBuffer(&more)
            parcels.append((last, .bytes(bytes)))
            return (last, false)
        }

        private func endsInBytes(at time: Duration) -> Bool {
            guard let end = parcels.last, end.time == time, case .bytes = end.content else { return false }
            return true
        }

        /// The first parcel, if it is due.
        mutating func take(dueBy now: Duration) -> Content? {
            guard let first = parcels.first, first.time <= now else { return nil }
            parcels.removeFirst()
            return first.content
        }

        func dueCount(by now: Duration) -> Int { parcels.count { $0.time <= now } }

        mutating func removeAll() { parcels.removeAll() }

        /// Removes the parcels that would arrive later than that.
        mutating func removeAll(after time: Duration) {
            while let end = parcels.last, end.time > time { parcels.removeLast() }
            last = min(last, time)
        }
    }

    let id: ConnectionID
    let generation: LinkGeneration
    let line: VirtualLine
    /// The number of the camera.
    let camera: Int
    let address: CameraAddress
    /// The computer's address when the connection was opened.
    let source: IPAddress?
    /// In one direction.
    let latency: Duration
    /// The time limit of the opening.
    let openUntil: Duration
    /// When the daemon's system last received something from the other side.
    var note: Duration
    /// The daemon has it, or opens it.
    private(set) var isHere = true
    /// The camera has it.
    private(set) var isThere = true
    /// The daemon does not know yet that it is open.
    var isOpening = true
    /// No system remains that could send its end again.
    var isForgotten = false
    /// The destination exists.
    var isReached = true
    /// Nothing arrives.
    var isBlocked = false
    /// Until when nothing arrives because of a hole.
    var holeUntil = Duration.zero
    /// Since when sent bytes of the daemon are not acknowledged.
    var unacknowledgedSince: Duration?
    var toBody = Lane()
    var toDaemon = Lane()

    /// When the last parcel of a direction arrives.
    func last(_ direction: Direction) -> Duration { direction == .toBody ? toBody.last : toDaemon.last }

    /// See ``Lane/add(_:at:merges:)``.
    mutating func add(
        _ content: Content,
        _ direction: Direction,
        at time: Duration,
        merges: Bool
    ) -> (Duration, isNew: Bool) {
        switch direction {
        case .toBody: toBody.add(content, at: time, merges: merges)
        case .toDaemon: toDaemon.add(content, at: time, merges: merges)
        }
    }

    /// The daemon has closed it: it receives nothing more of it.
    mutating func closeAtDaemon() {
        isHere = false
        toDaemon.removeAll()
    }

    /// The camera has closed it.
    mutating func closeAtCamera() {
        isThere = false
        toBody.removeAll()
    }

    /// The camera has a connection that the daemon does not have, and no end of it is under way.
    var isCloseUndelivered: Bool { !isHere && isThere && !toBody.hasEnd }

    /// The daemon has a connection that the camera does not have, and no end of it is under way.
    var isDroppedSilently: Bool { isHere && !isThere && !toDaemon.hasEnd }

    /// When the daemon's system gives it up without a received byte.
    var deadline: Duration { (unacknowledgedSince ?? note) + VirtualNetwork.userTimeout }

    /// Lost bytes that were to be sent again are removed.
    mutating func cancelRetransmission(at now: Duration, _ conditions: NetworkConditions) {
        if isBlocked { toBody.removeAll() } else { toBody.removeAll(after: now + latency + conditions.jitter) }
    }

    /// How the daemon is informed of its end.
    func end(_ reason: String?, _ cause: OpenFailure = .other) -> VirtualNetwork.LinkUpdate {
        guard isOpening else { return .closed(reason: reason) }
        return .openFailed(reason: reason ?? "Connection reset by peer", cause: cause)
    }
}
