import CLinux
import Glibc
import NIOCore
import NIOPosix

/// The one timer that wakes the loop for the core: a timerfd(2) on the daemon's clock.
///
/// The event loop's own scheduled tasks would wake it too, but one that is cancelled leaves its wake-up behind: NIO
/// sets its timerfd anew only for an earlier time. Every answer of a camera takes a deadline back, so a daemon at rest
/// would wake up half as often again for nothing. It fires no more once nobody holds it.
final class DeadlineTimer {
    private let descriptor: CInt
    private var channel: (any Channel)?

    /// - Parameter onFire: called on the loop when the time has come.
    init(on eventLoop: any EventLoop, onFire: @escaping () -> Void) {
        descriptor = timerfd_create(CLOCK_BOOTTIME, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC))
        // The loop for its part owns another name of the same timer, so that ours is good for as long as we live.
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

    /// Fires once at this time of the daemon's clock, and not at the one set before.
    func arm(at deadline: Duration, of clock: DaemonClock) {
        // A time that is past fires at once; no time is zero, which would disarm.
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

/// Takes the count of expiries, which is all that a timerfd has to say.
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
