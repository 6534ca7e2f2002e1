import Controller
import Glibc
import Logging
import NIOCore

/// A line that is held for as long as it is there, and looked for whenever it is not.
///
/// Looking does not hold the loop up: the kernel answers from its memory, some microseconds for each line that it has
/// to be asked for, and chips have some dozens. On an expander taking the line costs a transfer on its bus, less than a
/// millisecond.
final class HeldLine {
    /// From a refusal to the next attempt, at first; more and more later, up to a minute. That is for a line that is in
    /// use, which nobody tells of when it gets free; of chips that come ``DeviceWatch`` tells.
    static let retryInterval = TimeAmount.milliseconds(500)

    private enum State {
        /// `told`: what was said of the trouble last.
        case sought(told: GPIOTrouble?)
        /// It was lost; what the first look finds needs no words.
        case lost
        case held(TakenLine)
        case closed
    }

    /// What it is for: `button`.
    let name: String
    let wish: GPIOWish
    private let finder: GPIOFinder
    private let onNote: (Logger.Level, String) -> Void
    private var pacer: Pacer?
    private var state = State.sought(told: nil)
    /// Called when it was taken.
    var onHeld: () -> Void = {}
    /// Called when it is not there any more.
    var onLost: () -> Void = {}

    init(
        _ name: String,
        _ wish: GPIOWish,
        system: any GPIOSystem,
        eventLoop: any EventLoop,
        retryInterval: TimeAmount,
        onNote: @escaping (Logger.Level, String) -> Void
    ) {
        self.name = name
        self.wish = wish
        self.onNote = onNote
        finder = GPIOFinder(system: system)
        pacer = Pacer(on: eventLoop, interval: retryInterval) { [weak self] in self?.seek() }
    }

    /// nil: it is not held.
    var descriptor: CInt? {
        if case .held(let line) = state { line.descriptor } else { nil }
    }

    /// How it stands, for a person who asks.
    var check: Check {
        switch state {
        case .held(let line): Check(name, .pass, "The \(name) is \(line.text).")
        case .sought(let told?): Check(name, .fail, told.sentence, advice: told.advice)
        case .sought, .lost, .closed: Check(name, .fail, "The \(name)'s line is being looked for.")
        }
    }

    /// Begins to look for it.
    func start() { pacer?.request() }

    /// Chips came, went or changed.
    func lookAgain() {
        switch state {
        case .held(let line):
            // An old kernel does not wake those who wait for the lines of a chip that goes (before Linux 6.6).
            do { _ = try finder.system.isActive(line.descriptor) } catch { lose(error) }
        case .sought, .lost:
            pacer?.cancel()
            pacer?.succeeded()
            pacer?.request()
        case .closed: break
        }
    }

    /// Whether the line is active; nil: it is not there, or not any more.
    func isActive() -> Bool? {
        guard let descriptor else { return nil }
        do { return try finder.system.isActive(descriptor) } catch {
            lose(error)
            return nil
        }
    }

    /// Makes the line active or not, if it is there.
    func setActive(_ isActive: Bool) {
        guard let descriptor else { return }
        do { try finder.system.setActive(descriptor, isActive) } catch { lose(error) }
    }

    /// It does not work any more.
    func lose(_ error: SystemError) {
        guard case .held(let line) = state else { return }
        state = .lost
        close(line.descriptor)
        onNote(.warning, "The \(name) is gone, \(line.text): \(error). It is looked for.")
        onLost()
        pacer?.succeeded()
        pacer?.request()
    }

    func close() {
        pacer?.cancel()
        if case .held(let line) = state { close(line.descriptor) }
        state = .closed
    }

    private func close(_ descriptor: CInt) { Glibc.close(descriptor) }

    private func seek() {
        let told: GPIOTrouble?
        switch state {
        case .sought(let trouble): told = trouble
        case .lost: told = nil
        case .held, .closed: return
        }
        do {
            let line = try finder.take(wish)
            state = .held(line)
            pacer?.succeeded()
            onNote(.notice, "The \(name) is \(line.text).")
            onHeld()
        } catch {
            if case .sought = state, error != told {
                onNote(.warning, "There is no \(name). \(error.sentence) \(error.advice)")
            }
            state = .sought(told: error)
            pacer?.requestAfterRefusal()
        }
    }
}
