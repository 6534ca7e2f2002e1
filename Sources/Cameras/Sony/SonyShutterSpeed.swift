import Exposure
import PTP

/// A shutter speed in the form of property 0xD20D, in seconds. The high half is the numerator, and the low half is the
/// denominator (PTP 3 p.446, enumeration of a real RX100 VII).
///
/// A numerator of 1 means a fraction of a second, even with the denominator 10: 0x0001000A is 1/10, not 0.1″. From 0.4″
/// on, the denominator is 10 and the numerator counts tenths of a second.
package struct SonyShutterSpeed: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The shutter stays open while the button is pressed.
    package static let bulb = Self(rawValue: 0)
    /// The body has nothing to show.
    package static let nothing = Self(rawValue: 0xFFFF_FFFF)

    /// The time in seconds × `denominator`.
    package var numerator: UInt16 { UInt16(truncatingIfNeeded: rawValue >> 16) }
    /// The denominator: 10 for whole and tenths of seconds, otherwise that of the fraction.
    package var denominator: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

    /// A speed of the third-stop scale in the form of Sony bodies. A body's own list is decisive.
    package init(_ speed: ShutterSpeed) {
        rawValue = Self.scale[speed.index]
    }

    /// The speed of the third-stop scale with the same nominal time. nil: BULB, a half stop or a speed outside the
    /// scale.
    package var shutterSpeed: ShutterSpeed? {
        // As a fraction, "nothing" would be 0xFFFF/0xFFFF, one second.
        guard numerator > 0, denominator > 0, self != .nothing else { return nil }
        if self == Self.threeTenths { return Self.indexOfThird.flatMap(ShutterSpeed.init(index:)) }
        let index = Self.scale.firstIndex { value in
            let known = Self(rawValue: value)
            return isSameTime(as: known)
        }
        return index.flatMap(ShutterSpeed.init(index:))
    }

    /// Whether both values are the same time. Forms differ: an ILCE-7M4 writes 30″ as 30/1, an RX100 VII as 300/10 (LGD
    /// sony-a7m4, -rx100m7).
    package func isSameTime(as other: Self) -> Bool {
        guard self != other else { return true }
        guard denominator > 0, other.denominator > 0, self != .nothing, other != .nothing else { return false }
        return UInt32(numerator) * UInt32(other.denominator) == UInt32(other.numerator) * UInt32(denominator)
    }

    /// The position on Sony's own scale, in notches of a third of a stop. 0 is 1/32000, 60 is 30″. BULB is 61, one
    /// notch after 30″ (enumeration of a real RX100 VII, 62 values). nil: "nothing" or a half stop.
    package var notch: Int? {
        if self == .bulb { return Self.notches.upperBound }
        if let speed = shutterSpeed { return Self.notch(of: speed) }
        guard numerator == 1 else { return nil }
        return Self.fasterThanScale.firstIndex(of: denominator)
    }

    /// The position of a speed of the third-stop scale.
    package static func notch(of speed: ShutterSpeed) -> Int { fasterThanScale.count + speed.index }

    /// All positions of Sony's scale.
    package static let notches = 0...(fasterThanScale.count + scale.count)

    /// The form of the camera's display: `1/125`, `0.4"`, `30"`, `BULB`, `--`.
    package var description: String {
        if self == .bulb { return "BULB" }
        if self == .nothing || denominator == 0 { return "--" }
        if numerator == 1, denominator > 1 { return "1/\(denominator)" }
        let tenths = (UInt32(numerator) * 10 + UInt32(denominator) / 2) / UInt32(denominator)
        if UInt32(numerator) < UInt32(denominator), denominator != 10 { return "\(numerator)/\(denominator)" }
        return tenths % 10 == 0 ? "\(tenths / 10)\"" : "\(tenths / 10).\(tenths % 10)\""
    }

    /// The value for the core.
    package var reading: SpeedReading { shutterSpeed.map(SpeedReading.speed) ?? .other(description) }

    /// The value for 0x9205.
    package var value: PTPValue { .uint32(rawValue) }

    private static let threeTenths = Self(rawValue: 0x0003_000A)
    private static let indexOfThird = scale.firstIndex(of: 0x0001_0003)

    /// The additional speeds of electronic shutters, fastest first.
    private static let fasterThanScale: [UInt16] = [32000, 25600, 20000, 16000, 12800, 10000]

    /// The 55 speeds of the third-stop scale, fastest first. Sony writes 0.3″ as 1/3.
    private static let scale: [UInt32] =
        [
            8000, 6400, 5000, 4000, 3200, 2500, 2000, 1600, 1250, 1000, 800, 640, 500, 400, 320, 250, 200, 160, 125,
            100, 80, 60, 50, 40, 30, 25, 20, 15, 13, 10, 8, 6, 5, 4, 3,
        ].map { 0x0001_0000 | $0 }
        + [4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 60, 80, 100, 130, 150, 200, 250, 300].map { $0 << 16 | 0x000A }
}
