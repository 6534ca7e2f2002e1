import Controller

/// What the button means by its edges, reckoned by hand: what the daemon's word is held against.
struct ButtonBook: Sendable {
    enum Meaning: Equatable, Sendable {
        case press, hold
    }

    var rules: ButtonRules
    private let rulesAtStart: ButtonRules
    private var line = Line.gone
    private var step = Step.ready

    private enum Line: Sendable {
        case gone, up, down
    }

    private enum Step: Sendable {
        case ready
        /// Down since this time, by the kernel, and a hold from that time on.
        case down(since: Duration, holdAt: Duration)
        /// Down, and to be let go before it means anything.
        case deaf
        /// The tripod comes to rest.
        case settles(until: Duration)
        case rests(until: Duration)
    }

    init(_ rules: ButtonRules) {
        self.rules = rules
        rulesAtStart = rules
    }

    mutating func died() { self = ButtonBook(rulesAtStart) }

    /// What the button has come to mean now, in order, before or by this input.
    mutating func take(_ input: Input, at now: Duration) -> [Meaning] {
        var meanings: [Meaning] = []
        letPass(until: now, &meanings)
        switch input {
        case .button(.gone): begin(.gone)
        case .button(.line(let isPressed)): begin(isPressed ? .down : .up)
        case .button(.edge(let isPressed, let time)) where line != .gone:
            line = isPressed ? .down : .up
            if isPressed { press(time, at: now) } else { letGo(time, at: now, &meanings) }
        case .configured(let configuration): rules = configuration.button.rules
        default: break
        }
        return meanings
    }

    private mutating func begin(_ line: Line) {
        self.line = line
        step = line == .down ? .deaf : .ready
    }

    private mutating func letPass(until now: Duration, _ meanings: inout [Meaning]) {
        if case .down(_, let time) = step, now >= time {
            meanings.append(.hold)
            step = .deaf
        }
        if case .settles(let end) = step, now >= end {
            meanings.append(.press)
            step = .rests(until: end + rules.lockout)
        }
        if case .rests(let end) = step, now >= end { step = line == .down ? .deaf : .ready }
    }

    private mutating func press(_ time: Duration, at now: Duration) {
        if case .ready = step { step = .down(since: time, holdAt: now + rules.hold) }
    }

    private mutating func letGo(_ time: Duration, at now: Duration, _ meanings: inout [Meaning]) {
        switch step {
        case .down(let since, _) where time - since < rules.pressMin:
            step = .ready
            return
        case .down(let since, _) where time - since >= rules.hold:
            meanings.append(.hold)
        case .down where rules.settle > .zero:
            step = .settles(until: now + rules.settle)
            return
        case .down:
            meanings.append(.press)
        case .deaf: break
        case .ready, .settles, .rests: return
        }
        step = .rests(until: now + rules.lockout)
    }
}
