// Checks of a machine between two macrosteps, for tests of charts and of the engine.

/// The states that start each timer, computed once from a table's content.
@usableFromInline
struct TimerOwners<Bits: StateSet>: Sendable {
    /// For each state: the send ids of the timers that the state starts on entry.
    let own: [[Int]]
    /// The states that start a timer on entry.
    let timed: Bits
    /// For each send id: the states that start a timer with this id, on entry or in a transition.
    let owners: [Bits]

    init(_ rows: [StateRow], _ transitions: [TransitionRow], _ blocks: [[Operation]]) {
        let empty = Bits(highest: rows.count - 1)
        var own = Array(repeating: [Int](), count: rows.count)
        var timed = empty
        var owners: [Bits] = []
        func note(_ id: Int, _ state: Int) {
            while owners.count <= id { owners.append(empty) }
            if state != 0 { owners[id].insert(state) }
        }
        for (state, row) in rows.enumerated().dropFirst() {
            for id in row.entry.flatMap({ blocks[$0].compactMap(\.timerID) }) {
                own[state].append(id)
                timed.insert(state)
                note(id, state)
            }
        }
        for row in transitions {
            for id in row.content.flatMap({ blocks[$0].compactMap(\.timerID) }) { note(id, row.source) }
        }
        self.own = own
        self.timed = timed
        self.owners = owners
    }
}

extension Operation {
    fileprivate var timerID: Int? {
        switch self {
        case .sendAfter(_, _, let id), .sendAfterDelay(_, _, let id): id
        case .perform, .raise, .send, .cancel, .log, .evaluate: nil
        }
    }
}

extension ChartTable {
    /// Whether the states form a legal configuration (SCXML 3.11). One child of the root, one child of each active
    /// compound state and all children of each active parallel are active. The parent of each active state is active.
    public func isLegal(_ active: Bits) -> Bool {
        guard isOne(of: states[0].children, in: active) else { return false }
        var state = active.next(after: 0)
        while let member = state {
            guard member < states.count else { return false }
            let parent = states[member].parent
            if parent != 0, !active.contains(parent) { return false }
            switch states[member].kind {
            case .compound: if !isOne(of: states[member].children, in: active) { return false }
            case .parallel: if !states[member].children.isSubset(of: active) { return false }
            case .atomic, .final: break
            case .root, .shallowHistory, .deepHistory: return false
            }
            state = active.next(after: member)
        }
        return true
    }

    private func isOne(of children: Bits, in active: Bits) -> Bool {
        let present = children.intersection(active)
        guard let first = present.next(after: 0) else { return false }
        return present.next(after: first) == nil
    }
}

extension Machine {
    /// Whether the active states form a legal configuration; see ``ChartTable/isLegal(_:)``. Before the start, no state
    /// is allowed to be active.
    public var isConfigurationLegal: Bool { hasStarted ? table.isLegal(reported) : active.isEmpty }

    /// An active state that started a timer on entry, if that timer does not run any more; nil: no such state.
    ///
    /// This check is valid for charts in which a timer's event leaves the state or starts the timer again.
    public var stateWithoutTimer: B.Chart.State? {
        guard isRunning else { return nil }
        let timed = table.timerOwners.timed.intersection(active)
        var state = timed.next(after: 0)
        while let member = state {
            for id in table.timerOwners.own[member] where !timers.entries.contains(where: { $0.id == id }) {
                return B.Chart.State(tableNumber: member)
            }
            state = timed.next(after: member)
        }
        return nil
    }

    /// The send id of a running timer if no active state could have started it; nil: no such timer.
    public var timerWithoutState: Int? {
        for entry in timers.entries {
            guard let id = entry.id, table.timerOwners.owners.indices.contains(id) else { continue }
            if !table.timerOwners.owners[id].intersects(active) { return id }
        }
        return nil
    }
}
