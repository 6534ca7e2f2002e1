import CLinux
import Glibc

/// Queues requests to the kernel, which performs one dump at a time. Assigns received messages to the requests.
struct NetlinkRequests<Request: Hashable> {
    enum Reception: Equatable {
        case notification
        case answer(Request)
        /// The kernel has completed this request.
        case end(Request, NetlinkMessage.Refusal, isInterrupted: Bool)
        /// An answer to a cancelled request, or an empty message.
        case stale
    }

    /// The kernel's port number for our socket.
    private let port: UInt32
    private var lastSequence: UInt32 = 0
    private var current: (request: Request, isInterrupted: Bool)?
    private var waiting: [Request] = []

    init(port: UInt32) {
        self.port = port
    }

    var isIdle: Bool { current == nil && waiting.isEmpty }

    /// Queues a request, unless the same request already waits.
    mutating func ask(_ request: Request) {
        if !waiting.contains(request) { waiting.append(request) }
    }

    /// The request to send now, with its sequence number; nil if no request waits or the previous one is not answered
    /// yet.
    mutating func next() -> (Request, sequence: UInt32)? {
        guard current == nil, !waiting.isEmpty else { return nil }
        let request = waiting.removeFirst()
        current = (request, false)
        // No request has the number 0, because it marks messages without a request.
        lastSequence = lastSequence == .max ? 1 : lastSequence + 1
        return (request, lastSequence)
    }

    mutating func giveUp() {
        current = nil
        waiting.removeAll()
    }

    mutating func receive(_ message: NetlinkMessage) throws(NetlinkMessage.Fault) -> Reception {
        if message.isEmpty { return .stale }
        // A change made by another program carries that program's port and number.
        guard message.port == port, message.sequence != 0 else { return .notification }
        guard message.sequence == lastSequence, let (request, wasInterrupted) = current else { return .stale }
        let isInterrupted = wasInterrupted || message.isInterrupted
        current = (request, isInterrupted)
        guard let refusal = try message.refusal() else { return .answer(request) }
        current = nil
        return .end(request, refusal, isInterrupted: isInterrupted)
    }
}
