import Cameras
import Controller
import NIOCore
import PTP

/// The use of one of the daemon's connections.
package enum VirtualLine: Hashable, Sendable {
    case link(LinkID)
    /// An HTTP request and its reply.
    case request(HTTPRequestID)
}

/// A TCP connection in the virtual network, with its state in the systems of both sides.
struct VirtualConnection: Sendable {
    /// The side that receives the bytes.
    enum Direction: Sendable {
        case toBody
        case toDaemon
    }

    enum Content: Sendable {
        case opened
        case bytes(ByteBuffer)
        /// The connection ends. `reason`: the system's text; nil: the connection ends in order.
        case end(reason: String?)
    }

    /// The parcels in one direction, in the order in which they were sent.
    struct Lane: Sendable {
        private var parcels = CircularBuffer<(time: Duration, content: Content)>(initialCapacity: 0)
        /// The arrival time of the last parcel.
        private(set) var last = Duration.zero

        var isEmpty: Bool { parcels.isEmpty }

        /// Whether the end of the connection is under way in this direction.
        var hasEnd: Bool { if case .end? = parcels.last?.content { true } else { false } }

        /// Appends a parcel.
        ///
        /// - Parameter merges: Whether the parcel's bytes are joined with bytes that arrive at the same time.
        /// - Returns: the arrival time, and whether the bytes are a separate parcel.
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

        /// Removes and returns the first parcel if it is due.
        mutating func take(dueBy now: Duration) -> Content? {
            guard let first = parcels.first, first.time <= now else { return nil }
            parcels.removeFirst()
            return first.content
        }

        func dueCount(by now: Duration) -> Int { parcels.count { $0.time <= now } }

        mutating func removeAll() { parcels.removeAll() }

        /// Removes the parcels that would arrive after this time.
        mutating func removeAll(after time: Duration) {
            while let end = parcels.last, end.time > time { parcels.removeLast() }
            last = min(last, time)
        }
    }

    let id: ConnectionID
    let generation: LinkGeneration
    let line: VirtualLine
    /// The number of the camera in the world.
    let camera: Int
    let address: CameraAddress
    /// The computer's address when the connection was opened.
    let source: IPAddress?
    /// The delay in one direction.
    let latency: Duration
    /// The time limit for opening the connection.
    let openUntil: Duration
    /// The time when the daemon's system last received something from the camera.
    var note: Duration
    /// Whether the daemon has the connection or opens it.
    private(set) var isHere = true
    /// Whether the camera has the connection.
    private(set) var isThere = true
    /// Whether the daemon does not know yet that the connection is open.
    var isOpening = true
    /// Whether the daemon's process has ended, so that no system sends the connection's end again.
    var isForgotten = false
    /// Whether a camera exists at the destination.
    var isReached = true
    /// Whether the network now delivers nothing on the connection.
    var isBlocked = false
    /// The end of the present hole, in which nothing arrives.
    var holeUntil = Duration.zero
    /// The time since which the daemon waits for the acknowledgement of sent bytes; nil: the daemon does not wait.
    var unacknowledgedSince: Duration?
    var toBody = Lane()
    var toDaemon = Lane()

    /// The arrival time of the last parcel in this direction.
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

    /// Closes the connection at the daemon, which receives nothing more from it.
    mutating func closeAtDaemon() {
        isHere = false
        toDaemon.removeAll()
    }

    /// Closes the connection at the camera.
    mutating func closeAtCamera() {
        isThere = false
        toBody.removeAll()
    }

    /// Whether only the camera has the connection, and no end is under way to the camera.
    var isCloseUndelivered: Bool { !isHere && isThere && !toBody.hasEnd }

    /// Whether only the daemon has the connection, and no end is under way to the daemon.
    var isDroppedSilently: Bool { isHere && !isThere && !toDaemon.hasEnd }

    /// When the daemon's system ends the connection if no bytes arrive.
    var deadline: Duration { (unacknowledgedSince ?? note) + VirtualNetwork.userTimeout }

    /// Removes the lost bytes that the daemon's system would have sent again.
    mutating func cancelRetransmission(at now: Duration, _ conditions: NetworkConditions) {
        if isBlocked { toBody.removeAll() } else { toBody.removeAll(after: now + latency + conditions.jitter) }
    }

    /// The event that reports the connection's end to the daemon.
    func end(_ reason: String?, _ cause: OpenFailure = .other) -> VirtualNetwork.LinkUpdate {
        guard isOpening else { return .closed(reason: reason) }
        return .openFailed(reason: reason ?? "Connection reset by peer", cause: cause)
    }
}
