extension ShutterSpeed {
    /// The speed that is nearest in light to a time that a camera reports as a fraction of seconds: 1/3 is 0.3″, 5/10
    /// is 1/2, 1/60 is 1/60. Nearest means by ratio of the true times, not by difference.
    ///
    /// Nil if no speed is within a sixth of a stop, which happens only beyond the ends of the scale. Nil also if a
    /// number of the fraction is zero.
    package init?(nearestToNumerator numerator: UInt32, denominator: UInt32) {
        guard numerator > 0, denominator > 0 else { return nil }
        let (stops, mantissa) = ShutterSpeed.normalised(UInt64(numerator), UInt64(denominator))
        self.init(index: ShutterSpeed.oneSecondIndex + stops * 3 + mantissa.nearestThird)
    }

    /// The fraction as 2^stops × mantissa, the mantissa in 1 ..< 2.
    private static func normalised(_ numerator: UInt64, _ denominator: UInt64) -> (stops: Int, mantissa: Mantissa) {
        var (top, bottom, stops) = (numerator, denominator, 0)
        while top < bottom {
            top <<= 1
            stops -= 1
        }
        while top >= bottom << 1 {
            bottom <<= 1
            stops += 1
        }
        return (stops, Mantissa(numerator: top, denominator: bottom))
    }

    /// A number in 1 ..< 2, as a fraction of numbers below 2^34.
    private struct Mantissa {
        let numerator: UInt64
        let denominator: UInt64

        /// Which of 2^(0/3), 2^(1/3), 2^(2/3) and 2^(3/3) is nearest by ratio: 0 to 3. The borders are 2^(1/6), 2^(3/6)
        /// and 2^(5/6). They are irrational, so no fraction equals a border.
        var nearestThird: Int {
            if isBelow(sixth: 1) { return 0 }
            if isBelow(sixth: 3) { return 1 }
            return isBelow(sixth: 5) ? 2 : 3
        }

        /// Whether the number is below 2^(sixth/6), computed with integers: (n/d)^6 < 2^sixth.
        private func isBelow(sixth: UInt128) -> Bool {
            let top = sixthPower(numerator)
            let bottom = sixthPower(denominator)
            let high = bottom.high << sixth | bottom.low >> (128 - sixth)
            let low = bottom.low << sixth
            return (top.high, top.low) < (high, low)
        }

        private func sixthPower(_ number: UInt64) -> (high: UInt128, low: UInt128) {
            precondition(number < 1 << 34, "the sixth power needs room in 256 bits")
            let cube = UInt128(number) * UInt128(number) * UInt128(number)
            return cube.multipliedFullWidth(by: cube)
        }
    }

    /// The speed that is nearest in light: of two equally near speeds, the slower one. Nil if `available` is empty.
    package func nearest(in available: [ShutterSpeed]) -> ShutterSpeed? {
        available.min { left, right in
            let (leftDistance, rightDistance) = (abs(thirds(to: left)), abs(thirds(to: right)))
            return leftDistance == rightDistance ? left > right : leftDistance < rightDistance
        }
    }
}
