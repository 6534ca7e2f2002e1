import Bodies
import Controller
import Exposure

// The button on the tripod: every third world has one.

extension Scenario {
    /// A separate random stream for the button. Worlds without a button are the same as before the button existed. With
    /// this salt, the worlds in mutants and tests have no button.
    private static let buttonSalt: UInt64 = 0x125B_9090

    mutating func addButton() {
        var chance = SeededGenerator(seed: seed ^ Self.buttonSalt)
        guard chance.chance(oneIn: 3), level != .none else { return }
        hasButton = true
        configuration.button = Self.button(&chance)
        addPresses(&chance)
        addButtonFaults(&chance)
        if chance.chance(oneIn: 4) { addStop(&chance) }
    }

    private static func button(_ chance: inout SeededGenerator) -> ButtonConfiguration {
        ButtonConfiguration(
            rules: ButtonRules(
                pressMin: .milliseconds(chance.pick(from: [30, 30, 100])),
                hold: .milliseconds(chance.pick(from: [2000, 2000, 1000])),
                settle: .milliseconds(chance.pick(from: [0, 0, 500, 2000])),
                lockout: .milliseconds(chance.pick(from: [300, 300, 50, 1000]))
            ),
            pressWhileShooting: chance.chance(oneIn: 4) ? .nothing : .pause,
            plan: plan(frames: 3, &chance)
        )
    }

    private mutating func addPresses(_ chance: inout SeededGenerator) {
        // The daemon needs one or two seconds to connect to the camera.
        actions.plan(.press(for: .milliseconds(150), .atOnce), at: .milliseconds(chance.next(in: 1000...4000)))
        for _ in 0..<chance.next(in: 1...8) {
            let time = chance.duration(in: .zero...calmFrom)
            let length = Self.pressLength(&chance)
            actions.plan(.press(for: length, Self.reception(&chance)), at: time)
            guard chance.chance(oneIn: 3) else { continue }
            // The user presses a second time shortly afterwards.
            let next = time + length + .milliseconds(chance.next(in: 1...700))
            actions.plan(.press(for: Self.pressLength(&chance), Self.reception(&chance)), at: next)
        }
    }

    private static func pressLength(_ chance: inout SeededGenerator) -> Duration {
        switch chance.next(below: 8) {
        // The tripod is knocked, which closes the contact for a very short time.
        case 0: .milliseconds(chance.next(in: 1...29))
        case 1: .milliseconds(chance.next(in: 1900...2100))
        case 2, 3: .milliseconds(chance.next(in: 2000...4000))
        default: .milliseconds(chance.next(in: 30...500))
        }
    }

    private static func reception(_ chance: inout SeededGenerator) -> EdgeReception {
        switch chance.next(below: 10) {
        case 0: .late(.milliseconds(chance.next(in: 1...3000)))
        case 1: .pressLost
        case 2: .releaseLost
        default: .atOnce
        }
    }

    private mutating func addButtonFaults(_ chance: inout SeededGenerator) {
        func some(_ count: ClosedRange<Int>, _ action: (inout SeededGenerator) -> ScenarioAction) {
            for _ in 0..<chance.next(in: count) {
                actions.plan(action(&chance), at: chance.duration(in: .zero...calmFrom))
            }
        }
        if chance.chance(oneIn: 3) {
            some(1...2) { .pullButton(back: .milliseconds($0.next(in: 1...5000))) }
        }
        if chance.chance(oneIn: 2) {
            some(1...3) { chance in
                .ask(.arm(chance.chance(oneIn: 4) ? nil : Self.plan(frames: 3, &chance)))
            }
        }
        if chance.chance(oneIn: 3) {
            some(1...2) { chance in
                .configure(Self.button(&chance), resumesByItself: chance.chance(oneIn: 2))
            }
        }
    }

    private mutating func addStop(_ chance: inout SeededGenerator) {
        let time = chance.duration(in: .zero...calmFrom)
        actions.plan(.stop(back: .milliseconds(chance.next(in: 100...5000))), at: time)
        if chance.chance(oneIn: 2) { actions.plan(.stopAgain, at: time + .milliseconds(chance.next(in: 0...3000))) }
    }
}
