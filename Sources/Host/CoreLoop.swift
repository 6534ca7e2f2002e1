import Controller
import NIOCore

/// The core that the loop drives. The daemon uses ``Core``, tests use scripted cores.
package protocol LoopCore {
    mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects)
    var nextDeadline: Duration? { get }
}

extension Core: LoopCore {}

/// The only queue of inputs. The loop handles each input completely, with all its effects, before the next input.
///
/// Callbacks of sockets, signals and timers only add inputs. A separate task on the event loop handles the inputs. One
/// timer is set, for the core's next deadline.
final class CoreLoop {
    /// The maximum number of inputs handled in one task. Between two tasks the event loop serves the sockets.
    private static let burstMax = 256

    /// A deadline that is overdue by more than this duration counts as a fault.
    private static let overdueMax = Duration.seconds(5)

    private enum State {
        case waiting
        /// A task that handles the queue is scheduled.
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
    /// Adds the button's waiting edges to the queue. The loop calls this before it adds an input while a deadline is
    /// due, see ``Controller/Input/isOlderThanWhatIsDue``. For an input of the button the call is not needed: such
    /// inputs keep their order.
    var onLate: () -> Void = {}
    var recorder: FlightRecorder?
    private var deadline: Duration?
    /// How often the queue became empty in total, and how often before the last call of `isMakingProgress`.
    private var idleCount: UInt64 = 0
    private var idleCountAsked: UInt64 = 0

    /// `perform` performs every effect except ``Effect/enqueue(_:)``, which this class handles.
    init(core: any LoopCore, eventLoop: any EventLoop, perform: @escaping (Effect) -> Void) {
        self.core = core
        self.eventLoop = eventLoop.assumeIsolated()
        self.perform = perform
        timer = DeadlineTimer(on: eventLoop) { [weak self] in self?.timerFired() }
    }

    /// Whether the charts have made progress since the last call: the queue became empty, and no deadline is long
    /// overdue. The queue never becomes empty if charts send each other messages without end.
    func isMakingProgress() -> Bool {
        defer { idleCountAsked = idleCount }
        guard queue.isEmpty || idleCount != idleCountAsked else { return false }
        guard let due = core.nextDeadline else { return true }
        return clock.now - due < Self.overdueMax
    }

    /// Adds an input to the queue, with the present time.
    ///
    /// - Parameter whenTaken: called after the effects of the input are performed, unless the loop ends earlier.
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

    /// Ends the loop. Discards waiting inputs and accepts no new inputs.
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
            // The input is recorded after its effects, so that no camera and no client waits for the recording.
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
