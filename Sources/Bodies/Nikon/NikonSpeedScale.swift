import Cameras
import Exposure

/// The speeds of the third-stop scale on Nikon bodies. The list is that of a Z 6II, so a wrong conversion of the driver
/// shows as another speed.
enum NikonSpeedScale {
    /// The values in the order of ``Exposure/ShutterSpeed/all``: 1/8000 to 30 s.
    private static let values: [UInt32] = {
        let timed = NikonSheet.z62.choices(.nikonShutterSpeed).map { UInt32(truncatingIfNeeded: $0) }
        let values = timed.filter { !NikonBody.special.map(\.rawValue).contains($0) }
        precondition(values.count == ShutterSpeed.all.count, "a Z 6II has the speeds of the third-stop scale")
        return values
    }()

    static func value(of speed: ShutterSpeed) -> NikonShutterSpeed { NikonShutterSpeed(rawValue: values[speed.index]) }

    /// The speeds of the scale that `list` has, in the order of the list.
    static func speeds(of scale: [ShutterSpeed], in list: [NikonShutterSpeed]) -> [NikonShutterSpeed] {
        let wanted = scale.map { value(of: $0) }
        let own = list.filter(wanted.contains)
        return own.isEmpty ? wanted : own
    }

    /// The speed of the scale with this value; nil: not on the scale.
    static func speed(of value: NikonShutterSpeed) -> ShutterSpeed? {
        values.firstIndex(of: value.rawValue).flatMap { ShutterSpeed(index: $0) }
    }
}

extension NikonBody {
    /// The speed in the form that is the same for all makers.
    func ofBody(_ value: NikonShutterSpeed) -> BodySpeed {
        if let speed = NikonSpeedScale.speed(of: value) { return BodySpeed(speed) }
        let list = NikonSpeedList(.fractions, (speeds + Self.special).map(\.rawValue))
        return BodySpeed(list.reading(of: value.rawValue), nominal: Self.fraction(of: value))
    }

    /// The true time of the exposure; nil: Bulb or Time.
    func exposureTime(of value: NikonShutterSpeed) -> Duration? { ofBody(value).exposureTime }

    /// The numerator is in the high half, the denominator in the low half. The flash speed is 1/200 s; nil: Bulb, Time.
    private static func fraction(of value: NikonShutterSpeed) -> BodySpeed.Fraction? {
        if value == .flashSync { return BodySpeed.Fraction(1, 200) }
        guard !special.contains(value) else { return nil }
        let (numerator, denominator) = (Int(value.rawValue >> 16), Int(value.rawValue & 0xFFFF))
        return numerator > 0 && denominator > 0 ? BodySpeed.Fraction(numerator, denominator) : nil
    }

    /// The value of property 0x500D: tenths of a millisecond, truncated. nil: the property has no such value.
    static func tenths(of value: NikonShutterSpeed) -> UInt32? {
        if value == .bulb || value == .time { return value.rawValue }
        guard let fraction = fraction(of: value), value != .flashSync else { return nil }
        return UInt32(10_000 * fraction.numerator / fraction.denominator)
    }
}
