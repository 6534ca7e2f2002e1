/// What made a macrostep happen. Events are numbers of the chart's table.
public enum Cause: Sendable, Equatable {
    /// The machine was started.
    case start
    /// The world told it something.
    case input(event: Int)
    /// A timer fell due.
    case timer(event: Int, id: Int?)
    /// The chart had sent itself an event without delay.
    case sent(event: Int)
}

/// What made a microstep happen.
public enum Origin: Sendable, Equatable {
    /// The machine was started.
    case start
    /// An event from outside, a timer's or one sent without delay: what the macrostep's cause says.
    case external
    /// An event from the internal queue.
    case `internal`
    /// Nothing but the configuration.
    case eventless
    /// The machine stopped and everything is left.
    case stop
}

/// Is told everything a machine does, in the order in which it happens. All arguments are numbers of the chart's table.
///
/// The machine is generic over it, so that a recorder that ignores everything costs nothing.
public protocol StepRecorder {
    /// A macrostep begins.
    mutating func macrostepBegan(_ cause: Cause, at now: Duration)
    /// A microstep begins; eventless ones, start and stop have no event.
    mutating func microstepBegan(_ origin: Origin, event: Int?)
    /// A transition was chosen. Told in the order in which the contents will run.
    mutating func transitionTaken(_ transition: Int)
    /// A state was left.
    mutating func stateExited(_ state: Int)
    /// A state was entered.
    mutating func stateEntered(_ state: Int)
    /// An action was done.
    mutating func actionPerformed(_ action: Int)
    /// An event went into the internal queue, `done.state` ones included.
    mutating func eventRaised(_ event: Int)
    /// An event was sent; `due` is `nil` for one without delay.
    mutating func eventSent(_ event: Int, id: Int?, due: Duration?)
    /// Timers with this send id were disarmed: how many.
    mutating func sendsCancelled(id: Int, count: Int)
    /// The chart logged a line.
    mutating func lineLogged(_ line: Int)
    /// A microstep is complete.
    mutating func microstepEnded()
    /// An event enabled no transition and is gone.
    mutating func eventDropped(_ origin: Origin, event: Int)
    /// A macrostep is complete.
    mutating func macrostepEnded()
    /// What was recorded last, for the message of a machine that traps.
    var lastRecord: String { get }
}

/// Records nothing.
public struct NoRecorder: StepRecorder, Sendable {
    /// Nothing is kept.
    @inlinable public init() {}
    /// Ignored.
    @inlinable public mutating func macrostepBegan(_ cause: Cause, at now: Duration) {}
    /// Ignored.
    @inlinable public mutating func microstepBegan(_ origin: Origin, event: Int?) {}
    /// Ignored.
    @inlinable public mutating func transitionTaken(_ transition: Int) {}
    /// Ignored.
    @inlinable public mutating func stateExited(_ state: Int) {}
    /// Ignored.
    @inlinable public mutating func stateEntered(_ state: Int) {}
    /// Ignored.
    @inlinable public mutating func actionPerformed(_ action: Int) {}
    /// Ignored.
    @inlinable public mutating func eventRaised(_ event: Int) {}
    /// Ignored.
    @inlinable public mutating func eventSent(_ event: Int, id: Int?, due: Duration?) {}
    /// Ignored.
    @inlinable public mutating func sendsCancelled(id: Int, count: Int) {}
    /// Ignored.
    @inlinable public mutating func lineLogged(_ line: Int) {}
    /// Ignored.
    @inlinable public mutating func microstepEnded() {}
    /// Ignored.
    @inlinable public mutating func eventDropped(_ origin: Origin, event: Int) {}
    /// Ignored.
    @inlinable public mutating func macrostepEnded() {}
    /// Nothing.
    @inlinable public var lastRecord: String { "" }
}
