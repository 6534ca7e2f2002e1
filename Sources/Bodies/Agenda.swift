/// What is going to happen, and when: ordered by time, and among equal times by the order of planning, so that the same
/// inputs always happen in the same order.
///
/// Other modules see its insides, so that they get an agenda of their own items and not the one of any.
@frozen
package struct Agenda<Item: Sendable>: Sendable {
    /// Sorted: the next entry first. A body plans a handful of things at a time, so that an array is the right shape.
    @usableFromInline var entries: [(time: Duration, item: Item)] = []

    /// An agenda with nothing on it.
    @inlinable package init() {}

    /// When the next thing happens; nil when nothing is planned.
    @inlinable package var nextTime: Duration? { entries.first?.time }

    /// Plans `item`, behind everything that is planned for the same time.
    @inlinable package mutating func plan(_ item: Item, at time: Duration) {
        // Most plans come last; looking from the end finds their place at once.
        let index = entries.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        entries.insert((time, item), at: index)
    }

    /// Takes the next thing off the agenda when it is due at `now`; without a time, whenever it is due.
    @inlinable package mutating func takeNext(dueBy now: Duration? = nil) -> (time: Duration, item: Item)? {
        guard let first = entries.first, now.map({ first.time <= $0 }) ?? true else { return nil }
        return entries.removeFirst()
    }

    /// Strikes everything that `matches`.
    @inlinable package mutating func cancel(where matches: (Item) -> Bool) {
        entries.removeAll { matches($0.item) }
    }

    /// The last thing that `matches`.
    @inlinable package func last(where matches: (Item) -> Bool) -> Item? {
        entries.last { matches($0.item) }?.item
    }
}
