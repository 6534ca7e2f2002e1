import Cameras
import Controller
import NIOCore
import PTP

/// What a connection of the daemon is for.
package enum VirtualLine: Hashable, Sendable {
    case link(LinkID)
    /// One request of HTTP and its reply.
    case request(HTTPRequestID)
}

/// A TCP connection in the virtual network, as both systems have it.
struct VirtualConnection: Sendable {
    /// Who it is for.
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

    /// One direction: what is sent first comes first.
    struct Lane: Sendable {
        private var parcels = CircularBuffer<(time: Duration, content: Content)>(initialCapacity: 0)
        /// When the last of it arrives.
        private(set) var last = Duration.zero

        var isEmpty: Bool { parcels.isEmpty }

        /// Whether the connection's end is on its way.
        var hasEnd: Bool { if case .end? = parcels.last?.content { true } else { false } }

        /// Adds something behind everything else.
        ///
        /// - Parameter merges: whether bytes that arrive at the same instant are one.
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

        /// The first parcel, when it is due.
        mutating func take(dueBy now: Duration) -> Content? {
            guard let first = parcels.first, first.time <= now else { return nil }
            parcels.removeFirst()
            return first.content
        }

        func dueCount(by now: Duration) -> Int { parcels.count { $0.time <= now } }

        mutating func removeAll() { parcels.removeAll() }

        /// Takes back what would arrive later than that.
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
    /// The address that the computer had when it was opened.
    let source: IPAddress?
    /// One way.
    let latency: Duration
    /// When the opening is given up.
    let openUntil: Duration
    /// When the daemon's system last heard anything of the other.
    var heard: Duration
    /// The daemon has it, or opens it.
    private(set) var isHere = true
    /// The camera has it.
    private(set) var isThere = true
    /// The daemon has not heard yet that it stands.
    var isOpening = true
    /// Who could say its end again is gone.
    var isForgotten = false
    /// Somebody is where it leads.
    var isReached = true
    /// Nothing arrives.
    var isBlocked = false
    /// Until when it leads nowhere.
    var holeUntil = Duration.zero
    /// Since when something of the daemon's is not acknowledged.
    var unheardSince: Duration?
    var toBody = Lane()
    var toDaemon = Lane()

    /// When the last of what is under way in a direction arrives.
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

    /// The daemon has it no more: it hears nothing of it.
    mutating func letGoHere() {
        isHere = false
        toDaemon.removeAll()
    }

    /// The camera has it no more.
    mutating func letGoThere() {
        isThere = false
        toBody.removeAll()
    }

    /// The camera has a connection that the daemon has not, and no word of that is on its way.
    var isUnheard: Bool { !isHere && isThere && !toBody.hasEnd }

    /// The daemon has a connection that the camera has not, and no word of that is on its way.
    var isForsaken: Bool { isHere && !isThere && !toDaemon.hasEnd }

    /// When the daemon's system gives it up, hearing nothing.
    var deadline: Duration { (unheardSince ?? heard) + VirtualNetwork.userTimeout }

    /// What was lost on its way and is to be sent again is not, any more.
    mutating func takeBackLate(at now: Duration, _ weather: NetworkWeather) {
        if isBlocked { toBody.removeAll() } else { toBody.removeAll(after: now + latency + weather.jitter) }
    }

    /// How the daemon learns of its end.
    func end(_ reason: String?, _ cause: OpenFailure = .other) -> VirtualNetwork.LinkNews {
        guard isOpening else { return .closed(reason: reason) }
        return .openFailed(reason: reason ?? "Connection reset by peer", cause: cause)
    }
}
