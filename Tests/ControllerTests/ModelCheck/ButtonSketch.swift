import Statecharts

@testable import Controller

/// The button's chart without times. At each release, a press may be too short, long, or neither. The tripod may need
/// time to settle or not.
struct ButtonSketch: ChartSketch, ButtonBehavior {
    struct Notes: Hashable {}

    enum Effect: Hashable {
        case pressed
        case held
    }

    /// The kernel's reports about the line. They come in any order, because edges can be lost.
    enum News: Int, CaseIterable {
        case lineOpen
        case lineClosed
        case lineGone
        case pressed
        case released
    }

    let notes = Notes()
    let oracle: Oracle

    init(_ oracle: Oracle) { self.oracle = oracle }

    static func input(_ news: News) -> Button.Input {
        switch news {
        case .lineOpen: .lineOpen
        case .lineClosed: .lineClosed
        case .lineGone: .lineGone
        // The model decides the meaning of a press: `ModelRules.takePress`.
        case .pressed: .edgePressed(ButtonPress(time: .zero, meaning: PressMeaning(.nothing, shoot: nil)))
        case .released: .edgeReleased(ButtonRelease(time: .zero, countsFrom: .zero))
        }
    }

    func isTooSoon(_ press: ButtonPress) -> Bool { oracle.ask("it rested when the button went down") }
    func isTooShort(_ release: ButtonRelease) -> Bool { oracle.ask("the press is too short") }
    func isLong(_ release: ButtonRelease) -> Bool { oracle.ask("the press is long") }
    func needsSettling(_ release: ButtonRelease) -> Bool { oracle.ask("the tripod must settle") }

    func holdDelay() -> Duration { .seconds(1) }
    func quietDelay() -> Duration { .seconds(1) }

    mutating func notePress(_ press: ButtonPress, _ effects: inout [Effect]) {}
    mutating func notePressTime(_ press: ButtonPress, _ effects: inout [Effect]) {}
    mutating func noteTooShort(_ release: ButtonRelease, _ effects: inout [Effect]) {}
    mutating func settle(_ release: ButtonRelease, _ effects: inout [Effect]) {}
    mutating func startLockout(_ release: ButtonRelease, _ effects: inout [Effect]) {}
    mutating func press(_ release: ButtonRelease, _ effects: inout [Effect]) { effects.append(.pressed) }
    mutating func pressSettled(_ effects: inout [Effect]) { effects.append(.pressed) }
    mutating func dropPress(_ effects: inout [Effect]) {}
    mutating func dropLostPress(_ effects: inout [Effect]) {}
    mutating func reportLostPress(_ effects: inout [Effect]) {}
    mutating func dropPressLate(_ release: ButtonRelease, _ effects: inout [Effect]) {}
    mutating func hold(_ effects: inout [Effect]) { effects.append(.held) }
    mutating func holdLate(_ release: ButtonRelease, _ effects: inout [Effect]) { effects.append(.held) }
}
