import Cameras
import NIOCore

/// Lets so many through in a second, and fewer of one sender, so that one cannot keep out the others.
struct FloodGate {
    enum Verdict: Equatable {
        case admitted
        case dropped
    }

    static let countMax = 64
    static let senderCountMax = 16
    static let span = TimeAmount.seconds(1)
    /// As long nothing was dropped, until a flood is over.
    static let calm = TimeAmount.minutes(1)

    private var spanEnd: NIODeadline?
    private var count = 0
    /// Of this span; not more senders than messages that were admitted.
    private var senderCounts: [IPAddress: Int] = [:]
    private var lastDropped: NIODeadline?

    /// Whether what came now may pass.
    mutating func judge(_ sender: IPAddress, at now: NIODeadline) -> Verdict {
        if spanEnd.map({ now >= $0 }) ?? true {
            spanEnd = now + Self.span
            count = 0
            senderCounts.removeAll(keepingCapacity: true)
        }
        let senderCount = senderCounts[sender] ?? 0
        guard count < Self.countMax, senderCount < Self.senderCountMax else {
            lastDropped = now
            return .dropped
        }
        count += 1
        senderCounts[sender] = senderCount + 1
        return .admitted
    }

    /// Whether a flood is over, or never was.
    func isCalm(at now: NIODeadline) -> Bool { lastDropped.map { now >= $0 + Self.calm } ?? true }
}
