/// The cause of a macrostep. Events are numbers of the chart's table.
public enum Cause: Sendable, Equatable {
    case start
    case input(event: Int)
    case timer(event: Int, id: Int?)
    /// An event that the chart sent itself without delay.
    case sent(event: Int)
}

/// The cause of a microstep.
public enum Origin: Sendable, Equatable {
    case start
    /// An external event, a timer's event, or an event sent without delay. The macrostep's cause has the details.
    case external
    case `internal`
    /// No event: an eventless transition was selected.
    case eventless
    /// The stop of the machine, which exits all states.
    case stop
}

/// A recorder of everything that a machine does, in order. All numbers are those of the chart's table.
///
/// The machine is generic over its recorder. So a recorder that ignores everything costs no time.
public protocol StepRecorder {
    mutating func macrostepBegan(_ cause: Cause, at now: Duration)
    /// A microstep starts. Eventless microsteps, the start and the stop have no event.
    mutating func microstepBegan(_ origin: Origin, event: Int?)
    /// A transition was selected. The calls are in the order in which the transitions' content will run.
    mutating func transitionTaken(_ transition: Int)
    mutating func stateExited(_ state: Int)
    mutating func stateEntered(_ state: Int)
    mutating func actionPerformed(_ action: Int)
    /// An event was put into the internal queue, including `done.state` events.
    mutating func eventRaised(_ event: Int)
    /// An event was sent. `due` is nil if the event has no delay.
    mutating func eventSent(_ event: Int, id: Int?, due: Duration?)
    /// The timers with this send id were cancelled: `count` timers, possibly 0.
    mutating func sendsCancelled(id: Int, count: Int)
    mutating func lineLogged(_ line: Int)
    mutating func microstepEnded()
    mutating func eventDropped(_ origin: Origin, event: Int)
    mutating func macrostepEnded()
    /// The last record. A machine that traps adds it to its message.
    var lastRecord: String { get }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// A recorder that ignores everything.
public struct NoRecorder: StepRecorder, Sendable {
    @inlinable public init() {}
    @inlinable public mutating func macrostepBegan(_ cause: Cause, at now: Duration) {}
    @inlinable public mutating func microstepBegan(_ origin: Origin, event: Int?) {}
    @inlinable public mutating func transitionTaken(_ transition: Int) {}
    @inlinable public mutating func stateExited(_ state: Int) {}
    @inlinable public mutating func stateEntered(_ state: Int) {}
    @inlinable public mutating func actionPerformed(_ action: Int) {}
    @inlinable public mutating func eventRaised(_ event: Int) {}
    @inlinable public mutating func eventSent(_ event: Int, id: Int?, due: Duration?) {}
    @inlinable public mutating func sendsCancelled(id: Int, count: Int) {}
    @inlinable public mutating func lineLogged(_ line: Int) {}
    @inlinable public mutating func microstepEnded() {}
    @inlinable public mutating func eventDropped(_ origin: Origin, event: Int) {}
    @inlinable public mutating func macrostepEnded() {}
    @inlinable public var lastRecord: String { "" }
}
