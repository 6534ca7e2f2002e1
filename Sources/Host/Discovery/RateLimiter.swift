import Cameras
import NIOCore

/// Limits the messages per second, in total and for each sender. One sender therefore cannot exclude the others.
struct RateLimiter {
    enum Admission: Equatable {
        case admitted
        case dropped
    }

    static let countMax = 64
    static let senderCountMax = 16
    static let span = TimeAmount.seconds(1)
    /// The time without rejected messages after which a flood counts as ended.
    static let quietTime = TimeAmount.minutes(1)

    private var spanEnd: NIODeadline?
    private var count = 0
    /// The number of messages in this second, by sender. There are never more senders than admitted messages.
    private var senderCounts: [IPAddress: Int] = [:]
    private var lastDropped: NIODeadline?

    mutating func admit(_ sender: IPAddress, at now: NIODeadline) -> Admission {
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

    func isFloodOver(at now: NIODeadline) -> Bool { lastDropped.map { now >= $0 + Self.quietTime } ?? true }
}
