import Controller
import Logging
import NIOCore

/// The button, the lamp and the buzzer on the board's lines; each is optional. Used on the event loop only.
final class Board {
    private let system: any GPIOSystem
    private let clock: DaemonClock
    private let eventLoop: any EventLoop
    private let retryInterval: TimeAmount
    private let onUpdate: (ButtonLineEvent) -> Void
    private let onNote: (Logger.Level, String) -> Void
    private var configuration = BoardConfiguration()
    private var sign = LampSignal.dark
    private var button: (line: HeldLine, part: ButtonLine)?
    private var lamp: (line: HeldLine, part: SignalLine)?
    private var buzzer: (line: HeldLine, part: SignalLine)?
    private var watch: DeviceWatch?

    init(
        system: any GPIOSystem,
        clock: DaemonClock,
        eventLoop: any EventLoop,
        retryInterval: TimeAmount = HeldLine.retryInterval,
        onUpdate: @escaping (ButtonLineEvent) -> Void,
        onNote: @escaping (Logger.Level, String) -> Void
    ) {
        self.system = system
        self.clock = clock
        self.eventLoop = eventLoop
        self.retryInterval = retryInterval
        self.onUpdate = onUpdate
        self.onNote = onNote
    }

    /// Applies a configuration. A line with an unchanged configuration is not released.
    func adopt(_ wanted: BoardConfiguration) {
        configuration = wanted
        // All changed lines are released first, because a line can get another use.
        if let button, button.line.request != wanted.buttonRequest {
            button.part.close()
            self.button = nil
            onUpdate(.gone)
        }
        if let lamp, lamp.line.request != wanted.lampRequest {
            lamp.part.close()
            self.lamp = nil
        }
        if let buzzer, buzzer.line.request != wanted.buzzerRequest {
            buzzer.part.close()
            self.buzzer = nil
        }
        if button == nil, let line = line("button", wanted.buttonRequest) {
            button = (line, ButtonLine(line, clock: clock, eventLoop: eventLoop, onUpdate: onUpdate))
            line.start()
        }
        if lamp == nil, let line = line("lamp", wanted.lampRequest) { lamp = signal(line) }
        if buzzer == nil, let line = line("buzzer", wanted.buzzerRequest) { buzzer = signal(line) }
        show(sign)
        startWatching()
    }

    func show(_ sign: LampSignal) {
        self.sign = sign
        lamp?.part.show(.lamp(sign, showsExposing: configuration.lampShowsExposing))
        buzzer?.part.show(.buzzer(sign))
    }

    /// Reports the edges that the kernel has already queued.
    func readAhead() { button?.part.readAhead() }

    /// The checks of the lines against the configuration.
    var checks: [Check] { lines.map(\.check) }

    /// Releases all lines. Lamp and buzzer are off when this returns.
    func close() {
        watch = nil
        button?.part.close()
        lamp?.part.close()
        buzzer?.part.close()
        (button, lamp, buzzer) = (nil, nil, nil)
    }

    private var lines: [HeldLine] { [button?.line, lamp?.line, buzzer?.line].compactMap(\.self) }

    private func line(_ name: String, _ request: GPIOLineRequest?) -> HeldLine? {
        guard let request else { return nil }
        return HeldLine(
            name,
            request,
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

    /// Starts to watch the devices. Watches only if lines are configured, to avoid wake-ups.
    private func startWatching() {
        guard !lines.isEmpty else { return watch = nil }
        guard watch == nil else { return }
        do {
            watch = try DeviceWatch(
                system.directory,
                on: eventLoop,
                onUpdate: { [weak self] in
                    for line in self?.lines ?? [] { line.restartSearch() }
                },
                onFailure: { [weak self] in
                    self?.watch = nil
                    self?.noteUnwatched(nil)
                }
            )
        } catch {
            noteUnwatched(error)
        }
    }

    private func noteUnwatched(_ error: SystemError?) { onNote(.warning, BoardSentences.chipsUnwatched(error)) }
}
