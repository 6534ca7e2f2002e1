/// The Swift side of a chart: its guards, delays and actions.
///
/// Generated code implements `holds`, `delay` and `perform`: they call one Swift function for each name in the chart.
/// Those functions cannot fail. They change the model and request effects. The result of an effect is a later input.
/// The functions `evaluate` and `event(for:)` are only for charts with a data model, whose content can fail.
public protocol Behavior {
    associatedtype Chart: ChartVocabulary
    associatedtype Effect
    /// The type of a failed evaluation.
    associatedtype Failure: Error = Never

    /// Whether a guard holds. `event` is the event that the machine handles. `event` is nil while the chart starts, and
    /// for an event that the chart does not keep.
    func holds(_ guardID: Chart.Guard, _ event: Chart.Event?) -> Bool
    /// The duration of a timer, which must not be negative.
    func delay(_ delayID: Chart.Delay) -> Duration
    /// Executes an action: changes the model and appends effects.
    mutating func perform(_ actionID: Chart.Action, _ event: Chart.Event?, _ effects: inout [Effect])

    /// Whether a condition of the data model holds. The machine treats a failure as false and raises an error event.
    func evaluate(condition: Int, at moment: Moment<Chart>) throws(Failure) -> Bool
    /// Executes content of the data model and puts its requests into the outbox. The machine then executes these
    /// requests, even after a failure. A failure ends the block, and the machine raises the failure's event.
    mutating func evaluate(
        content: Int,
        at moment: Moment<Chart>,
        into outbox: inout Outbox<Chart>
    ) throws(Failure)
    /// The event for a failure: `error.execution` or `error.communication`.
    mutating func event(for failure: Failure) -> QueuedEvent<Chart>
}

extension Behavior where Failure == Never {
    /// Never called, because a compiled chart has only conditions with names.
    @inlinable
    public func evaluate(condition: Int, at moment: Moment<Chart>) -> Bool {
        preconditionFailure("condition \(condition): this chart has no data model")
    }

    /// Is never called: in a compiled chart all executable content is functions with names.
    @inlinable
    public mutating func evaluate(content: Int, at moment: Moment<Chart>, into outbox: inout Outbox<Chart>) {
        preconditionFailure("content \(content): this chart has no data model")
    }

    /// Never called, because evaluations of a compiled chart cannot fail.
    @inlinable
    public mutating func event(for failure: Never) -> QueuedEvent<Chart> {}
}

/// The state of the machine that a data model can read while it evaluates.
public struct Moment<Chart: ChartVocabulary>: Sendable {
    /// The event that the machine handles; nil while the chart starts.
    public let event: Chart.Event?
    /// The numbers of the active states, which `In()` reads.
    public let active: Chart.Bits

    @inlinable
    init(event: Chart.Event?, active: Chart.Bits) {
        self.event = event
        self.active = active
    }
}

/// The requests of a data model's content to the machine, in the order of execution.
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

    /// Sends an event. The machine handles it after this macrostep.
    public mutating func send(_ event: QueuedEvent<Chart>, id: Int?) {
        items.append(.send(event, id: id))
    }

    /// Starts a timer. The delay must not be negative. `number` and `place` are as in ``QueuedEvent``.
    public mutating func arm(_ timer: Chart.Timer, number: Int, place: Int, id: Int?, after delay: Duration) {
        precondition(delay >= .zero, "a delay is not negative")
        items.append(.arm(timer, number: number, place: place, id: id, delay: delay))
    }

    /// Cancels every timer that has this send id.
    public mutating func cancel(id: Int) {
        items.append(.operation(.cancel(id)))
    }

    /// Requests the behavior's action with this number.
    public mutating func perform(_ action: Int) {
        items.append(.operation(.perform(action)))
    }

    /// Passes the number of a log line to the recorder. The behavior and the recorder define what the number means.
    public mutating func log(_ line: Int) {
        items.append(.operation(.log(line)))
    }
}
