/// Planned events, ordered by time. Events of the same time keep the order of planning, so the same inputs always have
/// the same results.
///
/// Inlinable, so that other modules get code that is specialized for their own items.
@frozen
package struct Schedule<Item: Sendable>: Sendable {
    /// Sorted: the next entry first. A body plans only a few events at a time, so an array fits.
    @usableFromInline var entries: [(time: Duration, item: Item)] = []

    @inlinable package init() {}

    /// The time of the next event; nil when nothing is planned.
    @inlinable package var nextTime: Duration? { entries.first?.time }

    /// Plans `item`, after all events of the same time.
    @inlinable package mutating func plan(_ item: Item, at time: Duration) {
        // Most new events are the latest; a search from the end finds their place at once.
        let index = entries.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        entries.insert((time, item), at: index)
    }

    /// Removes and returns the next event if it is due at `now`; without a time, in any case.
    @inlinable package mutating func takeNext(dueBy now: Duration? = nil) -> (time: Duration, item: Item)? {
        guard let first = entries.first, now.map({ first.time <= $0 }) ?? true else { return nil }
        return entries.removeFirst()
    }

    /// Removes all events that `matches` accepts.
    @inlinable package mutating func cancel(where matches: (Item) -> Bool) {
        entries.removeAll { matches($0.item) }
    }

    /// The last event that `matches` accepts.
    @inlinable package func last(where matches: (Item) -> Bool) -> Item? {
        entries.last { matches($0.item) }?.item
    }
}
