import Controller

/// What the button means by its edges, reckoned by hand: what the daemon's word is held against.
struct ButtonBook: Sendable {
    enum Meaning: Equatable, Sendable {
        case press, hold
    }

    var rules: ButtonRules
    private let rulesAtStart: ButtonRules
    private var step = Step.absent
    /// When anything happened to it last.
    private var time = Duration.zero
    /// Whether the press that was begun last was begun in a shoot.
    private(set) var isPressOfShoot = false

    private enum Step: Sendable {
        /// There is no line.
        case absent
        case ready
        /// Down since this time, by the kernel, and a hold from that time on.
        case down(since: Duration, holdAt: Duration, Kind)
        /// Down, and to be let go before it means anything.
        case deaf
        /// The tripod comes to rest.
        case settles(until: Duration)
        case rests(until: Duration)
    }

    /// What comes of it if it is not held.
    private enum Kind: Sendable {
        case press
        /// The press before settles anew.
        case touch
        /// It is too soon.
        case nothing
    }

    init(_ rules: ButtonRules) {
        self.rules = rules
        rulesAtStart = rules
    }

    mutating func died() { self = ButtonBook(rulesAtStart) }

    /// What the button has come to mean now, in order, before or by this input.
    mutating func take(_ input: Input, isShootActive: Bool, at now: Duration) -> [Meaning] {
        var meanings: [Meaning] = []
        if case .button(.edge(let isPressed, let time)) = input {
            // A release is as old as the kernel says.
            let heard = isPressed ? now : max(self.time, min(time, now))
            letPass(until: heard, &meanings)
            self.time = heard
            if isPressed {
                press(time, isShootActive: isShootActive, at: heard)
            } else {
                letGo(time, at: heard, &meanings)
            }
        }
        letPass(until: now, &meanings)
        switch input {
        case .button(.gone): (step, time) = (.absent, now)
        case .button(.line(let isPressed)): (step, time) = (isPressed ? .deaf : .ready, now)
        case .configured(let configuration): rules = configuration.button.rules
        default: break
        }
        return meanings
    }

    private mutating func letPass(until now: Duration, _ meanings: inout [Meaning]) {
        if case .down(_, let end, _) = step, now >= end {
            meanings.append(.hold)
            (step, time) = (.deaf, now)
        }
        if case .settles(let end) = step, now >= end {
            meanings.append(.press)
            (step, time) = (.rests(until: end + rules.lockout), now)
        }
        if case .rests(let end) = step, now >= end { (step, time) = (.ready, now) }
    }

    private mutating func press(_ time: Duration, isShootActive: Bool, at now: Duration) {
        let kind: Kind
        switch step {
        case .ready:
            kind = .press
            isPressOfShoot = isShootActive
        case .settles: kind = .touch
        case .rests: kind = .nothing
        case .absent, .down, .deaf: return
        }
        step = .down(since: time, holdAt: now + rules.hold, kind)
    }

    private mutating func letGo(_ time: Duration, at now: Duration, _ meanings: inout [Meaning]) {
        let rest = Step.rests(until: now + rules.lockout)
        switch step {
        case .down(let since, _, .press) where time - since < rules.pressMin:
            step = .ready
        case .down(let since, _, _) where time - since >= rules.hold:
            meanings.append(.hold)
            step = rest
        case .down(_, _, .press) where rules.settle > .zero, .down(_, _, .touch):
            step = .settles(until: now + rules.settle)
        case .down(_, _, let kind):
            if kind == .press { meanings.append(.press) }
            step = rest
        case .deaf:
            step = rest
        case .absent, .ready, .settles, .rests:
            break
        }
    }
}
