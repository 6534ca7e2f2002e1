import Exposure
import PTP

/// A shutter speed in the form of property 0xD102: one byte, 8 per stop, 0x38 is 1 s, greater values are faster. The
/// low three bits are 0 for a whole stop, 4 for a half stop, 3 and 5 for the thirds (libgphoto2 config.c, EDSDK).
package struct CanonShutterSpeed: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire. Numbers above 0xFF occur and have no meaning (an R10 in P lists 0x1500).
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The body chooses the speed, or shows none.
    package static let absent = Self(rawValue: 0x00)
    /// The body chooses the speed: the mode Fv (an M6 Mark II lists it; libgphoto2 names it "bulb").
    package static let automatic = Self(rawValue: 0x04)
    /// The shutter stays open while the button is pressed.
    package static let bulb = Self(rawValue: 0x0C)

    /// One row of the table: the byte and the camera's label.
    package struct Row: Sendable {
        package var raw: UInt32
        package var label: String
    }

    /// A speed of the third-stop scale.
    package init(_ speed: ShutterSpeed) {
        let third = Self.thirdOfFastest - speed.index
        rawValue = UInt32(third / 3 * 8) | Self.bitsOfThirds[third % 3]
    }

    /// The speed of the third-stop scale; nil: a half stop, a speed beyond the scale, or no timed speed.
    package var shutterSpeed: ShutterSpeed? {
        guard isTimed, let bits = Self.bitsOfThirds.firstIndex(of: rawValue & 7) else { return nil }
        return ShutterSpeed(index: Self.thirdOfFastest - (Int(rawValue >> 3) * 3 + bits))
    }

    /// Whether the value is an exposure time. The slowest one is 0x10.
    package var isTimed: Bool { Self.rows.contains { $0.raw == rawValue } }

    /// The true time of the exposure. EOS times are powers of the square root of 2, not the rounded labels. nil: no
    /// timed speed.
    package var exposureTime: Duration? {
        guard isTimed else { return nil }
        if let shutterSpeed { return shutterSpeed.exposureTime }
        // Only half stops and whole stops beyond the scale remain.
        let stops = Int(rawValue >> 3) - Self.stopOfOneSecond
        let base = Duration(secondsComponent: 0, attosecondsComponent: rawValue & 7 == 4 ? Self.halfStop : Self.second)
        return stops >= 0 ? base / (1 << stops) : base * (1 << -stops)
    }

    /// The form of the camera's display: `1/125`, `0.5"`, `Bulb`.
    package var description: String {
        if let row = Self.rows.first(where: { $0.raw == rawValue }) { return row.label }
        switch self {
        case .bulb: return "Bulb"
        case .absent, .automatic: return "Auto"
        default: return rawValue > 0xFF ? rawValue.hexadecimal : UInt8(truncatingIfNeeded: rawValue).hexadecimal
        }
    }

    /// The value for the core.
    package var reading: SpeedReading { shutterSpeed.map(SpeedReading.speed) ?? .other(description) }

    /// The text for users; nil: the body shows no speed.
    package var text: String? { self == .absent || rawValue > 0xFF ? nil : reading.description }

    /// The number of thirds of 1/8000, which is 0xA0.
    private static let thirdOfFastest = 60
    /// The number of whole stops of 1 s, which is 0x38.
    private static let stopOfOneSecond = 7
    private static let bitsOfThirds: [UInt32] = [0, 3, 5]
    /// 1 s and 2^(-1/2) s in attoseconds.
    private static let second: Int64 = 1_000_000_000_000_000_000
    private static let halfStop: Int64 = 707_106_781_186_547_524

    /// Every timed value, slowest first. A list of a camera has either the thirds or the halves, never both. Some
    /// halves have the label of a third.
    package static let rows: [Row] = (thirds + halves).map { Row(raw: $0.raw, label: $0.label) }
        .sorted { $0.raw < $1.raw }

    /// The thirds that are on the scale of ``ShutterSpeed``, and 1/16000 (an R6 Mark III).
    private static let thirds: [(raw: UInt32, label: String)] = [
        (0x10, "30\""), (0x13, "25\""), (0x15, "20\""), (0x18, "15\""), (0x1B, "13\""), (0x1D, "10\""),
        (0x20, "8\""), (0x23, "6\""), (0x25, "5\""), (0x28, "4\""), (0x2B, "3.2\""), (0x2D, "2.5\""),
        (0x30, "2\""), (0x33, "1.6\""), (0x35, "1.3\""), (0x38, "1\""), (0x3B, "0.8\""), (0x3D, "0.6\""),
        (0x40, "0.5\""), (0x43, "0.4\""), (0x45, "0.3\""), (0x48, "1/4"), (0x4B, "1/5"), (0x4D, "1/6"),
        (0x50, "1/8"), (0x53, "1/10"), (0x55, "1/13"), (0x58, "1/15"), (0x5B, "1/20"), (0x5D, "1/25"),
        (0x60, "1/30"), (0x63, "1/40"), (0x65, "1/50"), (0x68, "1/60"), (0x6B, "1/80"), (0x6D, "1/100"),
        (0x70, "1/125"), (0x73, "1/160"), (0x75, "1/200"), (0x78, "1/250"), (0x7B, "1/320"), (0x7D, "1/400"),
        (0x80, "1/500"), (0x83, "1/640"), (0x85, "1/800"), (0x88, "1/1000"), (0x8B, "1/1250"), (0x8D, "1/1600"),
        (0x90, "1/2000"), (0x93, "1/2500"), (0x95, "1/3200"), (0x98, "1/4000"), (0x9B, "1/5000"),
        (0x9D, "1/6400"), (0xA0, "1/8000"), (0xA8, "1/16000"),
    ]

    private static let halves: [(raw: UInt32, label: String)] = [
        (0x14, "20\""), (0x1C, "10\""), (0x24, "6\""), (0x2C, "3\""), (0x34, "1.5\""), (0x3C, "0.7\""),
        (0x44, "0.3\""), (0x4C, "1/6"), (0x54, "1/10"), (0x5C, "1/20"), (0x64, "1/45"), (0x6C, "1/90"),
        (0x74, "1/180"), (0x7C, "1/350"), (0x84, "1/750"), (0x8C, "1/1500"), (0x94, "1/3000"), (0x9C, "1/6000"),
    ]
}
