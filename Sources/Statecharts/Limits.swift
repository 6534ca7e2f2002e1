/// Bounds of a machine that detect an endless loop. Exceeding a limit is a fault of the chart or its behavior, never of
/// an input.
public struct Limits: Sendable, Equatable {
    /// Microsteps in one macrostep, including internal events that enable no transition.
    public var microstepsMax: Int
    /// Events waiting in the internal queue; the same bound applies to the external queue.
    public var queuedEventsMax: Int
    /// Timers active at the same time.
    public var timersMax: Int
    /// Effects requested in one macrostep.
    public var effectsMax: Int
    /// Events that a chart sends itself at one instant: a zero timer that starts itself again never ends.
    public var deliveriesPerInstantMax: Int
    /// Events that a chart sends itself in its lifetime. A daemon has no limit; a tool has one.
    public var deliveriesMax: Int
    /// Whether to trap. Otherwise the machine stops, and `Machine.overrun` has the reason.
    public var traps: Bool

    /// The limits; the defaults are for the daemon.
    public init(
        microstepsMax: Int = 100,
        queuedEventsMax: Int = 64,
        timersMax: Int = 64,
        effectsMax: Int = 16,
        deliveriesPerInstantMax: Int = 1_000,
        deliveriesMax: Int = .max,
        traps: Bool = true
    ) {
        self.microstepsMax = microstepsMax
        self.queuedEventsMax = queuedEventsMax
        self.timersMax = timersMax
        self.effectsMax = effectsMax
        self.deliveriesPerInstantMax = deliveriesPerInstantMax
        self.deliveriesMax = deliveriesMax
        self.traps = traps
    }
}

/// The limit that a machine exceeded.
public enum Overrun: Sendable, Equatable {
    case microsteps(Int)
    case queuedEvents(Int)
    case timers(Int)
    case effects(Int)
    case deliveriesAtOnce(Int)
    case deliveries(Int)
}

extension Overrun: CustomStringConvertible {
    /// The sentence to print.
    public var description: String {
        switch self {
        case .microsteps(let limit): "more than \(limit) microsteps in one macrostep"
        case .queuedEvents(let limit): "more than \(limit) events in a queue"
        case .timers(let limit): "more than \(limit) timers armed"
        case .effects(let limit): "more than \(limit) effects in one macrostep"
        case .deliveriesAtOnce(let limit): "more than \(limit) events sent to itself at one instant"
        case .deliveries(let limit): "more than \(limit) events sent to itself"
        }
    }
}
