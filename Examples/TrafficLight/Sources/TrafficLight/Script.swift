import Statecharts

/// Random events on a street, with their times. The same seed gives the same events.
public struct Script: Equatable, Sendable {
    /// An event on the street.
    public struct Entry: Equatable, Sendable {
        /// The time since the start.
        public var time: Duration
        /// The input for the chart.
        public var input: Crossing.Input
    }

    /// The events, ordered by time.
    public let entries: [Entry]

    /// A script of random presses. The average interval between two presses is `pause`.
    public init(seed: UInt64, until end: Duration, pause: Duration = .seconds(40)) {
        var random = SplitMix64(state: seed)
        var entries: [Entry] = []
        var time = Duration.zero
        let most = 2 * (pause / .milliseconds(1))
        while true {
            time += .milliseconds(Int.random(in: 1...max(1, Int(most)), using: &random))
            guard time < end else { break }
            let side = Side.allCases.randomElement(using: &random) ?? .north
            entries.append(Entry(time: time, input: .buttonPressed(side)))
        }
        self.entries = entries
    }
}

/// The random number generator SplitMix64 by Sebastiano Vigna.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
