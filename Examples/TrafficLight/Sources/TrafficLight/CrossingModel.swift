import Statecharts

/// The data outside the chart: the times of this street, and the effect of each action on the lamps.
public struct CrossingModel: Sendable {
    /// An effect on the lamps and buttons.
    public enum Effect: Equatable, Sendable {
        case cars(CarSignal)
        case pedestrians(PedestrianSignal)
        /// The button's feedback: the press was accepted.
        case click(Side)
    }

    /// The times that depend on the street.
    public struct Times: Equatable, Sendable {
        /// The minimum green time for cars.
        public var minimumGreen: Duration
        /// The time in which pedestrians may start to cross.
        public var walk: Duration
        /// The time that the slowest pedestrian needs to cross.
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

        /// The longest time from a press to the green for pedestrians. After a press just too late, the pedestrian
        /// waits until the others are across. Then follow 3 s of red and of red and yellow, the minimum green for cars,
        /// 3 s of yellow and 2 s of red.
        public var longestWait: Duration { crossing + .seconds(2 + 1) + minimumGreen + .seconds(3 + 2) }
    }

    /// The times of this street.
    public let times: Times

    /// A model for one street.
    public init(times: Times = Times()) {
        self.times = times
    }
}

// One function for each name in the chart, and nothing else: a missing one is an error, and so is a surplus one. The
// generated protocol has their meaning, from the chart's comments.
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
