import Controller
import NIOCore

/// The core that the loop drives: ``Core`` in the daemon, scripted cores in tests.
package protocol LoopCore {
    mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects)
    var nextDeadline: Duration? { get }
}

extension Core: LoopCore {}

/// The single queue of inputs. Each input is handled completely, with all its effects, before the next one.
///
/// Sockets, signals and timers only add to the queue. A separate task on the event loop empties it, never the
/// callback that filled it. One timer is set, for the core's next deadline.
final class CoreLoop {
    /// The inputs handled in one go; then the event loop serves the sockets before the next ones.
    private static let burstMax = 256

    /// A deadline that is overdue by more than this counts as a fault.
    private static let overdueMax = Duration.seconds(5)

    private enum State {
        case waiting
        /// A task to empty the queue is scheduled.
        case scheduled
        case ended
    }

    private let eventLoop: NIOIsolatedEventLoop
    let clock = DaemonClock()
    private let perform: (Effect) -> Void
    private var core: any LoopCore
    private var queue = CircularBuffer<(input: Input, stamp: Duration, whenTaken: (() -> Void)?)>()
    private var effects = Effects()
    private var state = State.waiting
    private var timer: DeadlineTimer?
    /// Called before an input that arrives when a deadline is due. It reads earlier edges of the button, see
    /// ``Controller/Input/isOlderThanWhatIsDue``; they enter the queue before that input. Inputs of the button itself
    /// keep their order.
    var onLate: () -> Void = {}
    var recorder: FlightRecorder?
    private var deadline: Duration?
    /// How often the queue was empty so far, and at the last question.
    private var idleCount: UInt64 = 0
    private var idleCountAsked: UInt64 = 0

    /// `perform`: performs an effect; ``Effect/enqueue(_:)`` is handled here instead.
    init(core: any LoopCore, eventLoop: any EventLoop, perform: @escaping (Effect) -> Void) {
        self.core = core
        self.eventLoop = eventLoop.assumeIsolated()
        self.perform = perform
        timer = DeadlineTimer(on: eventLoop) { [weak self] in self?.timerFired() }
    }

    /// Whether the charts have made progress since the last question: the queue was empty at least once, and no
    /// deadline is long overdue. Charts that send each other messages without end never empty the queue.
    func isMakingProgress() -> Bool {
        defer { idleCountAsked = idleCount }
        guard queue.isEmpty || idleCount != idleCountAsked else { return false }
        guard let due = core.nextDeadline else { return true }
        return clock.now - due < Self.overdueMax
    }

    /// Adds an input to the queue, stamped with the present time.
    ///
    /// - Parameter whenTaken: called after its effects are performed; not called if the loop ends before.
    func enqueue(_ input: Input, whenTaken: (() -> Void)? = nil) {
        switch state {
        case .ended: return
        case .waiting:
            state = .scheduled
            eventLoop.execute { self.empty() }
        case .scheduled: break
        }
        if !input.isOfButton, let due = core.nextDeadline, due <= clock.now { onLate() }
        queue.append((input, clock.now, whenTaken))
    }

    /// Ends the loop: drops waiting inputs and accepts no more.
    func end() {
        state = .ended
        queue.removeAll()
        timer = nil
    }

    private func empty() {
        var handled = 0
        while handled < Self.burstMax, let (input, stamp, whenTaken) = queue.popFirst() {
            handled += 1
            core.handle(input, at: stamp, into: &effects)
            for index in effects.list.indices { performNow(effects.list[index]) }
            // Recorded after the effects, so that neither camera nor client waits for it.
            recorder?.note(input, at: stamp, effects.list)
            effects.removeAll()
            whenTaken?()
        }
        if case .ended = state { return }
        recorder?.handOver()
        if queue.isEmpty {
            state = .waiting
            idleCount &+= 1
            arm()
        } else {
            eventLoop.execute { self.empty() }
        }
    }

    private func performNow(_ effect: Effect) {
        if case .enqueue(let message) = effect {
            enqueue(.message(message))
        } else {
            perform(effect)
        }
    }

    private func arm() {
        guard deadline != core.nextDeadline else { return }
        deadline = core.nextDeadline
        if let deadline {
            timer?.arm(at: deadline, of: clock)
        } else {
            timer?.disarm()
        }
    }

    private func timerFired() {
        deadline = nil
        enqueue(.deadline)
    }
}

extension Input {
    fileprivate var isOfButton: Bool {
        if case .button = self { true } else { false }
    }
}
