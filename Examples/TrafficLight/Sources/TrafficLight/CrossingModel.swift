import Statecharts

/// What the chart cannot know: how long things take here, and what its actions mean in lamps.
public struct CrossingModel: Sendable {
    /// What the chart asks the lamps and buttons to do.
    public enum Effect: Equatable, Sendable {
        case cars(CarSignal)
        case pedestrians(PedestrianSignal)
        /// The button answers: the press was noticed.
        case click(Side)
    }

    /// The times that depend on the street.
    public struct Times: Equatable, Sendable {
        /// How long cars have green at least.
        public var minimumGreen: Duration
        /// How long people may set out.
        public var walk: Duration
        /// How long the slowest of them needs to the other side.
        public var crossing: Duration

        /// The times of a street 8 m wide.
        public init(
            minimumGreen: Duration = .seconds(20),
            walk: Duration = .seconds(6),
            crossing: Duration = .seconds(8)
        ) {
            self.minimumGreen = minimumGreen
            self.walk = walk
            self.crossing = crossing
        }

        /// The longest time from a press to the right to walk: whoever comes just too late waits until those on the
        /// street are across (2 s of red and 1 s of red and yellow follow), lets the cars have their minimum, and
        /// sees them stopped (3 s of yellow, 2 s of red).
        public var longestWait: Duration { crossing + .seconds(2 + 1) + minimumGreen + .seconds(3 + 2) }
    }

    /// The times of this street.
    public let times: Times

    /// A model for one street.
    public init(times: Times = Times()) {
        self.times = times
    }
}

// One function for each name in the chart, and nothing else: a missing one is an error, and so is one too many. What
// each is for stands in the generated protocol, with the chart's comments.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CrossingModel: CrossingBehavior {
    public func minimumGreen() -> Duration { times.minimumGreen }
    public func walkTime() -> Duration { times.walk }
    public func crossingTime() -> Duration { times.crossing }

    public mutating func showGreen(_ effects: inout [Effect]) { effects.append(.cars(.green)) }
    public mutating func showYellow(_ effects: inout [Effect]) { effects.append(.cars(.yellow)) }
    public mutating func showRed(_ effects: inout [Effect]) { effects.append(.cars(.red)) }
    public mutating func showRedYellow(_ effects: inout [Effect]) { effects.append(.cars(.redYellow)) }
    public mutating func blinkYellow(_ effects: inout [Effect]) { effects.append(.cars(.blinkingYellow)) }
    public mutating func showWait(_ effects: inout [Effect]) { effects.append(.pedestrians(.wait)) }
    public mutating func showWalk(_ effects: inout [Effect]) { effects.append(.pedestrians(.walk)) }
    public mutating func showHurry(_ effects: inout [Effect]) { effects.append(.pedestrians(.hurry)) }
    public mutating func showNothing(_ effects: inout [Effect]) { effects.append(.pedestrians(.dark)) }
    public mutating func confirmPress(_ side: Side, _ effects: inout [Effect]) { effects.append(.click(side)) }
}
