/// An event on its way to the chart.
@frozen
public struct QueuedEvent<Chart: ChartVocabulary>: Sendable {
    /// The event's number, which recorders are told.
    public let number: Int
    /// Where the table has its transitions; see ``ChartVocabulary/place(of:)``.
    public let place: Int
    /// What guards and actions see.
    public let event: Chart.Event

    /// An event of a chart's table.
    @inlinable
    public init(number: Int, place: Int, event: Chart.Event) {
        self.number = number
        self.place = place
        self.event = event
    }

    @inlinable
    init(_ number: Int, _ event: Chart.Event) {
        self.init(number: number, place: number, event: event)
    }
}

/// First in, first out, in an array that keeps its room.
@usableFromInline
struct EventQueue<Chart: ChartVocabulary>: Sendable {
    @usableFromInline var entries: [QueuedEvent<Chart>] = []
    @usableFromInline var head = 0

    @usableFromInline
    init() {
        entries.reserveCapacity(8)
    }

    @inlinable var count: Int { entries.count - head }

    @inlinable
    mutating func append(_ entry: QueuedEvent<Chart>) {
        entries.append(entry)
    }

    @inlinable var isEmpty: Bool { head == entries.count }

    /// Asked only when it is not empty: an entry that may be missing costs as much to make as an entry.
    @inlinable
    mutating func removeFirst() -> QueuedEvent<Chart> {
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
        @usableFromInline let id: Int?
        @usableFromInline let number: Int
        @usableFromInline let place: Int
        @usableFromInline let timer: Chart.Timer

        @inlinable
        init(due: Duration, id: Int?, number: Int, place: Int, timer: Chart.Timer) {
            self.due = due
            self.id = id
            self.number = number
            self.place = place
            self.timer = timer
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
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].due <= entry.due { high = middle } else { low = middle + 1 }
        }
        entries.insert(entry, at: low)
    }

    @inlinable
    func isDue(by time: Duration) -> Bool {
        guard let due = nextDue else { return false }
        return due <= time
    }

    @inlinable
    mutating func removeNext() -> Entry {
        entries.removeLast()
    }

    /// Removes every entry with this id and says how many there were.
    @inlinable
    mutating func cancel(id: Int) -> Int {
        guard let first = entries.firstIndex(where: { $0.id == id }) else { return 0 }
        let before = entries.count
        var kept = first
        for index in first..<before where entries[index].id != id {
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
