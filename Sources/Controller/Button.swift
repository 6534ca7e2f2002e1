import Statecharts

/// An event of the button's line.
package enum ButtonLineEvent: Codable, Hashable, Sendable {
    /// The line became available, or the host lost edges and read the line's state again.
    case line(isPressed: Bool)
    /// The line is not available.
    case gone
    /// The kernel reported a debounced edge at this time of the daemon's clock.
    ///
    /// The host delivers edges in their order. If possible, the host delivers an edge before any later input.
    case edge(isPressed: Bool, at: Duration)
}

/// What a press means while a shoot runs.
package enum PressWhileShooting: String, Codable, CaseIterable, Hashable, Sendable {
    /// The press pauses the shoot after the current frame. The next press resumes it.
    case pause
    case nothing
}

extension RequestID {
    /// The id of all requests from the button. No client's request has this id.
    package static let button = RequestID(rawValue: .max)
}

/// The times that decide what a press of the button does.
package struct ButtonRules: Codable, Hashable, Sendable {
    /// The minimum length of a press. Contact bounce or a shock on the tripod can cause a shorter one.
    package var pressMin: Duration
    /// The minimum length of a hold. A hold cancels the shoot.
    package var hold: Duration
    /// The time between the release of the button and the action, so that the tripod stops shaking.
    package var settle: Duration
    /// The time after an action during which presses are ignored. An ignored press of at least `pressMin` restarts this
    /// time.
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

/// The configured use of the button.
package struct ButtonConfiguration: Codable, Hashable, Sendable {
    package var rules: ButtonRules
    package var pressWhileShooting: PressWhileShooting
    /// The plan that a press fires if no other plan is armed.
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

/// The action of a press at this time, and the shoot that the action concerns.
package struct PressMeaning: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        case fire
        /// `resume` continues an interrupted shoot; `retry` fires the missing frames of a shoot that has ended.
        case resume, retry
        /// `pause` pauses the shoot after the current frame; `goOn` resumes the paused shoot.
        case pause, goOn
        case nothing
    }

    package var action: Action
    /// The current or the last shoot; nil: there is none.
    package var shoot: Int?

    package init(_ action: Action, shoot: Int?) {
        self.action = action
        self.shoot = shoot
    }
}

package struct ButtonPress: Hashable, Sendable {
    /// The time at which the kernel reported the press.
    package var time: Duration
    /// The action of the press, if no state changes before the press takes effect.
    package var meaning: PressMeaning
}

package struct ButtonRelease: Hashable, Sendable {
    /// The time at which the kernel reported the release. This time decides the length of the press.
    package var time: Duration
    /// The time at which the chart handles the release: `time`, or the time of the chart's clock if that is later.
    package var countsFrom: Duration
}

/// The data behind `button.scxml`.
struct ButtonModel: Equatable, Sendable {
    var rules: ButtonRules
    /// The time at which the button last went down, even if that press was ignored.
    private var downAt = Duration.zero
    /// The time of the latest release, and the end of the settle time or lockout that follows this release.
    private var upAt = Duration.zero
    private var quietUntil = Duration.zero
    /// The action of the current press, or of the press whose settle time runs.
    private var meaning = PressMeaning(.nothing, shoot: nil)

    init(_ rules: ButtonRules = ButtonRules()) {
        self.rules = rules
    }
}

// This extension has only the functions that the chart names. A test compares it with the chart.
extension ButtonModel: ButtonBehavior {
    typealias Effect = PartEffect

    // MARK: Guards

    func isTooSoon(_ press: ButtonPress) -> Bool { press.time < quietUntil }

    func isTooShort(_ release: ButtonRelease) -> Bool { release.time - downAt < rules.pressMin }

    func isLong(_ release: ButtonRelease) -> Bool { release.time - downAt >= rules.hold }

    func needsSettling(_ release: ButtonRelease) -> Bool { rules.settle > .zero }

    // MARK: Delays

    func holdDelay() -> Duration { rules.hold }

    func quietDelay() -> Duration { max(.zero, quietUntil - upAt) }

    // MARK: Actions

    mutating func notePress(_ press: ButtonPress, _ effects: inout [PartEffect]) {
        downAt = press.time
        meaning = press.meaning
        effects.append(.send(.pressBegan(meaning)))
    }

    mutating func notePressTime(_ press: ButtonPress, _ effects: inout [PartEffect]) { downAt = press.time }

    mutating func noteTooShort(_ release: ButtonRelease, _ effects: inout [PartEffect]) {
        effects.append(.journal(.debug(ButtonSentences.tooShort(release.time - downAt))))
        upAt = release.countsFrom
    }

    mutating func settle(_ release: ButtonRelease, _ effects: inout [PartEffect]) {
        beQuiet(for: rules.settle, from: release.countsFrom)
    }

    mutating func startLockout(_ release: ButtonRelease, _ effects: inout [PartEffect]) {
        beQuiet(for: rules.lockout, from: release.countsFrom)
    }

    mutating func press(_ release: ButtonRelease, _ effects: inout [PartEffect]) {
        effects.append(.enqueue(.buttonPressed(meaning)))
        startLockout(release, &effects)
    }

    mutating func pressSettled(_ effects: inout [PartEffect]) {
        effects.append(.enqueue(.buttonPressed(meaning)))
        beQuiet(for: rules.lockout, from: max(upAt, quietUntil))
    }

    mutating func dropPress(_ effects: inout [PartEffect]) {
        effects.append(.journal(JournalEntry(level: .notice, kind: .button, message: ButtonSentences.heldAgain)))
    }

    mutating func dropPressLate(_ release: ButtonRelease, _ effects: inout [PartEffect]) {
        dropPress(&effects)
    }

    mutating func dropLostPress(_ effects: inout [PartEffect]) {
        reportLostPress(&effects)
        quietUntil = upAt
    }

    mutating func reportLostPress(_ effects: inout [PartEffect]) {
        effects.append(.journal(JournalEntry(level: .notice, kind: .button, message: ButtonSentences.lineLost)))
    }

    mutating func hold(_ effects: inout [PartEffect]) { effects.append(.enqueue(.buttonHeld)) }

    mutating func holdLate(_ release: ButtonRelease, _ effects: inout [PartEffect]) {
        effects.append(.enqueue(.buttonHeld))
        startLockout(release, &effects)
    }
}

extension ButtonModel {
    private mutating func beQuiet(for length: Duration, from time: Duration) {
        upAt = time
        quietUntil = time + length
    }
}
