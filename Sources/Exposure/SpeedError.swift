/// Why a text is not a shutter speed.
package struct SpeedError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case empty
        case notATime
        /// The time is zero or divided by zero.
        case zero
        case negative
        /// Bulb has no fixed time to plan with.
        case bulb
        /// The time is between two speeds of the scale.
        case offScale
        case tooFast
        case tooSlow
    }

    package let text: String
    package let reason: Reason
    /// The nearest or probably intended speeds, fastest first; empty if the text is not a time.
    package let nearest: [ShutterSpeed]

    package var description: String { sentence }
}
