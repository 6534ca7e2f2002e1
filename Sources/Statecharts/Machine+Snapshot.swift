// MARK: - Looking at a machine from outside

extension ChartTable {
    /// The number of the state that a transition belongs to.
    public func source(of transition: Int) -> Int { transitions[transition].source }
}

/// What a machine will do next, apart from its behavior's data and from the time: two machines of one chart with equal
/// snapshots and equal data do the same for the same events, as long as their timers fall due in the same order.
public struct MachineSnapshot: Hashable, Sendable {
    /// A delayed event on its way.
    public struct Timer: Hashable, Sendable {
        /// The event's number.
        public var event: Int
        /// The number of the send id, if there is one.
        public var id: Int?
    }

    /// The numbers of all active states, in document order. None before the start and after a stop.
    public var active: [Int]
    /// Per history, by number, what was active when its parent was last left. Histories without a record are absent.
    public var records: [Int: [Int]]
    /// What is armed, the next to fall due first.
    public var timers: [Timer]
}

extension Machine {
    /// The machine between two calls, as a value that can be compared and looked up. Allocates: for tools and tests.
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
