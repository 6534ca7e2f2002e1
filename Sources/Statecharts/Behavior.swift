/// The Swift side of a chart: it answers the chart's questions and does what the chart decides.
///
/// Generated code provides the three requirements here that name guards, delays and actions, and asks for one function
/// per name instead. Those are total: they change the model and ask for effects, and what fails is an effect, which
/// comes back as an input. The requirements on evaluating belong to charts that carry a data model of their own, whose
/// content can fail; compiled charts have none of it and need not mention them.
public protocol Behavior {
    /// The chart this belongs to.
    associatedtype Chart: ChartVocabulary
    /// What the behavior asks the world to do.
    associatedtype Effect
    /// What can go wrong while something is evaluated.
    associatedtype Failure: Error = Never

    /// Whether a guard holds. `event` is the last one handled; there is none while the chart starts, and none that the
    /// chart does not keep.
    func holds(_ guardID: Chart.Guard, _ event: Chart.Event?) -> Bool
    /// How long a timer runs. Not negative.
    func delay(_ delayID: Chart.Delay) -> Duration
    /// Does an action: changes the model, appends the effects it asks for.
    mutating func perform(_ actionID: Chart.Action, _ event: Chart.Event?, _ effects: inout [Effect])

    /// Whether a condition of the data model holds. A failure counts as no, and its event is raised.
    func evaluate(condition: Int, at moment: Moment<Chart>) throws(Failure) -> Bool
    /// Runs content of the data model. What it asks of the machine goes into the outbox, which the machine empties
    /// afterwards, also if the content failed on the way. A failure ends the block, and its event is raised.
    mutating func evaluate(
        content: Int,
        at moment: Moment<Chart>,
        into outbox: inout Outbox<Chart>
    ) throws(Failure)
    /// The event that tells the chart of a failure: `error.execution` or `error.communication`.
    mutating func event(for failure: Failure) -> QueuedEvent<Chart>
}

extension Behavior where Failure == Never {
    /// Compiled charts have names for their conditions.
    @inlinable
    public func evaluate(condition: Int, at moment: Moment<Chart>) -> Bool {
        preconditionFailure("condition \(condition): this chart has no data model")
    }

    /// Compiled charts have names for their content.
    @inlinable
    public mutating func evaluate(content: Int, at moment: Moment<Chart>, into outbox: inout Outbox<Chart>) {
        preconditionFailure("content \(content): this chart has no data model")
    }

    /// There are no failures.
    @inlinable
    public mutating func event(for failure: Never) -> QueuedEvent<Chart> {}
}

/// What a data model may know of the machine while it evaluates.
public struct Moment<Chart: ChartVocabulary>: Sendable {
    /// The event last taken up; there is none while the chart starts.
    public let event: Chart.Event?
    /// The states that are active, by number: what `In()` asks for.
    public let active: Chart.Bits

    @inlinable
    init(event: Chart.Event?, active: Chart.Bits) {
        self.event = event
        self.active = active
    }
}

/// What content of a data model asks of the machine, in order.
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

    /// Sends an event, which is handled after this macrostep.
    public mutating func send(_ event: QueuedEvent<Chart>, id: Int?) {
        items.append(.send(event, id: id))
    }

    /// Arms a timer with a delay that is not negative. Number and place are those of ``QueuedEvent``.
    public mutating func arm(_ timer: Chart.Timer, number: Int, place: Int, id: Int?, after delay: Duration) {
        precondition(delay >= .zero, "a delay is not negative")
        items.append(.arm(timer, number: number, place: place, id: id, delay: delay))
    }

    /// Disarms every timer with this send id.
    public mutating func cancel(id: Int) {
        items.append(.operation(.cancel(id)))
    }

    /// Calls the behavior's action of this number.
    public mutating func perform(_ action: Int) {
        items.append(.operation(.perform(action)))
    }

    /// Tells the recorder a line; what its number means is between it and the behavior.
    public mutating func log(_ line: Int) {
        items.append(.operation(.log(line)))
    }
}
