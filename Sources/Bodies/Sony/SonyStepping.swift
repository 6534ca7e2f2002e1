import PTP

/// How a body of version 2 moves a property that it does not let anybody set: by notches, through 0x9207 with the
/// property's code and one signed byte (PTP 2 Reference p.80). A positive one goes towards the end of the list, which
/// for the shutter speed is faster.
package struct SonyStepping: Sendable {
    /// Where a jump of several notches ends. Bodies differ (libgphoto2#527, #775, #854).
    package enum Accuracy: Hashable, Sendable {
        /// Where it should (A9).
        case exact
        /// So many notches short; always one notch at least.
        case short(by: Int)
        /// After so many notches at the most.
        case capped(at: Int)

        /// How far the body really goes; the sign stays.
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
        /// In the order of the notches, the first the lowest.
        package var values: [Int64]
    }

    package var accuracy = Accuracy.exact
    /// From a command until a reading shows where it led: 0.2 to 0.7 s.
    package var moveTime = Duration.milliseconds(300)
    package var scales: [Scale]

    /// The values of a property; nil when it is not moved by notches.
    package func values(of property: PropertyCode) -> [Int64]? {
        scales.first { $0.property == property }?.values
    }
}
