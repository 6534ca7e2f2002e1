// What must be true of a machine at rest, for whoever tests a chart or the engine.

/// Whose timers they are, worked out once from a table's content.
@usableFromInline
struct TimerOwners<Bits: StateSet>: Sendable {
    /// Per state the send ids of the timers that it arms on entry.
    let own: [[Int]]
    /// The states that have some.
    let timed: Bits
    /// Per send id the states that arm such a timer, on entry or in one of their transitions.
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
    /// The send id of the timer that it arms.
    fileprivate var timerID: Int? {
        switch self {
        case .sendAfter(_, _, let id), .sendAfterDelay(_, _, let id): id
        case .perform, .raise, .send, .cancel, .log, .evaluate: nil
        }
    }
}

extension ChartTable {
    /// Whether these states make up a legal configuration (SCXML 3.11): one child of the root, one of each compound
    /// state among them and all of each parallel one, and with each state the one around it.
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
    /// Whether the active states make up a legal configuration; see ``ChartTable/isLegal(_:)``. Before the start there
    /// is none, which is legal.
    public var isConfigurationLegal: Bool { hasStarted ? table.isLegal(reported) : active.isEmpty }

    /// An active state whose timer, armed on entry, does not run any more though the state goes on; nil: none.
    ///
    /// Of charts in which what a timer delivers leaves the state, or arms it anew.
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

    /// The send id of a timer that runs on although no state that arms it is active any more; nil: none does.
    public var timerWithoutState: Int? {
        for entry in timers.entries {
            guard let id = entry.id, table.timerOwners.owners.indices.contains(id) else { continue }
            if !table.timerOwners.owners[id].intersects(active) { return id }
        }
        return nil
    }
}
