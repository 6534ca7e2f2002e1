import Controller
import NIOCore

/// Plays patterns on a line: a lamp, or a buzzer.
final class SignalLine {
    private let line: HeldLine
    private let clock: DaemonClock
    private var timer: DeadlineTimer?
    private var pattern = LampPattern.off
    private var beganAt = Duration.zero
    /// The level that was set last.
    private var isOn = false

    init(_ line: HeldLine, clock: DaemonClock, eventLoop: any EventLoop) {
        self.line = line
        self.clock = clock
        timer = DeadlineTimer(on: eventLoop) { [weak self] in self?.play() }
        line.onHeld = { [weak self] in
            // A requested output starts with this level.
            self?.isOn = false
            self?.play()
        }
        line.onLost = { [weak self] in self?.timer?.disarm() }
    }

    /// Starts a pattern, unless it is being played.
    func show(_ pattern: LampPattern) {
        guard pattern != self.pattern else { return }
        self.pattern = pattern
        beganAt = clock.now
        play()
    }

    /// The line is off when this returns.
    func close() {
        timer = nil
        line.setActive(false)
        line.close()
    }

    /// A missing line and a pattern without further changes need no wake-ups.
    private func play() {
        guard line.descriptor != nil else { return }
        let (wanted, next) = pattern.moment(clock.now - beganAt)
        if wanted != isOn {
            isOn = wanted
            line.setActive(wanted)
        }
        guard let timer, line.descriptor != nil else { return }
        if let next { timer.arm(at: beganAt + next, of: clock) } else { timer.disarm() }
    }
}
