/// What is going to happen, and when: ordered by time, and among equal times by the order of planning, so that the same
/// inputs always happen in the same order.
package struct Agenda<Item: Sendable>: Sendable {
    private struct Entry {
        let time: Duration
        let item: Item
    }

    /// Sorted: the next entry first. A body plans a handful of things at a time, so that an array is the right shape.
    private var entries: [Entry] = []

    /// An agenda with nothing on it.
    package init() {}

    /// When the next thing happens; nil when nothing is planned.
    package var nextTime: Duration? { entries.first?.time }

    /// Whether nothing is planned.
    package var isEmpty: Bool { entries.isEmpty }

    /// Plans `item`, behind everything that is planned for the same time.
    package mutating func plan(_ item: Item, at time: Duration) {
        // Most plans come last; looking from the end finds their place at once.
        let index = entries.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        entries.insert(Entry(time: time, item: item), at: index)
    }

    /// Takes the next thing off the agenda when it is due at `now`.
    package mutating func takeNext(dueBy now: Duration) -> (time: Duration, item: Item)? {
        guard let first = entries.first, first.time <= now else { return nil }
        entries.removeFirst()
        return (first.time, first.item)
    }

    /// Strikes everything that `matches`.
    package mutating func cancel(where matches: (Item) -> Bool) {
        entries.removeAll { matches($0.item) }
    }

    /// The time of the last thing that `matches`.
    package func lastTime(where matches: (Item) -> Bool) -> Duration? {
        entries.last { matches($0.item) }?.time
    }

    /// The last thing that `matches`.
    package func last(where matches: (Item) -> Bool) -> Item? {
        entries.last { matches($0.item) }?.item
    }
}
