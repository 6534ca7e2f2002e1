import Controller

struct LampPattern: Hashable, CustomStringConvertible {
    /// The durations in milliseconds: on, off, on …
    private let lengths: [Int64]
    private let repeats: Bool
    /// The level after the last duration, or the only level if there are no durations.
    private let endsOn: Bool

    static let off = LampPattern(lengths: [], repeats: false, endsOn: false)
    static let on = LampPattern(lengths: [], repeats: false, endsOn: true)

    /// A repeated pattern of durations in milliseconds: on, off, on … The number of durations is even.
    static func repeating(_ lengths: Int64...) -> LampPattern {
        precondition(!lengths.isEmpty && lengths.count.isMultiple(of: 2) && lengths.allSatisfy { $0 > 0 })
        return LampPattern(lengths: lengths, repeats: true, endsOn: false)
    }

    /// A pattern that is played once: on, off, on … in milliseconds, then off.
    static func once(_ lengths: Int64...) -> LampPattern {
        precondition(!lengths.isEmpty && lengths.allSatisfy { $0 > 0 })
        return LampPattern(lengths: lengths, repeats: false, endsOn: false)
    }

    /// The level at `elapsed` after the pattern began, and the time of the next change; nil: no change follows.
    func moment(_ elapsed: Duration) -> (isOn: Bool, next: Duration?) {
        let whole = lengths.reduce(0, +)
        let elapsed = max(0, elapsed.milliseconds)
        guard whole > 0, repeats || elapsed < whole else { return (endsOn, nil) }
        var end = repeats ? elapsed / whole * whole : 0
        var isOn = false
        for length in lengths where end <= elapsed {
            end += length
            isOn.toggle()
        }
        return (isOn, .milliseconds(end))
    }

    /// The pattern for messages: `on`, `off` or `0.1 s on, 2.9 s off, again and again`.
    var description: String {
        guard !lengths.isEmpty else { return endsOn ? "on" : "off" }
        let parts = lengths.enumerated().map { "\(Double($1) / 1000) s \($0.isMultiple(of: 2) ? "on" : "off")" }
        return "\(parts.joined(separator: ", ")), \(repeats ? "again and again" : "once")"
    }
}

// docs/gpio.md describes these patterns. A lamp that is always or nearly always on means that a press fires a bracket.
// A pattern that can last for hours wakes the processor seldom or never.
extension LampPattern {
    static func lamp(_ sign: LampSignal, showsExposing: Bool) -> LampPattern {
        switch sign {
        case .dark: .off
        case .waiting: .repeating(100, 2900)
        case .ready: .on
        // Light beside the lens would appear in the picture.
        case .exposing: showsExposing ? .repeating(50, 950) : .off
        case .betweenFrames: .repeating(250, 250)
        case .actionNeeded: .repeating(200, 200, 200, 1400)
        case .done: .repeating(2800, 200)
        case .doneWithDoubts: .repeating(2200, 200, 200, 200, 200, 200)
        }
    }

    /// The buzzer's patterns. The buzzer is silent while the shutter is open.
    static func buzzer(_ sign: LampSignal) -> LampPattern {
        switch sign {
        case .dark, .waiting, .exposing, .betweenFrames: .off
        case .ready: .once(80)
        case .actionNeeded: .once(150, 150, 150, 150, 150)
        case .done: .once(600)
        case .doneWithDoubts: .once(600, 150, 150, 150, 150)
        }
    }
}
