import Dispatch
import NIOCore
import NIOPosix
import Testing

@testable import Host

struct DeadlineTimerTests {
    /// Runs `body` on a loop until `body` calls its closure `end`. Keeps the content of its box.
    private func runLoop(_ body: @escaping (any EventLoop, Box, @escaping () -> Void) -> Void) {
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            let box = Box()
            body(eventLoop, box) {
                box.timers.removeAll()
                eventLoop.shutdownGracefully(queue: .global()) { _ in }
            }
        }
    }

    private final class Box {
        var timers: [DeadlineTimer] = []
    }

    @Test func `a timer fires once, and not before its time`() {
        let clock = DaemonClock()
        var firedAt: [Duration] = []
        let deadline = clock.now + .milliseconds(2)
        runLoop { eventLoop, box, end in
            let first = DeadlineTimer(on: eventLoop) { firedAt.append(clock.now) }
            let last = DeadlineTimer(on: eventLoop, onFire: end)
            box.timers = [first, last]
            first.arm(at: deadline, of: clock)
            last.arm(at: deadline + .milliseconds(3), of: clock)
        }
        #expect(firedAt.count == 1)
        #expect(firedAt.allSatisfy { $0 >= deadline })
    }

    @Test func `a time in the past fires at once`() {
        let clock = DaemonClock()
        runLoop { eventLoop, box, end in
            let timer = DeadlineTimer(on: eventLoop, onFire: end)
            box.timers = [timer]
            timer.arm(at: .zero, of: clock)
        }
        // The test passes if it reaches this line.
    }

    @Test func `a changed, cancelled or released timer does not fire at the earlier time`() {
        let clock = DaemonClock()
        var fired: [String] = []
        runLoop { eventLoop, box, end in
            let moved = DeadlineTimer(on: eventLoop) { fired.append("moved") }
            let disarmed = DeadlineTimer(on: eventLoop) { fired.append("disarmed") }
            let dropped = DeadlineTimer(on: eventLoop) { fired.append("dropped") }
            let last = DeadlineTimer(on: eventLoop) {
                #expect(fired.isEmpty)
                end()
            }
            box.timers = [moved, disarmed, last]
            let soon = clock.now + .milliseconds(1)
            for timer in [moved, disarmed, dropped] { timer.arm(at: soon, of: clock) }
            moved.arm(at: soon + .seconds(60), of: clock)
            disarmed.disarm()
            last.arm(at: soon + .milliseconds(4), of: clock)
        }
        #expect(fired.isEmpty)
    }
}
