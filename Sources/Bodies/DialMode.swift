/// Where the mode dial of a simulated body stands.
package enum DialMode: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// The person sets speed and aperture.
    case manual = "M"
    /// The person sets the speed, the body the aperture.
    case shutterPriority = "S"
    /// The person sets the aperture, the body the speed.
    case aperturePriority = "A"
    /// The body sets both.
    case program = "P"

    /// The letter on the dial.
    package var description: String { rawValue }

    /// Whether the shutter speed is the person's to set.
    package var speedIsSettable: Bool { self == .manual || self == .shutterPriority }
}
