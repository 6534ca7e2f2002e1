/// A chart as flat arrays of numbers, which the engine runs. A table is built once, from the rows that the compiler
/// wrote.
public struct ChartTable<Bits: StateSet>: Sendable {
    /// The chart's name, for messages.
    public let name: String
    /// The number of events that the chart distinguishes.
    public let eventCount: Int

    @usableFromInline let states: [State]
    @usableFromInline let transitions: [Transition]
    @usableFromInline let initial: [Int]
    @usableFromInline let leaves: Bits
    /// The states that have histories.
    @usableFromInline let remembering: Bits
    @usableFromInline let rows: [StateRow]
    @usableFromInline let targets: [[Int]]
    /// For each trigger (0: eventless, n + 1: event n): the states that have a transition for it.
    @usableFromInline let handling: [Bits]
    /// For each trigger and state: the index of the first transition in `candidates`. The next entry is the end index.
    @usableFromInline let candidateStart: [Int32]
    @usableFromInline let candidates: [Int32]
    /// The index of the first operation of each block in `operations`. The next entry is the end index.
    @usableFromInline let blockStart: [Int]
    @usableFromInline let operations: [Operation]
    @usableFromInline let timerOwners: TimerOwners<Bits>

    @frozen
    @usableFromInline
    struct State: Sendable {
        @usableFromInline let kind: StateRow.Kind
        @usableFromInline let parent: Int
        @usableFromInline let entryStart: Int
        @usableFromInline let entryEnd: Int
        @usableFromInline let exitStart: Int
        @usableFromInline let exitEnd: Int
        @usableFromInline let done: Int
        @usableFromInline let doneContent: Int
        @usableFromInline let initialTransition: Int
        @usableFromInline let children: Bits
        @usableFromInline let descendants: Bits
        /// The state itself and its ancestors, without the root.
        @usableFromInline let path: Bits
        @usableFromInline let histories: Bits
    }

    @frozen
    @usableFromInline
    struct Transition: Sendable {
        @usableFromInline let source: Int
        @usableFromInline let condition: Condition
        @usableFromInline let contentStart: Int
        @usableFromInline let contentEnd: Int
        @usableFromInline let isInternal: Bool
        /// Whether a history's record decides which states are exited and entered.
        @usableFromInline let needsRecords: Bool
        /// All states below the domain, and the states to enter. Valid if `needsRecords` is false.
        @usableFromInline let exit: Bits
        @usableFromInline let wanted: Bits
        @usableFromInline let defaultEntry: Bits
    }

    /// Builds the table of a chart.
    ///
    /// - Parameters:
    ///   - states: the states in document order, the root first.
    ///   - transitions: the transitions in document order, including those of `<initial>` and `<history>`.
    ///   - blocks: the executable content, one array per `onentry`, `onexit` or transition.
    ///   - eventCount: the number of events. Transitions and blocks refer to events by number.
    public init(
        name: String,
        states rows: [StateRow],
        transitions transitionRows: [TransitionRow],
        blocks: [[Operation]],
        eventCount: Int
    ) {
        Self.check(rows, transitionRows, blocks: blocks.count, eventCount: eventCount)
        self.name = name
        self.rows = rows
        self.eventCount = eventCount
        self.initial = rows[0].initial
        self.targets = transitionRows.map(\.targets)

        let family = Family<Bits>(rows)
        states = rows.indices.map { family.state($0) }
        leaves = family.leaves
        var remembering = Bits(highest: rows.count - 1)
        for (number, row) in rows.enumerated() where row.isHistory && row.parent != 0 {
            remembering.insert(rows[number].parent)
        }
        self.remembering = remembering

        var start = [0]
        for block in blocks { start.append(start[start.count - 1] + block.count) }
        blockStart = start
        operations = blocks.flatMap { $0 }
        timerOwners = TimerOwners(rows, transitionRows, blocks)

        let plain = states
        transitions = transitionRows.map { Self.derive($0, rows: rows, states: plain) }
        (handling, candidateStart, candidates) = Self.index(
            transitionRows,
            stateCount: rows.count,
            eventCount: eventCount
        )
    }

    /// The number of states, including the root and pseudo-states.
    public var stateCount: Int { states.count }

    /// The kind of a state.
    public func kind(of state: Int) -> StateRow.Kind { rows[state].kind }

    /// The number of the parent of `state`; 0 is the root.
    public func parent(of state: Int) -> Int { rows[state].parent }

    /// Whether a state is a leaf. The active leaves are the configuration.
    public func isLeaf(_ state: Int) -> Bool { rows[state].kind == .atomic || rows[state].kind == .final }
}

// MARK: - Deriving

extension ChartTable {
    /// The states that a transition exits and enters if no history's record is needed.
    private static func derive(_ row: TransitionRow, rows: [StateRow], states: [State]) -> Transition {
        var plan = EntryPlan<Bits>(stateCount: rows.count)
        var exit = Bits(highest: rows.count - 1)
        var meetsHistory = false
        if !row.targets.isEmpty, row.trigger != .never {
            var effective = Bits(highest: rows.count - 1)
            for target in row.targets { effective.insert(target) }
            let domain = Self.domain(
                source: row.source,
                isInternal: row.isInternal,
                effective: effective,
                states: states
            )
            exit = states[domain].descendants
            meetsHistory = row.targets.contains { rows[$0].isHistory }
            if !meetsHistory {
                for target in row.targets {
                    plan.want(target, rows: rows, states: states, records: nil)
                }
                for target in row.targets {
                    plan.climb(from: target, to: domain, rows: rows, states: states, records: nil)
                }
                meetsHistory = plan.metHistory
            }
        }
        return Transition(
            source: row.source,
            condition: row.condition,
            contentStart: row.content.lowerBound,
            contentEnd: row.content.upperBound,
            isInternal: row.isInternal,
            needsRecords: meetsHistory,
            exit: exit,
            wanted: plan.wanted,
            defaultEntry: plan.defaultEntry
        )
    }

