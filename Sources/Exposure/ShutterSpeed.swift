/// A nominal shutter speed of the third-stop scale, from 1/8000 to 30″, as cameras show it.
///
/// A speed is an index on the scale; one index is a third of a stop. The EV between two speeds is the difference of
/// their indices divided by three. The fastest speed, which gives the least light, is first.
package struct ShutterSpeed: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The index on the scale: 0 is 1/8000, 54 is 30″.
    package let index: Int

    /// All 55 speeds, fastest first.
    package static let all: [ShutterSpeed] = scale.indices.map { ShutterSpeed(onScale: $0) }

    package static let fastest = ShutterSpeed(onScale: 0)

    package static let slowest = ShutterSpeed(onScale: scale.count - 1)

    /// 1″, whose true and nominal times are equal.
    package static let oneSecond = ShutterSpeed(onScale: oneSecondIndex)

    package init?(index: Int) {
        guard ShutterSpeed.scale.indices.contains(index) else { return nil }
        self.index = index
    }

    /// Creates the speed at an index that the caller knows to be on the scale.
    init(onScale index: Int) {
        precondition(ShutterSpeed.scale.indices.contains(index), "index off the shutter speed scale")
        self.index = index
    }

    /// Creates the speed at `index`. For an index beyond the scale, it is the speed at the nearest end.
    package init(clamping index: Int) {
        self.init(onScale: min(max(index, ShutterSpeed.fastest.index), ShutterSpeed.slowest.index))
    }

    /// The speed as cameras show it, with an ASCII `"` for seconds: `1/60`, `0.3"`, `1/2`, `30"`.
    package var label: String { ShutterSpeed.scale[index].label }

    package var description: String { label }

    /// The true exposure time: a power of two in thirds of a stop, unlike the rounded number of the label. 1/60 is 1/64
    /// s, 0.3″ is 0.315 s, 30″ is 32 s.
    package var exposureTime: Duration { ShutterSpeed.exposureTimes[index] }

    /// The number on the label, in seconds: 1/60 is 1/60 s, 30″ is 30 s.
    package var nominalSeconds: Double {
        let nominal = ShutterSpeed.scale[index]
        return Double(nominal.numerator) / Double(nominal.denominator)
    }

    /// The number on the label, in seconds, as a fraction.
    package var nominalFraction: (numerator: Int, denominator: Int) {
        (ShutterSpeed.scale[index].numerator, ShutterSpeed.scale[index].denominator)
    }

    package static func < (left: ShutterSpeed, right: ShutterSpeed) -> Bool { left.index < right.index }

    /// The difference in light from this speed to `other`, in thirds of a stop; positive if `other` gives more light.
    package func thirds(to other: ShutterSpeed) -> Int { other.index - index }
}

extension ShutterSpeed {
    /// One row of the scale: the label and its number of seconds as a fraction.
    struct Nominal: Sendable {
        let label: String
        let numerator: Int
        let denominator: Int

        /// `1/denominator` of a second.
        static func fraction(_ denominator: Int) -> Nominal {
            Nominal(label: "1/\(denominator)", numerator: 1, denominator: denominator)
        }

        static func tenths(_ tenths: Int) -> Nominal {
            let (whole, rest) = tenths.quotientAndRemainder(dividingBy: 10)
            let label = rest == 0 ? "\(whole)\"" : "\(whole).\(rest)\""
            return Nominal(label: label, numerator: tenths, denominator: 10)
        }
    }

    static let scale: [Nominal] =
        fractions.map(Nominal.fraction) + [.tenths(3), .tenths(4), .fraction(2)] + tenths.map(Nominal.tenths)

    private static let fractions = [
        8000, 6400, 5000, 4000, 3200, 2500, 2000, 1600, 1250, 1000, 800, 640, 500, 400, 320, 250, 200,
        160, 125, 100, 80, 60, 50, 40, 30, 25, 20, 15, 13, 10, 8, 6, 5, 4,
    ]

    private static let tenths = [6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 60, 80, 100, 130, 150, 200, 250, 300]

    /// The index of 1″, whose true and nominal times are equal.
    static let oneSecondIndex = 39

    /// The true times: 1″ × 2^(n/3).
    static let exposureTimes: [Duration] = scale.indices.map { index in
        let thirds = index - oneSecondIndex
        let stops = (thirds + 3 * stopsMax) / 3 - stopsMax
        let time = Duration(secondsComponent: 0, attosecondsComponent: thirdsInAttoseconds[thirds - stops * 3])
        return stops >= 0 ? time * (1 << stops) : time / (1 << -stops)
    }

    /// 2^(0/3), 2^(1/3) and 2^(2/3) seconds.
    private static let thirdsInAttoseconds: [Int64] = [
        1_000_000_000_000_000_000, 1_259_921_049_894_873_165, 1_587_401_051_968_199_475,
    ]

    /// A number of stops that is greater than the distance of any speed from 1″.
    private static let stopsMax = 16
}

extension ShutterSpeed: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let speed = ShutterSpeed(index: try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the scale has no such speed")
        }
        self = speed
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(index)
    }
}
