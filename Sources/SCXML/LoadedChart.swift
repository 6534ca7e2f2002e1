import Statecharts

/// A number where a compiled chart has an enum case.
public struct LoadedNumber: ChartNumber {
    /// The number in the chart's table.
    public var rawValue: Int

    /// A number of a chart's table.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

/// The types of a chart that is known only when the program runs: numbers for everything.
public enum LoadedChart<Set: StateSet>: ChartVocabulary {
    /// Which set the engine works with.
    public typealias Bits = Set
    /// A state.
    public typealias State = LoadedNumber
    /// An event from outside.
    public typealias Input = LoadedNumber
    /// An event of a timer.
    public typealias Timer = LoadedNumber
    /// An event that the chart sends itself.
    public typealias Raised = LoadedNumber
    /// A guard.
    public typealias Guard = LoadedNumber
    /// A delay.
    public typealias Delay = LoadedNumber
    /// An action.
    public typealias Action = LoadedNumber

    /// An input is its number.
    public static func number(of input: Input) -> Int { input.rawValue }
}

/// The Swift side of a chart that is known only when the program runs: guards and delays have the values they were
/// given, actions become effects.
public struct LoadedBehavior<Set: StateSet>: Behavior, Sendable {
    /// The chart.
    public typealias Chart = LoadedChart<Set>

    /// What each guard answers, by number.
    public var guards: [Bool]
    /// How long each named delay is, by number.
    public var delays: [Duration]

    /// Answers for every name of a chart: no, and no time at all, until they are set.
    public init(_ names: ChartNames) {
        guards = names.guards.map { _ in false }
        delays = names.delays.map { _ in .zero }
    }

    /// What the guard was given.
    public func holds(_ guardID: LoadedNumber, _ event: Chart.Event?) -> Bool { guards[guardID.rawValue] }

    /// What the delay was given.
    public func delay(_ delayID: LoadedNumber) -> Duration { delays[delayID.rawValue] }

    /// The action itself is the effect.
    public mutating func perform(_ actionID: LoadedNumber, _ event: Chart.Event?, _ effects: inout [LoadedNumber]) {
        effects.append(actionID)
    }
}
