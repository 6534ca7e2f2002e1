import NIOCore

/// Limits how often an action runs. After a refusal of the action the pause is longer.
final class Pacer {
    private static let pauseMax = TimeAmount.minutes(1)

    private let eventLoop: any EventLoop
    private let interval: TimeAmount
    private let action: () -> Void
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

    /// Requests the action after a refusal. Doubles the last pause, up to one minute.
    func requestAfterRefusal() {
        guard task == nil else { return }
        pause = max(interval, min(pause * 2, Self.pauseMax))
        request()
    }

    func succeeded() {
        pause = interval
    }

    func cancel() {
        task?.cancel()
        task = nil
    }
}
