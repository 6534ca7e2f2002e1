/// Why a text is not a shutter speed.
package struct SpeedError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case empty
        case notATime
        /// The time is zero, or its denominator is zero.
        case zero
        case negative
        /// The text means bulb, which has no fixed time to plan with.
        case bulb
        /// The time is between two speeds of the scale.
        case offScale
        case tooFast
        case tooSlow
    }

    package let text: String
    package let reason: Reason
    /// The nearest speeds, or the speed that the user probably meant, fastest first; empty if the text is not a time.
    package let nearest: [ShutterSpeed]

    package var description: String { sentence }
}
