import CLinux
import CSystemd
import Controller
import Glibc
import NIOCore

/// Reports the daemon's state to the service manager (sd_notify(3)). Does nothing without a service manager.
final class ServiceManager {
    /// The maximum number of characters of a status. A longer status is cut.
    private static let statusLengthMax = 512

    private let notify: (String) -> Void
    private let finishNotifying: () -> Void
    private let watchdogTimeout: Duration?
    private let isPresent: Bool
    private var watchdog: RepeatedTask?
    /// Whether the daemon was alive when the last watchdog notification was due; nil before the first one.
    private var wasAlive: Bool?

    /// `watchdogTimeout`: the manager's limit between two watchdog notifications. `notify` must not wait.
    init(
        watchdogTimeout: Duration?,
        isPresent: Bool = false,
        notify: @escaping (String) -> Void,
        finish: @escaping () -> Void = {}
    ) {
        self.watchdogTimeout = watchdogTimeout
        self.isPresent = isPresent
        self.notify = notify
        finishNotifying = finish
    }

    /// The service manager that the environment names (`NOTIFY_SOCKET`, `WATCHDOG_USEC`).
    static func fromEnvironment() -> ServiceManager {
        var microseconds: UInt64 = 0
        let isWatched = sd_watchdog_enabled(0, &microseconds) > 0
        // Without `NOTIFY_SOCKET` there is no receiver, so no thread is needed.
        guard getenv("NOTIFY_SOCKET") != nil else { return ServiceManager(watchdogTimeout: nil, notify: { _ in }) }
        let sender = NotificationSender()
        return ServiceManager(
            watchdogTimeout: isWatched ? .microseconds(microseconds) : nil,
            isPresent: true,
            notify: { sender.notify($0) },
            finish: { sender.finish() }
        )
    }

    func ready() { notify("READY=1") }

    /// Reports that the configuration is being read again. ``ready()`` ends this state (sd_notify(3), "RELOADING=1").
    func reloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        notify("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
    }

    func status(_ sentence: String) {
        notify("STATUS=" + sentence.prefix(Self.statusLengthMax).map { $0.isNewline ? " " : String($0) }.joined())
    }

    func stopping() { notify("STOPPING=1") }

    /// Begins to send watchdog notifications while `isAlive` is true, four within each timeout. A single missing
    /// notification is harmless, because the loop can be busy for a moment.
    func startWatchdog(on eventLoop: any EventLoop, while isAlive: @escaping () -> Bool) {
        guard let watchdogTimeout else { return }
        let interval = TimeAmount(watchdogTimeout / 4)
        let check = NIOLoopBound(isAlive, eventLoop: eventLoop)
        let manager = NIOLoopBound(self, eventLoop: eventLoop)
        watchdog = eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: interval) { _ in
            let isAlive = check.value()
            manager.value.wasAlive = isAlive
            if isAlive { manager.value.notify("WATCHDOG=1") }
        }
    }

    /// The check whether a service manager restarts the daemon when it hangs.
    var watchdogCheck: Check {
        guard isPresent else {
            return Check("watchdog", .skipped, MachineCheckSentences.noServiceManager)
        }
        guard let watchdogTimeout else {
            return Check("watchdog", .warn, MachineCheckSentences.noWatchdog)
        }
        guard wasAlive != false else {
            return Check("watchdog", .fail, MachineCheckSentences.watchdogMissed)
        }
        return Check("watchdog", .pass, MachineCheckSentences.watchdogEvery(watchdogTimeout / 4))
    }

    func finish() { finishNotifying() }

    func stopWatchdog() {
        watchdog?.cancel()
        watchdog = nil
    }
}
