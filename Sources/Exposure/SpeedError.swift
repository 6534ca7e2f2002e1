/// Why a text is not a shutter speed.
package struct SpeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the text.
    package enum Reason: Hashable, Sendable {
        /// There is nothing in it.
        case empty
        /// It cannot be read as a time.
        case notATime
        /// It is zero or divided by zero.
        case zero
        /// It is below zero.
        case negative
        /// Bulb has no time that a plan could count on.
        case bulb
        /// It is a time between two speeds of the scale.
        case offScale
        /// It is faster than the fastest speed.
        case tooFast
        /// It is slower than the slowest speed.
        case tooSlow
    }

    /// The text as it was typed.
    package let text: String
    package let reason: Reason
    /// The speeds of the scale that come nearest, or may have been meant, fastest first; empty when the text is no
    /// time.
    package let nearest: [ShutterSpeed]

    /// One sentence: the text, what is wrong with it, and what could be written instead.
    package var sentence: String {
        let example = "write it as 1/250, 0.3 or 2\""
        return switch reason {
        case .empty: "The shutter speed is empty: \(example)."
        case .notATime: "\(Quoted.text(text)) is not a shutter speed: \(example)."
        case .zero: "\(Quoted.text(text)) is not a shutter speed, for it is no time at all: \(example)."
        case .negative: "\(Quoted.text(text)) is not a shutter speed, for it is below zero: \(example)."
        case .bulb: "\(Quoted.text(text)) has no set time, which a bracket needs: \(example)."
        case .offScale: "\(Quoted.text(text)) is not on the third-stop scale: the nearest are \(choices)."
        case .tooFast: "\(Quoted.text(text)) is faster than the fastest shutter speed: the nearest is \(choices)."
        case .tooSlow: "\(Quoted.text(text)) is slower than the slowest shutter speed, \(ShutterSpeed.slowest)\(meant)."
        }
    }

    private var choices: String { nearest.map(\.label).joined(separator: " and ") }

    /// Some bodies show 1/250 as 250, and so people type it.
    private var meant: String {
        guard let first = nearest.first, first != .slowest else { return "" }
        return ": for a fraction of a second write \(first)"
    }

    package var description: String { sentence }
}
