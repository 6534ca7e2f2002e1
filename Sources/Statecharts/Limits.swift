/// How far a machine may go before it is taken to run in circles. Passing a limit is a mistake in the chart or its
/// behavior, never something the world did.
public struct Limits: Sendable, Equatable {
    /// Microsteps in one macrostep, internal events that enable nothing included.
    public var microstepsMax: Int
    /// Events waiting in the internal queue, and likewise in the external one.
    public var queuedEventsMax: Int
    /// Timers armed at once.
    public var timersMax: Int
    /// Effects asked for in one macrostep.
    public var effectsMax: Int
    /// Events that a chart sends itself at one instant: a timer of zero that arms itself again never ends.
    public var deliveriesPerInstantMax: Int
    /// Events that a chart sends itself in its whole life. A daemon's is endless; that of a tool is not.
    public var deliveriesMax: Int
    /// Whether to trap. If not, the machine stands still and `Machine.overrun` says why.
    public var traps: Bool

    /// Limits; the defaults are the daemon's.
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

/// The limit that a machine passed.
public enum Overrun: Sendable, Equatable {
    /// More microsteps in one macrostep than this.
    case microsteps(Int)
    /// More events in a queue than this.
    case queuedEvents(Int)
    /// More timers than this.
    case timers(Int)
    /// More effects in one macrostep than this.
    case effects(Int)
    /// More deliveries at one instant than this.
    case deliveriesAtOnce(Int)
    /// More deliveries altogether than this.
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
