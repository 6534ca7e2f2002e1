import CSystemd
import Glibc
import NIOCore

/// Tells the service manager how the daemon is (sd_notify(3)); does nothing when none asked.
final class ServiceManager {
    /// How long a status may be; longer ones are cut.
    private static let statusLengthMax = 512

    private let notify: (String) -> Void
    private let finishNotifying: () -> Void
    private let watchdogTimeout: Duration?
    private var watchdog: RepeatedTask?

    /// `watchdogTimeout`: within which the manager wants a sign of life. `notify` must not wait.
    init(
        watchdogTimeout: Duration?,
        notify: @escaping (String) -> Void,
        finish: @escaping () -> Void = {}
    ) {
        self.watchdogTimeout = watchdogTimeout
        self.notify = notify
        finishNotifying = finish
    }

    /// The one that the environment names: `NOTIFY_SOCKET`, `WATCHDOG_USEC`.
    static func fromEnvironment() -> ServiceManager {
        var microseconds: UInt64 = 0
        let isWatched = sd_watchdog_enabled(0, &microseconds) > 0
        // Nobody listens where this is not set; then no thread is needed either.
        guard getenv("NOTIFY_SOCKET") != nil else { return ServiceManager(watchdogTimeout: nil, notify: { _ in }) }
        let sender = NotificationSender()
        return ServiceManager(
            watchdogTimeout: isWatched ? .microseconds(microseconds) : nil,
            notify: { sender.notify($0) },
            finish: { sender.finish() }
        )
    }

    func ready() { notify("READY=1") }

    func status(_ sentence: String) {
        notify("STATUS=" + sentence.prefix(Self.statusLengthMax).map { $0.isNewline ? " " : String($0) }.joined())
    }

    func stopping() { notify("STOPPING=1") }

    /// Begins to give signs of life, each half the time, while `isAlive` says so.
    func startWatchdog(on eventLoop: any EventLoop, while isAlive: @escaping () -> Bool) {
        guard let watchdogTimeout else { return }
        let interval = TimeAmount(watchdogTimeout / 2)
        let check = NIOLoopBound(isAlive, eventLoop: eventLoop)
        let manager = NIOLoopBound(self, eventLoop: eventLoop)
        watchdog = eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: interval) { _ in
            if check.value() { manager.value.notify("WATCHDOG=1") }
        }
    }

    /// The last word was said.
    func finish() { finishNotifying() }

    func stopWatchdog() {
        watchdog?.cancel()
        watchdog = nil
    }
}
