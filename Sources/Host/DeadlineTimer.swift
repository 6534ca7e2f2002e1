import CLinux
import Glibc
import NIOCore
import NIOPosix

/// The timer that wakes the loop for the core: a timerfd(2) on the daemon's clock.
///
/// NIO's scheduled tasks cause unnecessary wake-ups. NIO changes its timerfd only to an earlier time, so the thread
/// also wakes up for a cancelled task. Every answer of a camera cancels a deadline. With scheduled tasks an idle daemon
/// would wake up 50 % more often. The timer ends with its last reference.
final class DeadlineTimer {
    private let descriptor: CInt
    private var channel: (any Channel)?

    /// - Parameter onFire: called on the loop at the set time.
    init(on eventLoop: any EventLoop, onFire: @escaping () -> Void) {
        descriptor = timerfd_create(CLOCK_BOOTTIME, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC))
        // The event loop owns a duplicate descriptor, so that `descriptor` stays valid until this object ends.
        let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        precondition(descriptor >= 0 && second >= 0, "no descriptor for the timer, and a loop cannot do without")
        let onFire = NIOLoopBound(onFire, eventLoop: eventLoop)
        NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ExpiryHandler(onFire: onFire.value))
                }
            }
            .takingOwnershipOfDescriptor(input: second)
            .assumeIsolated()
            .whenSuccess { [weak self] channel in
                if let self { self.channel = channel } else { channel.close(promise: nil) }
            }
    }

    deinit {
        channel?.close(promise: nil)
        Glibc.close(descriptor)
    }

    /// Sets the timer to fire once at `deadline` of the daemon's clock. This replaces the earlier time.
    func arm(at deadline: Duration, of clock: DaemonClock) {
        // For a time in the past the timer fires at once. The time is never zero; zero would disarm the timer.
        set(itimerspec(it_interval: timespec(), it_value: clock.systemTime(of: deadline)))
    }

    func disarm() {
        set(itimerspec())
    }

    private func set(_ time: itimerspec) {
        var time = time
        let status = timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME), &time, nil)
        precondition(status == 0, "timerfd_settime(2) fails for wrong arguments only")
    }
}

/// Reads the number of expiries, the only data of a timerfd(2).
private final class ExpiryHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onFire: () -> Void

    init(onFire: @escaping () -> Void) {
        self.onFire = onFire
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        onFire()
    }
}
