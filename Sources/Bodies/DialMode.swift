/// The position of a simulated body's mode dial.
package enum DialMode: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// The user sets speed and aperture.
    case manual = "M"
    /// The user sets the speed. The body sets the aperture.
    case shutterPriority = "S"
    /// The user sets the aperture. The body sets the speed.
    case aperturePriority = "A"
    /// The body sets speed and aperture.
    case program = "P"

    /// The letter on the dial.
    package var description: String { rawValue }

    /// Whether the user sets the shutter speed.
    package var speedIsSettable: Bool { self == .manual || self == .shutterPriority }
}
