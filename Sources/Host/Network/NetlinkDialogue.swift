import CLinux
import Glibc

/// Requests to the kernel, one after the other as it does one dump at a time, and which messages answer them.
struct NetlinkDialogue<Request: Hashable> {
    /// What a message is.
    enum Hearing: Equatable {
        /// Something happened.
        case news
        case answer(Request)
        /// The kernel has no more to say to a request.
        case end(Request, NetlinkMessage.Refusal, isInterrupted: Bool)
        /// It answers a request that was given up, or says nothing.
        case stale
    }

    /// What the kernel calls our socket.
    private let port: UInt32
    private var lastSequence: UInt32 = 0
    private var current: (request: Request, isInterrupted: Bool)?
    private var waiting: [Request] = []

    init(port: UInt32) {
        self.port = port
    }

    /// Whether every request was answered.
    var isIdle: Bool { current == nil && waiting.isEmpty }

    /// Puts a request at the end, unless it waits there already.
    mutating func ask(_ request: Request) {
        if !waiting.contains(request) { waiting.append(request) }
    }

    /// The request to send now, with the number to send it by; nil: none, or the one before is not answered yet.
    mutating func next() -> (Request, sequence: UInt32)? {
        guard current == nil, !waiting.isEmpty else { return nil }
        let request = waiting.removeFirst()
        current = (request, false)
        // No request has number 0, which stands for what nobody asked.
        lastSequence = lastSequence == .max ? 1 : lastSequence + 1
        return (request, lastSequence)
    }

    mutating func giveUp() {
        current = nil
        waiting.removeAll()
    }

    mutating func hear(_ message: NetlinkMessage) throws(NetlinkMessage.Fault) -> Hearing {
        if message.isEmpty { return .stale }
        // What another program brought about carries that one's port and number.
        guard message.port == port, message.sequence != 0 else { return .news }
        guard message.sequence == lastSequence, let (request, wasInterrupted) = current else { return .stale }
        let isInterrupted = wasInterrupted || message.isInterrupted
        current = (request, isInterrupted)
        guard let refusal = try message.refusal() else { return .answer(request) }
        current = nil
        return .end(request, refusal, isInterrupted: isInterrupted)
    }
}
