/// An event that waits in a queue.
@frozen
public struct QueuedEvent<Chart: ChartVocabulary>: Sendable {
    /// The event's number, for recorders.
    public let number: Int
    /// The index of the event's transitions in the table; see ``ChartVocabulary/place(of:)``.
    public let place: Int
    /// The event as guards and actions receive it.
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

/// A FIFO queue in an array that keeps its capacity.
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

    /// Removes the first event. The queue must not be empty. An optional result would be slower.
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

/// The delayed events, in a binary heap with the earliest one at the top. A cancelled entry below the top stays until
/// it reaches the top, or until more than half of the entries are cancelled.
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
        /// The number of timers that were started before this one.
        @usableFromInline var order = 0

        @inlinable
        init(due: Duration, id: Int?, number: Int, place: Int, timer: Chart.Timer) {
            self.due = due
            self.id = id
            self.number = number
            self.place = place
            self.timer = timer
        }

        /// Whether this entry is due before the other one. Entries with the same due time keep the order of sending.
        @inlinable
        func isBefore(_ other: Entry) -> Bool {
            due == other.due ? order < other.order : due < other.due
        }
    }

    @frozen
    @usableFromInline
    struct Sends: Sendable {
        @usableFromInline var armed = 0
        /// Timers whose `order` is below this number are cancelled.
        @usableFromInline var firstArmed = 0

        @inlinable
        init() {}
    }

    @usableFromInline var heap: [Entry] = []
    @usableFromInline var sends: [Sends] = []
    /// The number of cancelled entries in the heap; the top entry is never cancelled.
    @usableFromInline var cancelledCount = 0
    @usableFromInline var nextOrder = 0

    @usableFromInline
    init() {
        heap.reserveCapacity(8)
    }

    @inlinable var count: Int { heap.count - cancelledCount }
    @inlinable var nextDue: Duration? { heap.first?.due }

    @usableFromInline var entries: some Sequence<Entry> { heap.lazy.filter { !isCancelled($0) } }

    @usableFromInline var ordered: [Entry] { entries.sorted { $0.isBefore($1) } }

    @inlinable
    mutating func insert(_ entry: Entry) {
        if let id = entry.id {
            while sends.count <= id { sends.append(Sends()) }
            sends[id].armed += 1
        }
        heap.append(entry)
        heap[heap.count - 1].order = nextOrder
        nextOrder += 1
        raise(heap.count - 1)
    }

    @inlinable
    func isDue(by time: Duration) -> Bool {
        guard let due = nextDue else { return false }
        return due <= time
    }

    @inlinable
    mutating func removeNext() -> Entry {
        let entry = removeTop()
        if let id = entry.id { sends[id].armed -= 1 }
        removeCancelled()
        return entry
    }

    /// Cancels every timer with this id and returns their number.
    @inlinable
    mutating func cancel(id: Int) -> Int {
        guard id < sends.count, sends[id].armed > 0 else { return 0 }
        let count = sends[id].armed
        sends[id].armed = 0
        sends[id].firstArmed = nextOrder
        cancelledCount += count
        removeCancelled()
        return count
    }

    @inlinable
    mutating func removeAll() {
        heap.removeAll(keepingCapacity: true)
        for id in sends.indices { sends[id] = Sends() }
        cancelledCount = 0
        nextOrder = 0
    }

    @inlinable
    func isCancelled(_ entry: Entry) -> Bool {
        guard let id = entry.id else { return false }
        return entry.order < sends[id].firstArmed
    }

    // MARK: The heap

    @inlinable
    mutating func removeTop() -> Entry {
        heap.swapAt(0, heap.count - 1)
        let entry = heap.removeLast()
        lower(0)
        return entry
    }

    /// Removes cancelled entries from the top, or all cancelled entries if they are more than half of the heap.
    @inlinable
    mutating func removeCancelled() {
        if cancelledCount * 2 > heap.count { return compact() }
        while cancelledCount > 0, let top = heap.first, isCancelled(top) {
            _ = removeTop()
            cancelledCount -= 1
        }
    }

    @inlinable
    mutating func compact() {
        var kept = 0
        for index in heap.indices where !isCancelled(heap[index]) {
            if kept != index { heap[kept] = heap[index] }
            kept += 1
        }
        heap.removeLast(heap.count - kept)
        cancelledCount = 0
        for index in (0..<(kept / 2)).reversed() { lower(index) }
    }

    @inlinable
    mutating func raise(_ start: Int) {
        var index = start
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    @inlinable
    mutating func lower(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in (2 * index + 1)..<(2 * index + 3) where child < heap.count {
                if heap[child].isBefore(heap[least]) { least = child }
            }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
