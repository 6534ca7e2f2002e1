import Statecharts

/// News of the button's line.
package enum ButtonNews: Codable, Hashable, Sendable {
    /// The line is there, or was read again after edges were lost; and whether the button is down.
    case line(isPressed: Bool)
    /// It is not there, or not any more.
    case gone
    /// The kernel saw an edge, at this time by the clock that stamps the inputs, bounces taken out. It comes with one
    /// that is no earlier, and before any other that is later than the edge, if the host can help it.
    case edge(isPressed: Bool, at: Duration)
}

/// What a press means while a shoot goes on.
package enum PressWhileShooting: String, Codable, CaseIterable, Hashable, Sendable {
    /// It pauses the shoot when its frame is whole; pressed again it goes on.
    case pause
    case nothing
}

extension RequestID {
    /// What the button asks for; no client has it.
    package static let button = RequestID(rawValue: .max)
}

/// How long the button's steps last.
package struct ButtonRules: Codable, Hashable, Sendable {
    /// A press that is shorter was none: a knock at the tripod, or a spark on the line.
    package var pressMin: Duration
    /// Held for as long, the button means the end of the shoot.
    package var hold: Duration
    /// Between letting go and what is done then: a tripod that was touched comes to rest.
    package var settle: Duration
    /// After what was done no press is heard for as long; one that comes meanwhile begins it anew,
    /// unless it is shorter than one.
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
package struct ButtonConfiguration: Codable, Hashable, Sendable {
    package var rules: ButtonRules
    package var pressWhileShooting: PressWhileShooting
    /// What a press fires while nothing else is armed.
    package var plan: PlanInput

    package init(
        rules: ButtonRules = ButtonRules(),
        pressWhileShooting: PressWhileShooting = .pause,
        plan: PlanInput = PlanInput()
    ) {
        self.rules = rules
        self.pressWhileShooting = pressWhileShooting
        self.plan = plan
    }
}

/// What a press of the button does if it is done now: one thing, to one shoot.
package struct PressMeaning: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// Fires the armed plan.
        case fire
        /// Fires what the shoot lacks, after the end of a daemon or its own.
        case resume, retry
        /// Pauses the shoot when its frame is whole; lets it go on.
        case pause, goOn
        case nothing
    }

    package var action: Action
    /// The shoot that goes on, or the last one.
    package var shoot: Int?

    package init(_ action: Action, shoot: Int?) {
        self.action = action
        self.shoot = shoot
    }
}

/// The beginning of a press.
package struct ButtonPress: Hashable, Sendable {
    /// When the kernel saw it.
    package var time: Duration
    /// What it does if nothing changes until it is done.
    package var meaning: PressMeaning

    package init(at time: Duration, meaning: PressMeaning) {
        self.time = time
        self.meaning = meaning
    }
}

/// The end of a press.
package struct ButtonRelease: Hashable, Sendable {
    /// When the kernel saw it: how long the press was.
    package var time: Duration
    /// Since when it counts. That is later where the chart had come further by then.
    package var heard: Duration

    package init(at time: Duration, heard: Duration) {
        self.time = time
        self.heard = heard
    }
}

/// What the button chart tells of.
package enum ButtonEffect: Equatable, Sendable {
    case pressed(PressMeaning)
    case held
    case report(JournalEntry)
}

/// The data behind `button.scxml`.
package struct ButtonModel: Equatable, Sendable {
    package var rules: ButtonRules
    /// The last time that it went down, whatever for.
    private var downAt = Duration.zero
    /// Since when it is up, and until when it settles or rests.
    private var upAt = Duration.zero
    private var quietUntil = Duration.zero
    /// What the press that is under way, or that settles, is to do.
    private var meaning = PressMeaning(.nothing, shoot: nil)

    package init(_ rules: ButtonRules = ButtonRules()) {
        self.rules = rules
    }
}

// Only what the chart names stands here; a test compares the two.
extension ButtonModel: ButtonBehavior {
    package typealias Effect = ButtonEffect

    // MARK: Guards

    package func isTooSoon(_ press: ButtonPress) -> Bool { press.time < quietUntil }

    package func isTooShort(_ release: ButtonRelease) -> Bool { release.time - downAt < rules.pressMin }

    package func isLong(_ release: ButtonRelease) -> Bool { release.time - downAt >= rules.hold }

    package func settles(_ release: ButtonRelease) -> Bool { rules.settle > .zero }

    // MARK: Delays

    package func holdDelay() -> Duration { rules.hold }

    package func quietDelay() -> Duration { max(.zero, quietUntil - upAt) }

    // MARK: Actions

    package mutating func notePress(_ press: ButtonPress, _ effects: inout [ButtonEffect]) {
        downAt = press.time
        meaning = press.meaning
    }

    package mutating func noteTouch(_ press: ButtonPress, _ effects: inout [ButtonEffect]) { downAt = press.time }

    package mutating func noteTooShort(_ release: ButtonRelease, _ effects: inout [ButtonEffect]) {
        let length = (release.time - downAt).milliseconds
        let message = "Button press of \(length) ms ignored: it is shorter than min-press."
        effects.append(.report(.debug(message)))
        upAt = release.heard
    }

    package mutating func settle(_ release: ButtonRelease, _ effects: inout [ButtonEffect]) {
        beQuiet(for: rules.settle, from: release.heard)
    }

    package mutating func rest(_ release: ButtonRelease, _ effects: inout [ButtonEffect]) {
        beQuiet(for: rules.lockout, from: release.heard)
    }

    package mutating func press(_ release: ButtonRelease, _ effects: inout [ButtonEffect]) {
        effects.append(.pressed(meaning))
        rest(release, &effects)
    }

    package mutating func pressSettled(_ effects: inout [ButtonEffect]) {
        effects.append(.pressed(meaning))
        beQuiet(for: rules.lockout, from: max(upAt, quietUntil))
    }

    package mutating func dropPress(_ effects: inout [ButtonEffect]) {
        let message = "Button press ignored: the button was held again before the press took effect."
        effects.append(.report(JournalEntry(level: .notice, kind: .button, message: message)))
    }

    package mutating func dropPressLate(_ release: ButtonRelease, _ effects: inout [ButtonEffect]) {
        dropPress(&effects)
    }

    package mutating func dropLostPress(_ effects: inout [ButtonEffect]) {
        reportLostPress(&effects)
        quietUntil = upAt
    }

    package mutating func reportLostPress(_ effects: inout [ButtonEffect]) {
        let message = "Button press ignored: its line was lost or read again before the press took effect."
        effects.append(.report(JournalEntry(level: .notice, kind: .button, message: message)))
    }

    package mutating func hold(_ effects: inout [ButtonEffect]) { effects.append(.held) }

    package mutating func holdLate(_ release: ButtonRelease, _ effects: inout [ButtonEffect]) {
        effects.append(.held)
        rest(release, &effects)
    }
}

extension ButtonModel {
    private mutating func beQuiet(for length: Duration, from time: Duration) {
        upAt = time
        quietUntil = time + length
    }
}
