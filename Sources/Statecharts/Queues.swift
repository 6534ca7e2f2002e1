/// First in, first out, in an array that keeps its room.
@usableFromInline
struct EventQueue<Chart: ChartVocabulary>: Sendable {
    @frozen
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let number: Int
        @usableFromInline let event: ChartEvent<Chart>

        @inlinable
        init(number: Int, event: ChartEvent<Chart>) {
            self.number = number
            self.event = event
        }
    }

    @usableFromInline var entries: [Entry] = []
    @usableFromInline var head = 0

    @usableFromInline
    init() {
        entries.reserveCapacity(8)
    }

    @inlinable var count: Int { entries.count - head }

    @inlinable
    mutating func append(_ entry: Entry) {
        entries.append(entry)
    }

    @inlinable
    mutating func popFirst() -> Entry? {
        guard head < entries.count else { return nil }
        let entry = entries[head]
        head += 1
        if head == entries.count { removeAll() }
        return entry
    }

    @inlinable
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        head = 0
    }
}

/// The delayed events, the next one last, so that taking it moves nothing.
@usableFromInline
struct TimerQueue<Chart: ChartVocabulary>: Sendable {
    @frozen
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let due: Duration
        @usableFromInline let number: Int
        @usableFromInline let id: Int?

        @inlinable
        init(due: Duration, number: Int, id: Int?) {
            self.due = due
            self.number = number
            self.id = id
        }
    }

    @usableFromInline var entries: [Entry] = []

    @usableFromInline
    init() {
        entries.reserveCapacity(8)
    }

    @inlinable var count: Int { entries.count }
    @inlinable var nextDue: Duration? { entries.last?.due }

    /// Behind everything that falls due no later: what was sent first comes first.
    @inlinable
    mutating func insert(_ entry: Entry) {
        var place = entries.count
        while place > 0, entries[place - 1].due <= entry.due { place -= 1 }
        entries.insert(entry, at: place)
    }

    @inlinable
    mutating func popDue(by time: Duration) -> Entry? {
        guard let next = entries.last, next.due <= time else { return nil }
        entries.removeLast()
        return next
    }

    /// Removes every entry with this id and says how many there were.
    @inlinable
    mutating func cancel(id: Int) -> Int {
        let before = entries.count
        var kept = 0
        for index in 0..<before where entries[index].id != id {
            if kept != index { entries[kept] = entries[index] }
            kept += 1
        }
        entries.removeLast(before - kept)
        return before - kept
    }

    @inlinable
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }
}
