/// R10: the states that the targets of transitions enter. The plan of a transition is computed when the table is built.
/// A plan that depends on a history's record is computed in each microstep.
@usableFromInline
struct EntryPlan<Bits: StateSet>: Sendable {
    /// The states that will be active.
    @usableFromInline var wanted: Bits
    /// The compound states in `wanted` that are entered by default, so that the content of their `<initial>` runs.
    @usableFromInline var defaultEntry: Bits
    /// The parents of histories without a record, each with the history's default transition.
    @usableFromInline var historyDefaults: [(parent: Int, transition: Int)] = []
    /// Whether the plan depends on a history.
    @usableFromInline var metHistory = false

    @usableFromInline
    init(stateCount: Int) {
        wanted = Bits(highest: stateCount - 1)
        defaultEntry = wanted
    }

    /// Empties the plan but keeps the memory of its array.
    @inlinable
    mutating func reset(to wanted: Bits, defaultEntry: Bits) {
        self.wanted = wanted
        self.defaultEntry = defaultEntry
        historyDefaults.removeAll(keepingCapacity: true)
        metHistory = false
    }

    /// Adds `state` and the states that it implies.
    @usableFromInline
    mutating func want(_ state: Int, rows: [StateRow], states: [ChartTable<Bits>.State], records: [Bits]?) {
        switch rows[state].kind {
        case .shallowHistory, .deepHistory:
            wantHistory(state, rows: rows, states: states, records: records)
        case .compound:
            wanted.insert(state)
            defaultEntry.insert(state)
            for target in rows[state].initial {
                want(target, rows: rows, states: states, records: records)
            }
            for target in rows[state].initial {
                climb(from: target, to: state, rows: rows, states: states, records: records)
            }
        case .parallel:
            wanted.insert(state)
            wantChildren(of: state, rows: rows, states: states, records: records)
        case .atomic, .final:
            wanted.insert(state)
        case .root:
            preconditionFailure("nothing leads to the root")
        }
    }

    /// Adds the states between `state` and `bound`. If one of them is a parallel, adds its other regions too.
    @usableFromInline
    mutating func climb(
        from state: Int,
        to bound: Int,
        rows: [StateRow],
        states: [ChartTable<Bits>.State],
        records: [Bits]?
    ) {
        var ancestor = rows[state].parent
        while ancestor != bound, ancestor != 0 {
            wanted.insert(ancestor)
            if rows[ancestor].kind == .parallel {
                wantChildren(of: ancestor, rows: rows, states: states, records: records)
            }
            ancestor = rows[ancestor].parent
        }
    }

    private mutating func wantChildren(
        of parallel: Int,
        rows: [StateRow],
        states: [ChartTable<Bits>.State],
        records: [Bits]?
    ) {
        var next = states[parallel].children.next(after: 0)
        while let child = next {
            next = states[parallel].children.next(after: child)
            if wanted.contains(child) || wanted.intersects(states[child].descendants) { continue }
            want(child, rows: rows, states: states, records: records)
        }
    }

    private mutating func wantHistory(
        _ history: Int,
        rows: [StateRow],
        states: [ChartTable<Bits>.State],
        records: [Bits]?
    ) {
        metHistory = true
        let parent = rows[history].parent
        if let record = records?[history], !record.isEmpty {
            var next = record.next(after: 0)
            while let state = next {
                next = record.next(after: state)
                want(state, rows: rows, states: states, records: records)
            }
            next = record.next(after: 0)
            while let state = next {
                next = record.next(after: state)
                climb(from: state, to: parent, rows: rows, states: states, records: records)
            }
            return
        }
        if let transition = rows[history].initialTransition {
            historyDefaults.removeAll { $0.parent == parent }
            historyDefaults.append((parent, transition))
        }
        for target in rows[history].initial {
            want(target, rows: rows, states: states, records: records)
        }
        for target in rows[history].initial {
            climb(from: target, to: parent, rows: rows, states: states, records: records)
        }
    }
}
