import Controller
import Glibc
import Logging
import NIOCore

/// A line that the daemon keeps requested. While the line does not exist, the daemon searches for it.
///
/// A search does not delay the loop noticeably. The kernel answers from memory in some microseconds per line, and a
/// chip has some dozens of lines. The request of an expander's line needs one bus transfer, less than a millisecond.
final class HeldLine {
    /// The time from the first refusal to the next attempt. Later intervals grow up to one minute. If another program
    /// uses the line, attempts are needed: no event reports its release. ``DeviceWatch`` reports new chips.
    static let retryInterval = TimeAmount.milliseconds(500)

    private enum State {
        /// `failure`: the last reported error; nil: no error was reported.
        case searching(failure: GPIOError?)
        /// The line was lost, and the loss was reported. So the first failed search is not reported.
        case lost
        case held(AcquiredLine)
        case closed
    }

    /// The use of the line, such as `button`.
    let name: String
    let request: GPIOLineRequest
    private let finder: GPIOFinder
    private let onNote: (Logger.Level, String) -> Void
    private var pacer: Pacer?
    private var state = State.searching(failure: nil)
    var onHeld: () -> Void = {}
    var onLost: () -> Void = {}

    init(
        _ name: String,
        _ request: GPIOLineRequest,
        system: any GPIOSystem,
        eventLoop: any EventLoop,
        retryInterval: TimeAmount,
        onNote: @escaping (Logger.Level, String) -> Void
    ) {
        self.name = name
        self.request = request
        self.onNote = onNote
        finder = GPIOFinder(system: system)
        pacer = Pacer(on: eventLoop, interval: retryInterval) { [weak self] in self?.seek() }
    }

    /// The descriptor of the line; nil while the line is not requested.
    var descriptor: CInt? {
        if case .held(let line) = state { line.descriptor } else { nil }
    }

    /// The state of the line for `bracketctl doctor`.
    var check: Check {
        switch state {
        case .held(let line): Check(name, .pass, BoardSentences.uses(name, line.text))
        case .searching(let failure?): Check(name, .fail, failure.sentence, advice: failure.advice)
        case .searching, .lost, .closed: Check(name, .fail, BoardSentences.searches(name))
        }
    }

    func start() { pacer?.request() }

    /// Searches again after a chip appeared, disappeared or changed.
    func restartSearch() {
        switch state {
        case .held(let line):
            // Before Linux 6.6 the kernel does not wake readers of a line when its chip disappears.
            do { _ = try finder.system.isActive(line.descriptor) } catch { lose(error) }
        case .searching, .lost:
            pacer?.cancel()
            pacer?.succeeded()
            pacer?.request()
        case .closed: break
        }
    }

    /// Whether the line is active; nil while the line is not requested.
    func isActive() -> Bool? {
        guard let descriptor else { return nil }
        do { return try finder.system.isActive(descriptor) } catch {
            lose(error)
            return nil
        }
    }

    /// Sets the level of the line, if the line is requested.
    func setActive(_ isActive: Bool) {
        guard let descriptor else { return }
        do { try finder.system.setActive(descriptor, isActive) } catch { lose(error) }
    }

    func lose(_ error: SystemError) {
        guard case .held(let line) = state else { return }
        state = .lost
        close(line.descriptor)
        onNote(.warning, BoardSentences.lost(name, line.text, error))
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
        let known: GPIOError?
        switch state {
        case .searching(let failure): known = failure
        case .lost: known = nil
        case .held, .closed: return
        }
        do {
            let line = try finder.take(request)
            state = .held(line)
            pacer?.succeeded()
            onNote(.notice, BoardSentences.uses(name, line.text))
            onHeld()
        } catch {
            if case .searching = state, error != known { onNote(.warning, BoardSentences.unusable(name, error)) }
            state = .searching(failure: error)
            pacer?.requestAfterRefusal()
        }
    }
}
