import Controller
import Logging
import NIOCore

/// What is connected to the board's lines: a button, a lamp, a buzzer, or none of them. Lives on the loop.
final class Board {
    private let system: any GPIOSystem
    private let clock: DaemonClock
    private let eventLoop: any EventLoop
    private let retryInterval: TimeAmount
    private let onNews: (ButtonNews) -> Void
    private let onNote: (Logger.Level, String) -> Void
    private var configuration = BoardConfiguration()
    private var sign = LampSign.dark
    private var button: (line: HeldLine, part: ButtonLine)?
    private var lamp: (line: HeldLine, part: SignalLine)?
    private var buzzer: (line: HeldLine, part: SignalLine)?
    private var watch: DeviceWatch?

    init(
        system: any GPIOSystem,
        clock: DaemonClock,
        eventLoop: any EventLoop,
        retryInterval: TimeAmount = HeldLine.retryInterval,
        onNews: @escaping (ButtonNews) -> Void,
        onNote: @escaping (Logger.Level, String) -> Void
    ) {
        self.system = system
        self.clock = clock
        self.eventLoop = eventLoop
        self.retryInterval = retryInterval
        self.onNews = onNews
        self.onNote = onNote
    }

    /// Has what this says from now on. A line that stays as it was is not let go of.
    func adopt(_ wanted: BoardConfiguration) {
        configuration = wanted
        // All that go first: a line may change its owner.
        if let button, button.line.wish != wanted.buttonWish {
            button.part.close()
            self.button = nil
            onNews(.gone)
        }
        if let lamp, lamp.line.wish != wanted.lampWish {
            lamp.part.close()
            self.lamp = nil
        }
        if let buzzer, buzzer.line.wish != wanted.buzzerWish {
            buzzer.part.close()
            self.buzzer = nil
        }
        if button == nil, let line = line("button", wanted.buttonWish) {
            button = (line, ButtonLine(line, clock: clock, eventLoop: eventLoop, onNews: onNews))
            line.start()
        }
        if lamp == nil, let line = line("lamp", wanted.lampWish) { lamp = signal(line) }
        if buzzer == nil, let line = line("buzzer", wanted.buzzerWish) { buzzer = signal(line) }
        show(sign)
        keepWatch()
    }

    /// Has lamp and buzzer say this.
    func show(_ sign: LampSign) {
        self.sign = sign
        lamp?.part.show(.lamp(sign, showsExposing: configuration.lampShowsExposing))
        buzzer?.part.show(.buzzer(sign))
    }

    /// Tells of the edges that are there to be read.
    func readAhead() { button?.part.readAhead() }

    /// How it stands with what is configured.
    var checks: [Check] { lines.map(\.check) }

    /// Lamp and buzzer are off when this returns.
    func close() {
        watch = nil
        button?.part.close()
        lamp?.part.close()
        buzzer?.part.close()
        (button, lamp, buzzer) = (nil, nil, nil)
    }

    private var lines: [HeldLine] { [button?.line, lamp?.line, buzzer?.line].compactMap(\.self) }

    private func line(_ name: String, _ wish: GPIOWish?) -> HeldLine? {
        guard let wish else { return nil }
        return HeldLine(
            name,
            wish,
            system: system,
            eventLoop: eventLoop,
            retryInterval: retryInterval,
            onNote: onNote
        )
    }

    private func signal(_ line: HeldLine) -> (HeldLine, SignalLine) {
        let part = SignalLine(line, clock: clock, eventLoop: eventLoop)
        line.start()
        return (line, part)
    }

    /// Nobody is woken by devices on a board without lines.
    private func keepWatch() {
        guard !lines.isEmpty else { return watch = nil }
        guard watch == nil else { return }
        do {
            watch = try DeviceWatch(
                system.directory,
                on: eventLoop,
                onNews: { [weak self] in
                    for line in self?.lines ?? [] { line.lookAgain() }
                },
                onFailure: { [weak self] in
                    self?.watch = nil
                    self?.noteUnwatched("the loop does not take it")
                }
            )
        } catch {
            noteUnwatched("\(error)")
        }
    }

    private func noteUnwatched(_ reason: String) {
        onNote(.warning, "Nobody tells when a GPIO chip comes or goes (inotify: \(reason)): it is seen later.")
    }
}