    /// R7: the domain of a transition with these effective targets. All active states below the domain are exited.
    @inlinable
    static func domain(source: Int, isInternal: Bool, effective: Bits, states: [State]) -> Int {
        if isInternal, states[source].kind == .compound, effective.isSubset(of: states[source].descendants) {
            return source
        }
        var ancestor = states[source].parent
        // A parallel is never a domain, because a transition from one region to another exits all regions.
        while ancestor != 0 {
            if states[ancestor].kind == .compound, effective.isSubset(of: states[ancestor].descendants) {
                return ancestor
            }
            ancestor = states[ancestor].parent
        }
        return 0
    }

    /// For each trigger and state: the candidate transitions in document order.
    private static func index(
        _ rows: [TransitionRow],
        stateCount: Int,
        eventCount: Int
    ) -> (handling: [Bits], start: [Int32], candidates: [Int32]) {
        var handling = Array(repeating: Bits(highest: stateCount - 1), count: eventCount + 1)
        var start = Array(repeating: Int32(0), count: (eventCount + 1) * stateCount + 1)
        for row in rows {
            for trigger in row.triggers {
                handling[trigger].insert(row.source)
                start[trigger * stateCount + row.source + 1] += 1
            }
        }
        for cell in start.indices.dropFirst() { start[cell] += start[cell - 1] }
        var candidates = Array(repeating: Int32(0), count: Int(start[start.count - 1]))
        var next = start
        for (number, row) in rows.enumerated() {
            for trigger in row.triggers {
                let cell = trigger * stateCount + row.source
                candidates[Int(next[cell])] = Int32(number)
                next[cell] += 1
            }
        }
        return (handling, start, candidates)
    }

    /// Traps if a table contradicts itself, which is an error of the compiler that made the table.
    private static func check(
        _ rows: [StateRow],
        _ transitions: [TransitionRow],
        blocks: Int,
        eventCount: Int
    ) {
        precondition(rows.first?.kind == .root, "a table begins with the root")
        if let highest = Bits.highestMember {
            precondition(rows.count - 1 <= highest, "\(rows.count - 1) states do not fit a set of \(highest)")
        }
        for (number, row) in rows.enumerated().dropFirst() {
            precondition(row.parent < number, "state \(number) stands before its parent")
            precondition(row.initial.allSatisfy { (1..<rows.count).contains($0) }, "state \(number): bad initial")
            precondition(row.entry.upperBound <= blocks && row.exit.upperBound <= blocks, "state \(number): bad block")
        }
        for (number, row) in transitions.enumerated() {
            precondition(rows.indices.contains(row.source), "transition \(number): bad source")
            precondition(row.targets.allSatisfy { (1..<rows.count).contains($0) }, "transition \(number): bad target")
            precondition(row.content.upperBound <= blocks, "transition \(number): bad block")
            if case .events(let events) = row.trigger {
                precondition(events.allSatisfy { (0..<eventCount).contains($0) }, "transition \(number): bad event")
            }
        }
    }
}

extension TransitionRow {
    /// The indices of the row's triggers. Index 0 is eventless, and index n + 1 is event n.
    fileprivate var triggers: [Int] {
        switch trigger {
        case .never: []
        case .eventless: [0]
        case .events(let events): events.map { $0 + 1 }
        }
    }
}

extension StateRow {
    @usableFromInline var isHistory: Bool { kind == .shallowHistory || kind == .deepHistory }
}

/// The relations between states, computed once from their parents.
private struct Family<Bits: StateSet> {
    let rows: [StateRow]
    var children: [Bits]
    var descendants: [Bits]
    var paths: [Bits]
    var histories: [Bits]
    var leaves: Bits

    init(_ rows: [StateRow]) {
        let empty = Bits(highest: rows.count - 1)
        self.rows = rows
        children = Array(repeating: empty, count: rows.count)
        descendants = children
        paths = children
        histories = children
        leaves = empty
        for (number, row) in rows.enumerated().dropFirst() {
            if row.isHistory {
                histories[row.parent].insert(number)
                continue
            }
            children[row.parent].insert(number)
            if row.kind == .atomic || row.kind == .final { leaves.insert(number) }
            paths[number] = paths[row.parent]
            paths[number].insert(number)
            var ancestor = row.parent
            while ancestor != 0 {
                descendants[ancestor].insert(number)
                ancestor = rows[ancestor].parent
            }
            descendants[0].insert(number)
        }
    }

    func state(_ number: Int) -> ChartTable<Bits>.State {
        let row = rows[number]
        return ChartTable<Bits>.State(
            kind: row.kind,
            parent: row.parent,
            entryStart: row.entry.lowerBound,
            entryEnd: row.entry.upperBound,
            exitStart: row.exit.lowerBound,
            exitEnd: row.exit.upperBound,
            done: row.done ?? -1,
            doneContent: row.doneContent ?? -1,
            initialTransition: row.initialTransition ?? -1,
            children: children[number],
            descendants: descendants[number],
            path: paths[number],
            histories: histories[number]
        )
    }
}
