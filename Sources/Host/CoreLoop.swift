import Controller
import NIOCore

/// What the loop drives. The daemon's is ``Core``; tests bring scripted ones.
package protocol LoopCore {
    mutating func handle(_ input: Input, at now: Duration, into effects: inout Effects)
    var nextDeadline: Duration? { get }
}

extension Core: LoopCore {}

/// The one queue of inputs, and what empties it: each input is handled to its end and its effects are performed before
/// the next one is looked at.
///
/// Whoever hears of something (a socket, a signal, a timer) only puts it here. The queue is emptied by a task of its
/// own on the event loop, never from within the callback that filled it. One timer is armed, for the core's next
/// deadline.
final class CoreLoop {
    /// Inputs handled in one go; then the sockets have their turn before the next ones.
    private static let burstMax = 256

    /// A deadline that is over for so long is never coming.
    private static let overdueMax = Duration.seconds(5)

    private enum State {
        /// The queue is empty.
        case waiting
        /// A task that empties the queue is on its way.
        case scheduled
        /// Nothing is taken any more.
        case ended
    }

    private let eventLoop: NIOIsolatedEventLoop
    /// By which inputs are stamped.
    let clock = DaemonClock()
    private let perform: (Effect) -> Void
    private var core: any LoopCore
    private var queue = CircularBuffer<(input: Input, stamp: Duration, whenTaken: (() -> Void)?)>()
    private var effects = Effects()
    private var state = State.waiting
    private var timer: DeadlineTimer?
    /// Called before an input that comes when a deadline is over, to read the edges of the button that are older, see
    /// ``Controller/Input/isOlderThanWhatIsDue``. What it puts into the queue goes before that input. An input of the
    /// button comes as it is, before those that are still to be read.
    var onLate: () -> Void = {}
    /// Notes every input, with what it led to.
    var recorder: FlightRecorder?
    /// What the timer is set to.
    private var deadline: Duration?
    /// How often the queue ran empty so far, and how often when it was asked for last.
    private var restCount: UInt64 = 0
    private var restCountAsked: UInt64 = 0

    /// `perform`: does an effect; ``Effect/enqueue(_:)`` never comes there.
    init(core: any LoopCore, eventLoop: any EventLoop, perform: @escaping (Effect) -> Void) {
        self.core = core
        self.eventLoop = eventLoop.assumeIsolated()
        self.perform = perform
        timer = DeadlineTimer(on: eventLoop) { [weak self] in self?.timerFired() }
    }

    /// Whether the charts make progress, asked now and then: what came was handled to its end, at least once since the
    /// last question, and no deadline is long overdue. Charts that send each other messages without end handle much and
    /// come to nothing.
    func isMakingProgress() -> Bool {
        defer { restCountAsked = restCount }
        guard queue.isEmpty || restCount != restCountAsked else { return false }
        guard let due = core.nextDeadline else { return true }
        return clock.now - due < Self.overdueMax
    }

    /// Puts an input at the end of the queue, stamped with the present time.
    ///
    /// - Parameter whenTaken: called once it is handled and its effects are performed; not if the loop ends before.
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

    /// Ends: what waits is dropped, nothing comes any more.
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
            for index in effects.list.indices { carryOut(effects.list[index]) }
            // After them: neither camera nor client waits for it.
            recorder?.note(input, at: stamp, effects.list)
            effects.removeAll()
            whenTaken?()
        }
        if case .ended = state { return }
        recorder?.handOver()
        if queue.isEmpty {
            state = .waiting
            restCount &+= 1
            arm()
        } else {
            eventLoop.execute { self.empty() }
        }
    }

    private func carryOut(_ effect: Effect) {
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
