import Statecharts

/// An event of the button's line.
package enum ButtonLineEvent: Codable, Hashable, Sendable {
    /// The line is available, or was read again after edges were lost. The value is the state of the button.
    case line(isPressed: Bool)
    /// The line is not available, or not any more.
    case gone
    /// The kernel saw an edge, debounced, at this time of the clock that stamps the inputs. The host delivers edges in
    /// their order, and before any later input if it can.
    case edge(isPressed: Bool, at: Duration)
}

/// What a press means while a shoot runs.
package enum PressWhileShooting: String, Codable, CaseIterable, Hashable, Sendable {
    /// The press pauses the shoot after the current frame. The next press resumes it.
    case pause
    case nothing
}

extension RequestID {
    /// The id of the button's requests; no client has it.
    package static let button = RequestID(rawValue: .max)
}

/// The times of the button's steps.
package struct ButtonRules: Codable, Hashable, Sendable {
    /// A shorter press is ignored: it is a knock at the tripod, or a spark on the line.
    package var pressMin: Duration
    /// A button that is held for this long cancels the shoot.
    package var hold: Duration
    /// The time between the release and the action, so that the tripod stops shaking.
    package var settle: Duration
    /// The time after an action in which presses are ignored. Each of them restarts it, unless the press is shorter
    /// than `pressMin`.
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

/// The action of a press if it takes effect now, and the shoot that it is for.
package struct PressMeaning: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        case fire
        /// Fires the missing frames, after the end of the daemon or of the shoot.
        case resume, retry
        /// Pauses the shoot after the current frame; resumes it.
        case pause, goOn
        case nothing
    }

    package var action: Action
    /// The shoot that continues, or the last one.
    package var shoot: Int?

    package init(_ action: Action, shoot: Int?) {
        self.action = action
        self.shoot = shoot
    }
}

package struct ButtonPress: Hashable, Sendable {
    /// When the kernel saw it.
    package var time: Duration
    /// The action if nothing changes before it takes effect.
    package var meaning: PressMeaning
}

package struct ButtonRelease: Hashable, Sendable {
    /// When the kernel saw it. This decides the length of the press.
    package var time: Duration
    /// The time from which the release counts. It is later than `time` if the chart was already later.
    package var countsFrom: Duration
}

/// The data behind `button.scxml`.
struct ButtonModel: Equatable, Sendable {
    var rules: ButtonRules
    /// The last time that the button went down, for any reason.
    private var downAt = Duration.zero
    /// When the button went up, and when its settle time or lockout ends.
    private var upAt = Duration.zero
    private var quietUntil = Duration.zero
    /// The action of the current or settling press.
    private var meaning = PressMeaning(.nothing, shoot: nil)

    init(_ rules: ButtonRules = ButtonRules()) {
        self.rules = rules
    }
}

// Only the functions that the chart names; a test compares both lists.
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
