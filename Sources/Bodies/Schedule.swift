/// Planned events, sorted by time. Events of the same time keep the order of planning, so equal inputs always have
/// equal results.
///
/// The methods are inlinable, so that other modules get code that is specialized for their items.
@frozen
package struct Schedule<Item: Sendable>: Sendable {
    /// The planned events, the next one first. An array is enough, because a body plans only a few events at a time.
    @usableFromInline var entries: [(time: Duration, item: Item)] = []

    @inlinable package init() {}

    /// The time of the next event; nil when nothing is planned.
    @inlinable package var nextTime: Duration? { entries.first?.time }

    /// Plans `item`, after all events of the same time.
    @inlinable package mutating func plan(_ item: Item, at time: Duration) {
        // Most new events come after all others, so a search from the end finds their position at once.
        let index = entries.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        entries.insert((time, item), at: index)
    }

    /// Removes and returns the next event if it is due at `now`. Without `now`, the next event is always due.
    @inlinable package mutating func takeNext(dueBy now: Duration? = nil) -> (time: Duration, item: Item)? {
        guard let first = entries.first, now.map({ first.time <= $0 }) ?? true else { return nil }
        return entries.removeFirst()
    }

    /// Removes all events that `matches` accepts.
    @inlinable package mutating func cancel(where matches: (Item) -> Bool) {
        entries.removeAll { matches($0.item) }
    }

    /// The latest event that `matches` accepts.
    @inlinable package func last(where matches: (Item) -> Bool) -> Item? {
        entries.last { matches($0.item) }?.item
    }
}
