/// The Swift side of a chart: its guards, delays and actions.
///
/// Generated code implements the three requirements on guards, delays and actions, and requires one function per name
/// instead. Those functions cannot fail: they change the model and request effects, and a failed effect returns as an
/// input. The requirements on evaluating are for charts with a data model, whose content can fail. Compiled charts do
/// not implement them.
public protocol Behavior {
    associatedtype Chart: ChartVocabulary
    associatedtype Effect
    /// The type of a failed evaluation.
    associatedtype Failure: Error = Never

    /// Whether a guard holds. `event` is the last event handled. It is nil while the chart starts, and for an event
    /// that the chart does not keep.
    func holds(_ guardID: Chart.Guard, _ event: Chart.Event?) -> Bool
    /// The duration of a timer; not negative.
    func delay(_ delayID: Chart.Delay) -> Duration
    /// Executes an action: changes the model and appends effects.
    mutating func perform(_ actionID: Chart.Action, _ event: Chart.Event?, _ effects: inout [Effect])

    /// Whether a condition of the data model holds. A failure counts as false, and the machine raises its event.
    func evaluate(condition: Int, at moment: Moment<Chart>) throws(Failure) -> Bool
    /// Executes content of the data model. Its requests to the machine go into the outbox, which the machine empties
    /// afterwards, even after a failure. A failure ends the block, and the machine raises its event.
    mutating func evaluate(
        content: Int,
        at moment: Moment<Chart>,
        into outbox: inout Outbox<Chart>
    ) throws(Failure)
    /// The event for a failure: `error.execution` or `error.communication`.
    mutating func event(for failure: Failure) -> QueuedEvent<Chart>
}

extension Behavior where Failure == Never {
    /// Compiled charts have named conditions only.
    @inlinable
    public func evaluate(condition: Int, at moment: Moment<Chart>) -> Bool {
        preconditionFailure("condition \(condition): this chart has no data model")
    }

    /// Compiled charts have named content only.
    @inlinable
    public mutating func evaluate(content: Int, at moment: Moment<Chart>, into outbox: inout Outbox<Chart>) {
        preconditionFailure("content \(content): this chart has no data model")
    }

    /// Unreachable: compiled charts have no failures.
    @inlinable
    public mutating func event(for failure: Never) -> QueuedEvent<Chart> {}
}

/// The state of the machine that a data model can read while it evaluates.
public struct Moment<Chart: ChartVocabulary>: Sendable {
    /// The event being handled; nil while the chart starts.
    public let event: Chart.Event?
    /// The active states, by number: the data of `In()`.
    public let active: Chart.Bits

    @inlinable
    init(event: Chart.Event?, active: Chart.Bits) {
        self.event = event
        self.active = active
    }
}

/// The requests of a data model's content to the machine, in order.
public struct Outbox<Chart: ChartVocabulary>: Sendable {
    @frozen
    @usableFromInline
    enum Item: Sendable {
        case raise(QueuedEvent<Chart>)
        case send(QueuedEvent<Chart>, id: Int?)
        case arm(Chart.Timer, number: Int, place: Int, id: Int?, delay: Duration)
        case operation(Operation)
    }

    @usableFromInline var items: [Item] = []

    @inlinable
    init() {}

    /// Puts an event into the internal queue.
    public mutating func raise(_ event: QueuedEvent<Chart>) {
        items.append(.raise(event))
    }

    /// Sends an event, to be handled after this macrostep.
    public mutating func send(_ event: QueuedEvent<Chart>, id: Int?) {
        items.append(.send(event, id: id))
    }

    /// Starts a timer with a delay that is not negative. For `number` and `place` see ``QueuedEvent``.
    public mutating func arm(_ timer: Chart.Timer, number: Int, place: Int, id: Int?, after delay: Duration) {
        precondition(delay >= .zero, "a delay is not negative")
        items.append(.arm(timer, number: number, place: place, id: id, delay: delay))
    }

    /// Cancels every timer with this send id.
    public mutating func cancel(id: Int) {
        items.append(.operation(.cancel(id)))
    }

    /// Executes the behavior's action of this number.
    public mutating func perform(_ action: Int) {
        items.append(.operation(.perform(action)))
    }

    /// Passes the number of a log line to the recorder. The behavior and the recorder define its meaning.
    public mutating func log(_ line: Int) {
        items.append(.operation(.log(line)))
    }
}
