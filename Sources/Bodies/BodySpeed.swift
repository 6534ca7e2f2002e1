import Cameras
import Exposure

/// A shutter speed that a body stands on, whatever its maker writes on the wire.
package struct BodySpeed: Hashable, Sendable, CustomStringConvertible {
    /// What a driver reports that reads it.
    package var reading: SpeedReading
    /// The time on the camera's display; nil: as long as the button is held.
    package var nominal: Fraction?

    /// Seconds as a fraction.
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

    /// The speed of the third-stop scale; nil for any other.
    package var shutterSpeed: ShutterSpeed? {
        if case .speed(let speed) = reading { speed } else { nil }
    }

    /// How long the shutter is truly open: 32 s for 30″. Beyond the third-stop scale the nominal time; nil for BULB.
    package var exposureTime: Duration? {
        if let speed = shutterSpeed { return speed.exposureTime }
        return nominal.map { .seconds(1) * $0.numerator / $0.denominator }
    }

    /// As plans write it, else as the body shows it.
    package var label: String { reading.description }

    package var description: String { label }
}
