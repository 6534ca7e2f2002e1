/// What is known of a camera's tone curve: how many EV of light one EV of the table stands for, in each part of it.
///
/// It begins with what is true of most cameras. Each pair of frames at two known speeds then shows the curve: a tone
/// that has two codes is two points of it. The estimate is linear and normal, so it knows its own error.
package struct ToneModel: Hashable, Sendable {
    /// The borders between the parts, in EV of the table from mid-grey.
    private static let borders: [Double] = [-3, -2, -1, 0, 1, 2]
    private static let parts = borders.count + 1
    /// Between a usual camera (1) and a flat picture profile (1.5).
    private static let usualRatio = 1.1
    /// How much cameras differ in all parts alike, and in each part alone.
    private static let deviations = (common: 0.22, own: 0.22)
    /// The error of a pair: the table is straight between its knots, and codes are integers. EV squared.
    private static let pairVariance = 0.002
    /// Pairs that are nearer to each other, or that differ more from the table, come from a change of the light.
    private static let shownMin = 0.4
    private static let ratios = 0.5...2.0

    private var ratios = [Double](repeating: usualRatio, count: parts)
    /// The covariance of the ratios, row by row.
    private var covariance: [Double] = (0..<parts * parts).map { place in
        let own = place / parts == place % parts ? deviations.own * deviations.own : 0
        return deviations.common * deviations.common + own
    }

    /// A camera of which nothing is known.
    package static let usual = ToneModel()

    private init() {}

    /// Takes in a tone that two frames show with two codes.
    ///
    /// - Parameter thirds: the difference of the two speeds in thirds of a stop, positive if the second is slower.
    mutating func learn(_ first: Int, _ second: Int, thirds: Int) {
        let (low, high) = (ToneTable.camera.ev(of: first), ToneTable.camera.ev(of: second))
        let shown = high - low
        let light = Double(thirds) / 3
        guard abs(shown) >= Self.shownMin, Self.ratios ~= light / shown else { return }
        let weights = Self.weights(from: low, to: high)
        let gains = product(weights)
        let variance = Self.dot(weights, gains) + Self.pairVariance + Self.codeVariance(first, second)
        let surprise = light - Self.dot(weights, ratios)
        for row in 0..<Self.parts {
            ratios[row] += gains[row] * surprise / variance
            for column in 0..<Self.parts {
                covariance[row * Self.parts + column] -= gains[row] * gains[column] / variance
            }
        }
    }

    /// The light of a code in EV from mid-grey, and its standard deviation.
    func light(of code: Int) -> (ev: Double, deviation: Double) {
        let weights = Self.weights(from: 0, to: ToneTable.camera.ev(of: code))
        let variance = max(0, Self.dot(weights, product(weights))) + Self.codeVariance(code)
        return (Self.dot(weights, ratios), variance.squareRoot())
    }

    /// The length of each part of the table between two places, negative if the second is darker.
    private static func weights(from first: Double, to second: Double) -> [Double] {
        let (low, high) = (min(first, second), max(first, second))
        let sign = second < first ? -1.0 : 1
        return (0..<parts).map { part in
            let left = part == 0 ? low : max(low, borders[part - 1])
            let right = part == parts - 1 ? high : min(high, borders[part])
            return sign * max(0, right - left)
        }
    }

    /// The error of codes, which are integers, in EV squared.
    private static func codeVariance(_ codes: Int...) -> Double {
        codes.reduce(0) { sum, code in
            let width = ToneTable.camera.ev(of: min(code + 1, 255)) - ToneTable.camera.ev(of: max(code - 1, 0))
            // An integer is off by 0.29 codes.
            return sum + width * width * 0.0208
        }
    }

    private func product(_ weights: [Double]) -> [Double] {
        (0..<Self.parts).map { row in
            Self.dot(weights, covariance[(row * Self.parts)..<((row + 1) * Self.parts)])
        }
    }

    private static func dot(_ left: [Double], _ right: some Sequence<Double>) -> Double {
        zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    }
}
