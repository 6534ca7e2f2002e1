import PTP

/// How a body of version 2 moves a property that cannot be set: by notches, through 0x9207 with the property's code and
/// one signed byte (PTP 2 Reference p.80). A positive number moves towards the end of the list, which means faster for
/// the shutter speed.
package struct SonyStepping: Sendable {
    /// Where a jump of several notches ends. Bodies differ (libgphoto2#527, #775, #854).
    package enum Accuracy: Hashable, Sendable {
        /// At the destination (A9).
        case exact
        /// So many notches before it; always at least one notch.
        case short(by: Int)
        /// After at most this number of notches.
        case capped(at: Int)

        /// How far the body really moves; the sign stays.
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

    /// A property and the values that its notches pass.
    package struct Scale: Sendable {
        package var property: PropertyCode
        /// In the order of the notches, the lowest first.
        package var values: [Int64]
    }

    package var accuracy = Accuracy.exact
    /// From a command until a reading shows its effect: 0.2 to 0.7 s.
    package var moveTime = Duration.milliseconds(300)
    package var scales: [Scale]

    /// The values of a property; nil when it is not moved by notches.
    package func values(of property: PropertyCode) -> [Int64]? {
        scales.first { $0.property == property }?.values
    }
}
