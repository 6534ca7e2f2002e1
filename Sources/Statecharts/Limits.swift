/// The limits of a machine that detect an endless loop. Only an error of the chart or its behavior can exceed a limit.
/// No input can.
public struct Limits: Sendable, Equatable {
    /// The maximum number of microsteps in one macrostep. Internal events that enable no transition count too.
    public var microstepsMax: Int
    /// The maximum number of events in each of the two queues, the internal and the external one.
    public var queuedEventsMax: Int
    /// The maximum number of active timers.
    public var timersMax: Int
    /// The maximum number of effects requested in one macrostep.
    public var effectsMax: Int
    /// The maximum number of events that a chart sends itself at one instant, for example by timers without delay.
    public var deliveriesPerInstantMax: Int
    /// The maximum number of events that a chart sends itself in its lifetime. Only a tool sets this limit.
    public var deliveriesMax: Int
    /// Whether an exceeded limit ends the program. If not, the machine stops and `Machine.overrun` has the reason.
    public var traps: Bool

    /// The limits. The default values are for the daemon.
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
    /// The sentence that describes the exceeded limit.
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
