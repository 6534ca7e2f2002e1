/// The settings of a body when its shutter opened, without the speed.
package struct FrameSettings: Hashable, Sendable {
    /// The ISO of the sensor: with auto ISO, the body's choice.
    package var iso: Int
    /// Whether the body chose it.
    package var isAutoISO: Bool
    /// f-number × 100; nil for a lens that reports none.
    package var aperture: Int?
    /// Exposure compensation × 1000.
    package var compensation: Int
    package var mode: DialMode
    /// The value of property 0x5005; 2 is auto.
    package var whiteBalance: Int

    package init(
        iso: Int,
        isAutoISO: Bool = false,
        aperture: Int?,
        compensation: Int = 0,
        mode: DialMode = .manual,
        whiteBalance: Int = 2
    ) {
        self.iso = iso
        self.isAutoISO = isAutoISO
        self.aperture = aperture
        self.compensation = compensation
        self.mode = mode
        self.whiteBalance = whiteBalance
    }

    /// The light on the sensor in this time, where 1 is 1/60 s at f/8 and ISO 100.
    package func light(over exposure: Duration) -> Double {
        let (seconds, attoseconds) = exposure.components
        let time = Double(seconds) + Double(attoseconds) / 1e18
        let stop = Double(aperture ?? 800) / 800
        return time * 60 * Double(iso) / 100 / (stop * stop)
    }
}

/// Powers of two without a mathematical library: the same on every system.
enum PowerOfTwo {
    /// 2 to the power of `number` sixths.
    static func sixths(_ number: Int) -> Double {
        let whole = number >= 0 ? number / 6 : -((5 - number) / 6)
        return Double(sign: .plus, exponent: whole, significand: fractions[number - whole * 6])
    }

    private static let fractions = [
        1, 1.122462048309373, 1.2599210498948732, 1.4142135623730951, 1.5874010519681994, 1.7817974362806785,
    ]
}
