import Statecharts

/// How long the button's steps last.
package struct ButtonRules: Hashable, Sendable {
    /// A press that is shorter was none: a knock at the tripod, or a spark on the line.
    package var pressMin: Duration
    /// Held for as long, the button means the end of the shoot.
    package var hold: Duration
    /// Between letting go and what is done then: a tripod that was touched comes to rest.
    package var settle: Duration
    /// After what was done nothing is heard for as long.
    package var lockout: Duration

    package init(
        pressMin: Duration = .milliseconds(30),
        hold: Duration = .seconds(2),
        settle: Duration = .zero,
        lockout: Duration = .milliseconds(300)
    ) {
        self.pressMin = pressMin
        self.hold = hold
        self.settle = settle
        self.lockout = lockout
    }
}

/// What the button is for.
package struct ButtonConfiguration: Hashable, Sendable {
    package var rules: ButtonRules
    package var pressWhileShooting: ButtonPressWord
    /// What a press fires while nothing else is armed.
    package var plan: PlanInput

    package init(
        rules: ButtonRules = ButtonRules(),
        pressWhileShooting: ButtonPressWord = .pause,
        plan: PlanInput = PlanInput()
    ) {
        self.rules = rules
        self.pressWhileShooting = pressWhileShooting
        self.plan = plan
    }
}

/// What the button chart tells of.
package enum ButtonEffect: Equatable, Sendable {
    case pressed
    case held
    case report(JournalEntry)
}

/// The data behind `button.scxml`.
package struct ButtonModel: Equatable, Sendable {
    package var rules: ButtonRules
    private var pressedAt = Duration.zero

    package init(_ rules: ButtonRules = ButtonRules()) {
        self.rules = rules
    }
}

// Only what the chart names stands here; a test compares the two.
extension ButtonModel: ButtonBehavior {
    package typealias Effect = ButtonEffect

    // MARK: Guards

    package func isTooShort(_ time: Duration) -> Bool { time - pressedAt < rules.pressMin }

    package func isLong(_ time: Duration) -> Bool { time - pressedAt >= rules.hold }

    package func settles(_ time: Duration) -> Bool { rules.settle > .zero }

    // MARK: Delays

    package func holdDelay() -> Duration { rules.hold }

    package func settleDelay() -> Duration { rules.settle }

    package func lockoutDelay() -> Duration { rules.lockout }

    // MARK: Actions

    package mutating func notePress(_ time: Duration, _ effects: inout [ButtonEffect]) { pressedAt = time }

    package mutating func noteTooShort(_ time: Duration, _ effects: inout [ButtonEffect]) {
        let length = (time - pressedAt).milliseconds
        let message = "The button was down for \(length) ms, which is too short for a press: nothing is done."
        effects.append(.report(.debug(message)))
    }

    package mutating func press(_ time: Duration, _ effects: inout [ButtonEffect]) { effects.append(.pressed) }

    package mutating func pressSettled(_ effects: inout [ButtonEffect]) { effects.append(.pressed) }

    package mutating func hold(_ effects: inout [ButtonEffect]) { effects.append(.held) }

    package mutating func holdLate(_ time: Duration, _ effects: inout [ButtonEffect]) { effects.append(.held) }
}
