import Controller
import Logging
import NIOCore

/// The button, lamp and buzzer on the board's lines, each optional. Lives on the loop.
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

    /// Applies a configuration. An unchanged line stays requested.
    func adopt(_ wanted: BoardConfiguration) {
        configuration = wanted
        // All releases come first, because a line may change its use.
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

    func show(_ sign: LampSign) {
        self.sign = sign
        lamp?.part.show(.lamp(sign, showsExposing: configuration.lampShowsExposing))
        buzzer?.part.show(.buzzer(sign))
    }

    /// Reports the edges that the kernel already has.
    func readAhead() { button?.part.readAhead() }

    /// How the lines compare with the configuration.
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

    /// A board without lines needs no wake-ups for devices.
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
        onNote(.warning, "New and removed GPIO chips are noticed late (inotify: \(reason)).")
    }
}
