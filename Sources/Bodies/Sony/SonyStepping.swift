import PTP

/// How a body of version 2 changes a property that is not writable. The initiator sends notches: 0x9207 with the
/// property's code and one signed byte (PTP 2 Reference p.80). A positive number steps towards the end of the list. For
/// the shutter speed, the end of the list is the fastest speed.
package struct SonyStepping: Sendable {
    /// The end of a jump of several notches. Bodies differ (libgphoto2#527, #775, #854).
    package enum Accuracy: Hashable, Sendable {
        /// The jump ends at the destination (A9).
        case exact
        /// The jump ends this number of notches before the destination, but moves at least one notch.
        case short(by: Int)
        /// The jump ends after at most this number of notches.
        case capped(at: Int)

        /// The number of notches that the body really moves, with the sign of `wanted`.
        package func notches(of wanted: Int) -> Int {
            let size = abs(wanted)
            let moved =
                switch self {
                case .exact: size
                case .short(let notches): size == 0 ? 0 : max(1, size - notches)
                case .capped(let notches): min(size, notches)
                }
            return wanted < 0 ? -moved : moved
        }
    }

    /// A property and the values that its notches step through.
    package struct Scale: Sendable {
        package var property: PropertyCode
        /// The values in the order of the notches, the lowest first.
        package var values: [Int64]
    }

    package var accuracy = Accuracy.exact
    /// The time from a command until the initiator can read its effect: 0.2 to 0.7 s.
    package var moveTime = Duration.milliseconds(300)
    package var scales: [Scale]

    /// The values of a property; nil when notches do not change the property.
    package func values(of property: PropertyCode) -> [Int64]? {
        scales.first { $0.property == property }?.values
    }
}
