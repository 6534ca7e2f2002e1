import Cameras
import Exposure

/// A body's present shutter speed, independent of the maker's format.
package struct BodySpeed: Hashable, Sendable, CustomStringConvertible {
    /// The value that a driver reports after it reads this speed.
    package var reading: SpeedReading
    /// The time on the camera's display; nil: BULB, as long as the button is pressed.
    package var nominal: Fraction?

    package struct Fraction: Hashable, Sendable {
        package var numerator: Int
        package var denominator: Int

        /// - Precondition: Both are greater than zero.
        package init(_ numerator: Int, _ denominator: Int) {
            precondition(numerator > 0 && denominator > 0, "a shutter is open for some time")
            self.numerator = numerator
            self.denominator = denominator
        }
    }

    package init(_ reading: SpeedReading, nominal: Fraction?) {
        self.reading = reading
        self.nominal = nominal
    }

    /// A speed of the third-stop scale.
    package init(_ speed: ShutterSpeed) {
        let (numerator, denominator) = speed.nominalFraction
        self.init(.speed(speed), nominal: Fraction(numerator, denominator))
    }

    package static let bulb = BodySpeed(.other("BULB"), nominal: nil)

    /// The speed of the third-stop scale; nil for any other speed.
    package var shutterSpeed: ShutterSpeed? {
        if case .speed(let speed) = reading { speed } else { nil }
    }

    /// The true exposure time, for example 32 s for 30″. Outside the third-stop scale: the nominal time. nil for BULB.
    package var exposureTime: Duration? {
        if let speed = shutterSpeed { return speed.exposureTime }
        return nominal.map { .seconds(1) * $0.numerator / $0.denominator }
    }

    /// The speed as in plans, or as the body writes it if it is not on the third-stop scale.
    package var label: String { reading.description }

    package var description: String { label }
}
