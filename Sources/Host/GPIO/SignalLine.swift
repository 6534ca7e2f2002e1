import Controller
import NIOCore

/// Plays patterns on the line of a lamp or a buzzer.
final class SignalLine {
    private let line: HeldLine
    private let clock: DaemonClock
    private var timer: DeadlineTimer?
    private var pattern = LampPattern.off
    private var beganAt = Duration.zero
    /// The level that was set most recently.
    private var isOn = false

    init(_ line: HeldLine, clock: DaemonClock, eventLoop: any EventLoop) {
        self.line = line
        self.clock = clock
        timer = DeadlineTimer(on: eventLoop) { [weak self] in self?.play() }
        line.onHeld = { [weak self] in
            // A newly requested output is off.
            self?.isOn = false
            self?.play()
        }
        line.onLost = { [weak self] in self?.timer?.disarm() }
    }

    /// Starts a pattern, unless it is already being played.
    func show(_ pattern: LampPattern) {
        guard pattern != self.pattern else { return }
        self.pattern = pattern
        beganAt = clock.now
        play()
    }

    /// Releases the line, which is off when this returns.
    func close() {
        timer = nil
        line.setActive(false)
        line.close()
    }

    /// Sets the present level, and a timer for the next change. Without a line or a next change no timer is needed.
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
