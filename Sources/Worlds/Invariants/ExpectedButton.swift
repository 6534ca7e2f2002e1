import Controller

/// The expected meaning of the button's edges. The rules compare the daemon's reaction with this independent result.
struct ExpectedButton: Sendable {
    enum Meaning: Equatable, Sendable {
        case press, hold
    }

    var rules: ButtonRules
    private let rulesAtStart: ButtonRules
    private var step = Step.absent
    /// The time of the last change of `step`.
    private var time = Duration.zero
    /// Whether a shoot was running when the last press began.
    private(set) var isPressOfShoot = false

    /// When the button was last released. `quiet`: the end of the settle time or rest that followed.
    private var up = Duration.zero
    private var quiet = Duration.zero
    /// The last received press with the kernel's times of both edges. `hold` is the configured hold
    /// limit at the beginning of the press.
    private var press: (down: Duration, up: Duration?, hold: Duration)?

    private enum Step: Sendable {
        /// The GPIO line does not exist.
        case absent
        case ready
        /// The button is down since `since`, by the kernel's clock. At `holdAt` the press becomes a hold.
        case down(since: Duration, holdAt: Duration, Kind)
        /// The button is down, and the press has no meaning. The user must release the button first.
        case deaf
        /// The daemon waits until the vibration of the tripod fades.
        case settles(until: Duration)
        case rests(until: Duration)
    }

    /// The meaning of a press that is shorter than a hold.
    private enum Kind: Sendable {
        case press
        /// A press during the settle time of the earlier press. The settle time starts again, or continues if this
        /// press is too short.
        case touch
        /// A press during the rest after an effect. The rest starts again, or continues if this press is too short.
        case tooSoon
    }

    init(_ rules: ButtonRules) {
        self.rules = rules
        rulesAtStart = rules
    }

    /// Whether the button was down for the hold time. This calculation uses only the times of the edges, not the steps.
    func isHeldLongEnough(at now: Duration) -> Bool {
        guard let press else { return false }
        return (press.up ?? now) - press.down >= min(press.hold, rules.hold)
    }

    mutating func died() { self = ExpectedButton(rulesAtStart) }

    /// The meanings of the button's edges from the last input to this one, in order.
    mutating func take(_ input: Input, isShootActive: Bool, at now: Duration) -> [Meaning] {
        var meanings: [Meaning] = []
        if case .button(.edge(let isPressed, let time)) = input {
            // The kernel's time stamp decides when a release happened.
            // The time of the input decides when a press happened.
            let note = isPressed ? now : max(self.time, min(time, now))
            advanceExpectation(until: note, &meanings)
            self.time = note
            if isPressed {
                press = (time, nil, rules.hold)
                goDown(time, isShootActive: isShootActive, at: note)
            } else {
                press?.up = time
                releaseButton(time, at: note, &meanings)
            }
        }
        advanceExpectation(until: now, &meanings)
        switch input {
        case .button(.gone): lose(nil, at: now)
        case .button(.line(let isPressed)): lose(isPressed, at: now)
        case .configured(let configuration): rules = configuration.button.rules
        default: break
        }
        return meanings
    }

    /// Handles a report of the line's state. `isPressed`: whether the button is down; nil: the line does not exist.
    private mutating func lose(_ isPressed: Bool?, at now: Duration) {
        (time, press) = (now, nil)
        switch step {
        case .rests where isPressed == false: return
        case .down(_, _, .tooSoon) where isPressed == false:
            step = .rests(until: now + max(.zero, quiet - up))
            return
        case .down(_, _, .press), .down(_, _, .touch), .settles: quiet = up
        case .absent, .ready, .deaf, .rests, .down: break
        }
        step = isPressed.map { $0 ? .deaf : .ready } ?? .absent
    }

    private mutating func advanceExpectation(until now: Duration, _ meanings: inout [Meaning]) {
        if case .down(_, let end, _) = step, now >= end {
            meanings.append(.hold)
            (step, time) = (.deaf, now)
        }
        if case .settles(let end) = step, now >= end {
            meanings.append(.press)
            quiet = end + rules.lockout
            (step, time, up) = (.rests(until: quiet), now, end)
        }
        if case .rests(let end) = step, now >= end { (step, time) = (.ready, now) }
    }

    private mutating func goDown(_ time: Duration, isShootActive: Bool, at now: Duration) {
        let kind: Kind
        switch step {
        case .ready where time < quiet: kind = .tooSoon
        case .ready:
            kind = .press
            isPressOfShoot = isShootActive
        case .settles: kind = .touch
        case .rests: kind = .tooSoon
        case .absent, .down, .deaf: return
        }
        step = .down(since: time, holdAt: now + rules.hold, kind)
    }

    private mutating func releaseButton(_ time: Duration, at now: Duration, _ meanings: inout [Meaning]) {
        switch step {
        case .down, .deaf: up = now
        case .absent, .ready, .settles, .rests: return
        }
        switch step {
        case .down(let since, _, _) where time - since >= rules.hold:
            meanings.append(.hold)
            rest(at: now)
        case .down(let since, _, let kind) where time - since < rules.pressMin:
            let end = now + max(.zero, quiet - up)
            switch kind {
            case .press: step = .ready
            case .touch: step = .settles(until: end)
            case .tooSoon: step = .rests(until: end)
            }
        case .down(_, _, .press) where rules.settle > .zero, .down(_, _, .touch):
            quiet = up + rules.settle
            step = .settles(until: now + rules.settle)
        case .down(_, _, .press):
            meanings.append(.press)
            rest(at: now)
        case .down(_, _, .tooSoon), .deaf:
            rest(at: now)
        case .absent, .ready, .settles, .rests:
            break
        }
    }

    private mutating func rest(at now: Duration) {
        quiet = up + rules.lockout
        step = .rests(until: now + rules.lockout)
    }
}
