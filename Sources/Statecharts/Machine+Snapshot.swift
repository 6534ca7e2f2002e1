// MARK: - Looking at a machine from outside

extension ChartTable {
    /// Whether these states may be active together: one child of the document and of every active compound, all
    /// children of every active parallel, and no state without those around it (section 3.11 of the recommendation).
    public func isLegal(_ active: Bits) -> Bool {
        var next = active.next(after: 0)
        while let state = next {
            next = active.next(after: state)
            let row = states[state]
            if row.parent != 0, !active.contains(row.parent) { return false }
            let children = row.children.intersection(active)
            switch row.kind {
            case .atomic, .final: break
            case .compound: if !hasOneMember(children) { return false }
            case .parallel: if children != row.children { return false }
            case .root, .shallowHistory, .deepHistory: return false
            }
        }
        return hasOneMember(active.intersection(states[0].children))
    }

    /// The number of the state that a transition belongs to.
    public func source(of transition: Int) -> Int { transitions[transition].source }

    private func hasOneMember(_ set: Bits) -> Bool {
        guard let first = set.next(after: 0) else { return false }
        return set.next(after: first) == nil
    }
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
    /// Whether the active states are a legal configuration. Before the start and after a stop nothing is active, and
    /// that is legal.
    public var isConfigurationLegal: Bool { active.isEmpty || table.isLegal(active) }

    /// The machine between two calls, as a value that can be compared and looked up. Allocates: for tools and tests.
    public var snapshot: MachineSnapshot {
        var remembered: [Int: [Int]] = [:]
        for (number, record) in records.enumerated() where !record.isEmpty { remembered[number] = record.members }
        return MachineSnapshot(
            active: active.members,
            records: remembered,
            timers: timers.entries.reversed().map { MachineSnapshot.Timer(event: $0.number, id: $0.id) }
        )
    }
}
