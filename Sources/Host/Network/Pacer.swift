import NIOCore

/// Lets something be done anew, but not more often than at an interval, and ever more seldom while it is refused.
final class Pacer {
    private static let pauseMax = TimeAmount.minutes(1)

    private let eventLoop: any EventLoop
    private let interval: TimeAmount
    private let action: () -> Void
    /// From the last time to the next.
    private var pause: TimeAmount
    private var last: NIODeadline?
    private var task: Scheduled<Void>?

    /// - Parameter action: called from a task of the loop.
    init(on eventLoop: any EventLoop, interval: TimeAmount, action: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.interval = interval
        self.action = action
        pause = interval
    }

    /// Whether it was asked for and is not done yet.
    var isPending: Bool { task != nil }

    func request() {
        guard task == nil else { return }
        let now = eventLoop.now
        let next = last.map { max($0 + pause, now) } ?? now
        task = eventLoop.assumeIsolated().scheduleTask(deadline: next) { [weak self] in
            guard let self else { return }
            task = nil
            last = eventLoop.now
            action()
        }
    }

    /// It was refused, and is asked for anew after a pause of twice the last one's length, up to a minute.
    func requestAfterRefusal() {
        guard task == nil else { return }
        pause = max(interval, min(pause * 2, Self.pauseMax))
        request()
    }

    /// It was done as asked: the pauses are short again.
    func succeeded() {
        pause = interval
    }

    func cancel() {
        task?.cancel()
        task = nil
    }
}
