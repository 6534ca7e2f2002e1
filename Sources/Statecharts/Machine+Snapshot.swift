// MARK: - Reading a machine's state

extension ChartTable {
    /// The number of a transition's source state.
    public func source(of transition: Int) -> Int { transitions[transition].source }
}

/// The state of a machine without the data of its behavior and without the time. Two machines of one chart with equal
/// snapshots and data react equally to the same events, if their timers expire in the same order.
public struct MachineSnapshot: Hashable, Sendable {
    /// A delayed event.
    public struct Timer: Hashable, Sendable {
        /// The event's number.
        public var event: Int
        /// The number of the send id; nil: no id.
        public var id: Int?
    }

    /// The numbers of all active states, in document order. Empty before the start and after a stop.
    public var active: [Int]
    /// For each history that has a record: the states that were active at the latest exit of the history's parent. The
    /// key is the history's number.
    public var records: [Int: [Int]]
    /// The active timers, ordered by due time.
    public var timers: [Timer]
}

extension Machine where B.Chart.Timer: Equatable {
    /// The time at which this event is due, since the clock's origin; nil: no timer with this event runs. This function
    /// allocates.
    public func due(_ timer: B.Chart.Timer) -> Duration? { timers.ordered.first { $0.timer == timer }?.due }
}

extension Machine {
    /// The machine's state between two calls, as a hashable value. This property allocates, so it is for tools and
    /// tests.
    public var snapshot: MachineSnapshot {
        var remembered: [Int: [Int]] = [:]
        for (number, record) in records.enumerated() where !record.isEmpty { remembered[number] = record.members }
        return MachineSnapshot(
            active: active.members,
            records: remembered,
            timers: timers.ordered.map { MachineSnapshot.Timer(event: $0.number, id: $0.id) }
        )
    }
}
