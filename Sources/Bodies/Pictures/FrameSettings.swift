/// The settings of a body when its shutter opened, without the speed.
package struct FrameSettings: Hashable, Sendable {
    /// The ISO of the exposure. With auto ISO the body chose the ISO.
    package var iso: Int
    /// Whether the body chose the ISO.
    package var isAutoISO: Bool
    /// The f-number × 100; nil: the lens reports no f-number.
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

    /// The ISO range of auto ISO.
    package static let automaticSensitivities = 100...6_400

    /// Chooses the lowest ISO that makes the picture bright enough, as a body with auto ISO does.
    ///
    /// - Parameter sensitivities: The body's ISO values, in ascending order.
    package mutating func chooseISO(from sensitivities: [Int], over exposure: Duration) {
        // Compensation is in 1/1000 EV. Bodies round thirds to 300 and 700. The ISO allows 1/6 stop less light.
        let half = compensation < 0 ? -167 : 167
        let wanted = PowerOfTwo.sixths((compensation + half) / 333 * 2 - 1)
        for iso in sensitivities where Self.automaticSensitivities.contains(iso) {
            self.iso = iso
            if light(over: exposure) >= wanted { break }
        }
    }

    /// The brightness of an exposure of this duration. 1 is the brightness at 1/60 s, f/8 and ISO 100.
    package func light(over exposure: Duration) -> Double {
        let (seconds, attoseconds) = exposure.components
        let time = Double(seconds) + Double(attoseconds) / 1e18
        let stop = Double(aperture ?? 800) / 800
        return time * 60 * Double(iso) / 100 / (stop * stop)
    }
}

/// Powers of two without a mathematical library, so that results are equal on every system.
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
