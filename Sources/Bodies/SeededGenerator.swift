/// The only source of randomness in the simulated world. The seed decides all random numbers.
///
/// The algorithm is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014). It
/// uses no floating point, so a seed gives the same numbers on every machine.
package struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        // The mixing gives adjacent seeds very different states.
        state = Self.mixed(seed &+ Self.step)
    }

    package mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mixed(state)
    }

    /// A number from zero to below `bound`, uniformly distributed.
    package mutating func next(below bound: Int) -> Int {
        precondition(bound > 0)
        let bound = UInt64(bound)
        // The result is the high half of the product. Numbers that would distort the distribution are drawn again
        // (Lemire 2019).
        var product = next().multipliedFullWidth(by: bound)
        if product.low < bound {
            let threshold = (0 &- bound) % bound
            while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
        }
        return Int(product.high)
    }

    /// A uniformly distributed number of the range.
    package mutating func next(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + next(below: range.count)
    }

    /// Whether an event with the probability 1/`oneIn` happens. Zero: the event never happens, and nothing is drawn.
    package mutating func chance(oneIn: Int) -> Bool {
        precondition(oneIn >= 0)
        return oneIn > 0 && next(below: oneIn) == 0
    }

    /// A random item. `items` must not be empty.
    package mutating func pick<Items: RandomAccessCollection>(from items: Items) -> Items.Element {
        items[items.index(items.startIndex, offsetBy: next(below: items.count))]
    }

    /// A time of the range, in whole microseconds after its start. Draws nothing if the range has only one such time.
    package mutating func duration(in range: ClosedRange<Duration>) -> Duration {
        let width = (range.upperBound - range.lowerBound).microseconds
        return width == 0 ? range.lowerBound : range.lowerBound + .microseconds(next(below: width + 1))
    }

    /// A new generator, seeded with one draw from this one. The two generators are then independent.
    package mutating func split() -> SeededGenerator { SeededGenerator(seed: next()) }

    /// 2⁶⁴ divided by the golden ratio. With this step every state occurs once in 2⁶⁴ draws.
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

extension Duration {
    /// The duration in whole microseconds, rounded towards zero.
    package var microseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }
}
