/// How the light of a scene changes in time. The default is steady light.
package struct SceneLight: Hashable, Sendable {
    /// A change that happens at once.
    package struct Step: Hashable, Sendable {
        /// The time in seconds from the start.
        package var second: Double
        package var ev: Double

        package init(second: Double, ev: Double) {
            self.second = second
            self.ev = ev
        }
    }

    /// Lamps on alternating current.
    package struct Flicker: Hashable, Sendable {
        /// The frequency of the brightness: twice that of the current.
        package var hertz: Double
        /// The depth, 0 to 1.
        package var depth: Double
        /// The phase at time 0, in radians.
        package var phase: Double

        package init(hertz: Double, depth: Double, phase: Double = 0) {
            self.hertz = hertz
            self.depth = depth
            self.phase = phase
        }
    }

    /// EV per minute.
    package var drift = 0.0
    package var steps: [Step] = []
    package var flicker: Flicker?

    package init() {}

    /// The change of an exposure's light, in EV.
    ///
    /// - Parameters:
    ///   - start: when the shutter opens, in seconds.
    ///   - time: how long it is open, in seconds, more than 0.
    package func change(from start: Double, over time: Double) -> Double {
        let middle = start + time / 2
        let slow = steps.reduce(drift * middle / 60) { $0 + ($1.second <= middle ? $1.ev : 0) }
        guard let flicker, flicker.hertz > 0 else { return slow }
        let speed = 2 * Double.pi * flicker.hertz
        let wave = Wave.cosine(speed * start + flicker.phase) - Wave.cosine(speed * (start + time) + flicker.phase)
        // A depth of 1 can make an exposure black.
        return slow + Logarithm.base2(max(1 + flicker.depth * wave / (speed * time), 1e-6))
    }
}

/// Trigonometry without a mathematical library, so that results are equal on every system.
enum Wave {
    /// The cosine of an angle in radians.
    static func cosine(_ angle: Double) -> Double {
        let turns = angle / (2 * .pi)
        // Within half a turn.
        let rest = (turns - turns.rounded()) * 2 * .pi
        let square = rest * rest
        var (sum, term) = (1.0, 1.0)
        for step in 1...14 {
            term *= -square / Double((2 * step - 1) * 2 * step)
            sum += term
        }
        return sum
    }
}

/// Logarithms and powers without a mathematical library, so that results are equal on every system.
enum Logarithm {
    private static let natural2 = 0.6931471805599453

    /// The logarithm to base 2 of a positive number.
    static func base2(_ number: Double) -> Double {
        precondition(number > 0 && number.isFinite, "a logarithm of a positive number")
        var (exponent, part) = (Double(number.exponent), number.significand)
        if part > 1.4142135623730951 { (exponent, part) = (exponent + 1, part / 2) }
        let ratio = (part - 1) / (part + 1)
        let square = ratio * ratio
        var (sum, term) = (0.0, ratio)
        for odd in stride(from: 1, through: 23, by: 2) {
            sum += term / Double(odd)
            term *= square
        }
        return exponent + 2 * sum / natural2
    }

    /// 2 to the power of a number.
    static func power(_ number: Double) -> Double {
        let whole = number.rounded()
        guard abs(whole) < 1_000 else { return whole < 0 ? 0 : .greatestFiniteMagnitude }
        let rest = (number - whole) * natural2
        var (sum, term) = (1.0, 1.0)
        for step in 1...14 {
            term *= rest / Double(step)
            sum += term
        }
        return Double(sign: .plus, exponent: Int(whole), significand: sum)
    }
}
