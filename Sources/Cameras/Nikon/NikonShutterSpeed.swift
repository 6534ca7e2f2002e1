import Exposure
import PTP

/// A shutter speed in the form of property 0xD100, in seconds. The high half is the numerator, and the low half is the
/// denominator (libgphoto2 config.c, dumps of 16 bodies).
package struct NikonShutterSpeed: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The shutter stays open while the button is pressed.
    package static let bulb = Self(rawValue: 0xFFFF_FFFF)
    /// The speed of the flash synchronization.
    package static let flashSync = Self(rawValue: 0xFFFF_FFFE)
    /// The shutter stays open from one press to the next.
    package static let time = Self(rawValue: 0xFFFF_FFFD)

    /// The time in seconds × `denominator`.
    package var numerator: UInt16 { UInt16(truncatingIfNeeded: rawValue >> 16) }
    package var denominator: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

    /// A speed of the third-stop scale in the form of Nikon bodies. A body's own list is decisive.
    package init(_ speed: ShutterSpeed) { self = Self.thirds[speed.index] }

    /// Whether the value is an exposure time.
    package var isTimed: Bool {
        numerator > 0 && denominator > 0 && ![Self.bulb, Self.flashSync, Self.time].contains(self)
    }

    /// The speed of the third-stop scale with the same nominal time. nil: no timed speed, a half stop whose number is
    /// not on the scale, or a speed beyond the scale.
    package var shutterSpeed: ShutterSpeed? {
        guard isTimed else { return nil }
        let index = Self.thirds.firstIndex { isSameTime(as: $0) }
        return index.flatMap(ShutterSpeed.init(index:)) ?? ShutterSpeed.all.first { isNominal($0) }
    }

    /// Whether both values are the same time, as rational numbers.
    package func isSameTime(as other: Self) -> Bool {
        guard self != other else { return true }
        guard isTimed, other.isTimed else { return false }
        return UInt32(numerator) * UInt32(other.denominator) == UInt32(other.numerator) * UInt32(denominator)
    }

    /// Whether the value is the number on the label of a speed: 0.3″ as 3/10, where Nikon bodies write 1/3.
    private func isNominal(_ speed: ShutterSpeed) -> Bool {
        let nominal = speed.nominalFraction
        return Int(numerator) * nominal.denominator == nominal.numerator * Int(denominator)
    }

    /// The true time of the exposure; nil: no timed speed. Nikon times are powers of two in thirds of a stop: 30″ is 32
    /// s (rf-photography.ca). Off the scale it is the nominal time.
    package var exposureTime: Duration? { isTimed ? shutterSpeed?.exposureTime ?? nominalTime : nil }

    /// A time that the exposure does not exceed, for timeouts; nil: no timed speed. The greatest ratio of a true time
    /// to its label is that of the half stop 20″, which is 22.6 s.
    package var exposureTimeMax: Duration? { exposureTime.map { max($0, nominalTime * 8 / 7) } }

    private var nominalTime: Duration { .seconds(1) * Int(numerator) / Int(denominator) }

    /// The value of property 0x500D, in tenths of a millisecond without the rest; nil: 0x500D has no such value.
    package var tenths: UInt32? {
        if self == .bulb || self == .time { return rawValue }
        return isTimed ? UInt32(numerator) * 10_000 / UInt32(denominator) : nil
    }

    /// The label: `1/125`, `0.5"`, `30"`, `Bulb`.
    package var description: String {
        switch self {
        case .bulb: return "Bulb"
        case .time: return "Time"
        case .flashSync: return "x-sync"
        default: break
        }
        guard isTimed else { return rawValue.hexadecimal }
        if let shutterSpeed { return shutterSpeed.label }
        let (top, bottom) = (Int(numerator), Int(denominator))
        // As on the displays: fractions below 0.3″, then tenths of a second.
        if top * 10 < bottom * 3 { return "1/\((bottom + top / 2) / top)" }
        let tenths = (top * 10 + bottom / 2) / bottom
        return tenths % 10 == 0 ? "\(tenths / 10)\"" : "\(tenths / 10).\(tenths % 10)\""
    }

    /// The value for the core.
    package var reading: SpeedReading { shutterSpeed.map(SpeedReading.speed) ?? .other(description) }

    /// The third-stop scale, fastest first. Nikon writes 0.3″, 0.6″, 0.8″ and 3.2″ as 1/3, 1/1.6, 1/1.3
    /// and 3.
    package static let thirds: [Self] =
        [
            8000, 6400, 5000, 4000, 3200, 2500, 2000, 1600, 1250, 1000, 800, 640, 500, 400, 320, 250, 200, 160, 125,
            100, 80, 60, 50, 40, 30, 25, 20, 15, 13, 10, 8, 6, 5, 4, 3,
        ].map { fraction(1, $0) }
        + [fraction(10, 25), fraction(1, 2), fraction(10, 16), fraction(10, 13), fraction(1, 1)]
        + [fraction(13, 10), fraction(16, 10), fraction(2, 1), fraction(25, 10)]
        + [3, 4, 5, 6, 8, 10, 13, 15, 20, 25, 30].map { fraction($0, 1) }

    /// The half stops whose numbers are not on the third-stop scale, fastest first (LGD nikon-d7200).
    package static let halves: [Self] =
        [6000, 3000, 1500, 750, 350, 180, 90, 45].map { fraction(1, $0) }
        + [fraction(10, 15), fraction(15, 10)]

    /// The half stops whose numbers are also those of thirds.
    static let sharedHalves: [Self] =
        [20, 10, 6, 3].map { fraction(1, $0) } + [3, 6, 10, 20].map { fraction($0, 1) }

    package static func fraction(_ numerator: UInt16, _ denominator: UInt16) -> Self {
        Self(rawValue: UInt32(numerator) << 16 | UInt32(denominator))
    }
}
