// Why a text is not a shutter speed.

extension SpeedError {
    /// One sentence: the text, its error, and what to write instead.
    package var sentence: String {
        let example = "Write it as 1/250, 0.3 or 2\"."
        return switch reason {
        case .empty: "The shutter speed is empty. \(example)"
        case .notATime: "\(Quoted.text(text)) is not a shutter speed. \(example)"
        case .zero: "A shutter speed of \(Quoted.text(text)) is zero. \(example)"
        case .negative: "A shutter speed of \(Quoted.text(text)) is negative. \(example)"
        case .bulb: "\(Quoted.text(text)) has no fixed time, which a bracket needs. \(example)"
        case .offScale: "\(Quoted.text(text)) is not on the third-stop scale. The nearest are \(choices)."
        case .tooFast: "\(Quoted.text(text)) is faster than the fastest shutter speed. The nearest is \(choices)."
        case .tooSlow: "\(Quoted.text(text)) is slower than the slowest shutter speed, \(ShutterSpeed.slowest)\(meant)."
        }
    }

    private var choices: String { nearest.map(\.label).joined(separator: " and ") }

    /// Some bodies show 1/250 as 250, and some users type it this way.
    private var meant: String {
        guard let first = nearest.first, first != .slowest else { return "" }
        return ". For a fraction of a second write \(first)"
    }
}
