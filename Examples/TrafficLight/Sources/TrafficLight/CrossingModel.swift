import Statecharts

/// The data outside the chart: the times of this street, and the effects of the actions on the lamps.
public struct CrossingModel: Sendable {
    /// An effect on the lamps and buttons.
    public enum Effect: Equatable, Sendable {
        case cars(CarSignal)
        case pedestrians(PedestrianSignal)
        /// The signal of the button that confirms a press.
        case click(Side)
    }

    /// The times that depend on the street.
    public struct Times: Equatable, Sendable {
        /// The minimum green time for cars.
        public var minimumGreen: Duration
        /// The time during which pedestrians may start to cross.
        public var walk: Duration
        /// The time that the slowest pedestrian needs to cross.
        public var crossing: Duration

        /// The times for a street 8 m wide.
        public init(
            minimumGreen: Duration = .seconds(20),
            walk: Duration = .seconds(6),
            crossing: Duration = .seconds(8)
        ) {
            self.minimumGreen = minimumGreen
            self.walk = walk
            self.crossing = crossing
        }

        /// The longest time from a press to the green for pedestrians. It applies to a press at the end of `walk`. The
        /// pedestrian waits until the others have crossed. Then follow red (2 s), red and yellow (1 s), the minimum
        /// green for cars, yellow (3 s) and red (2 s).
        public var longestWait: Duration { crossing + .seconds(2 + 1) + minimumGreen + .seconds(3 + 2) }
    }

    /// The times of this street.
    public let times: Times

    /// A model for one street.
    public init(times: Times = Times()) {
        self.times = times
    }
}

// This extension has one function for each name in the chart, and nothing else. A missing function is an error, and so
// is an unused one. The generated protocol describes each function with the comments of the chart.
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
