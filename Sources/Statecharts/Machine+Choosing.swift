/// The transitions of a microstep. Usually a microstep has only one transition, which needs no list.
@frozen
@usableFromInline
enum Choice: Sendable {
    case nothing
    case one(Int)
    /// The transitions in the machine's `chosen`.
    case several
}

// MARK: - Choosing

extension Machine {
    /// R5 and R6: selects the transitions for an event. Trigger 0 selects the eventless transitions.
    @inlinable
    mutating func choose(
        trigger: Int,
        recorder: inout some StepRecorder
    ) -> Choice {
        let handling = table.handling[trigger]
        guard handling.intersects(active) else { return .nothing }
        var choice = Choice.nothing
        let leaves = active.intersection(table.leaves)
        var next = leaves.next(after: 0)
        while let leaf = next {
            next = leaves.next(after: leaf)
            let path = table.states[leaf].path.intersection(handling)
            guard !path.isEmpty,
                let transition = firstEnabled(path, from: leaf, trigger: trigger, recorder: &recorder)
            else { continue }
            add(transition, to: &choice)
        }
        if case .several = choice { return resolveConflicts() }
        return choice
    }

    @inlinable
    mutating func add(_ transition: Int, to choice: inout Choice) {
        switch choice {
        case .nothing:
            choice = .one(transition)
        case .one(let first):
            if first == transition { return }
            chosen.removeAll(keepingCapacity: true)
            chosen.append(first)
            chosen.append(transition)
            choice = .several
        case .several:
            if !chosen.contains(transition) { chosen.append(transition) }
        }
    }

    @inlinable
    mutating func firstEnabled(
        _ path: B.Chart.Bits,
        from leaf: Int,
        trigger: Int,
        recorder: inout some StepRecorder
    ) -> Int? {
        // Ancestors have lower numbers, so the path to the root is in descending order.
        var next = path.last(before: leaf + 1)
        while let state = next {
            next = path.last(before: state)
            let cell = trigger * table.states.count + state
            for place in Int(table.candidateStart[cell])..<Int(table.candidateStart[cell + 1]) {
                let transition = Int(table.candidates[place])
                if holds(table.transitions[transition].condition, recorder: &recorder) { return transition }
            }
        }
        return nil
    }

    // The functions below are `mutating` even if they change nothing. Otherwise each call copies the machine.

    @inlinable
    mutating func holds(
        _ condition: Condition,
        recorder: inout some StepRecorder
    ) -> Bool {
        switch condition {
        case .always: true
        case .holds(let number): ask(B.Chart.Guard(tableNumber: number))
        case .fails(let number): !ask(B.Chart.Guard(tableNumber: number))
        case .active(let state): active.contains(state)
        case .inactive(let state): !active.contains(state)
        case .evaluates(let number): evaluate(number, recorder: &recorder)
        }
    }

    @inlinable
    mutating func ask(_ name: B.Chart.Guard) -> Bool {
        isKept ? behavior.holds(name, kept) : behavior.holds(name, nil)
    }

    /// R16: if the evaluation of a condition fails, the condition does not hold, and an error event is raised.
    @usableFromInline
    mutating func evaluate(
        _ condition: Int,
        recorder: inout some StepRecorder
    ) -> Bool {
        do throws(B.Failure) {
            return try behavior.evaluate(condition: condition, at: Moment(event: isKept ? kept : nil, active: active))
        } catch {
            raise(behavior.event(for: error), recorder: &recorder)
            return false
        }
    }

    /// The exit set of a transition: the active states below its domain.
    @inlinable
    mutating func exitSet(of number: Int) -> B.Chart.Bits {
        if table.transitions[number].needsRecords {
            return table.states[domain(of: number)].descendants.intersection(active)
        }
        return table.transitions[number].exit.intersection(active)
    }

    /// R7: the domain of a transition whose domain depends on a history's record.
    @usableFromInline
    mutating func domain(of number: Int) -> Int {
        let transition = table.transitions[number]
        return ChartTable<B.Chart.Bits>.domain(
            source: transition.source,
            isInternal: transition.isInternal,
            effective: effectiveTargets(table.targets[number]),
            states: table.states
        )
    }

    /// The effective targets: each history is replaced by its record or its default.
    @usableFromInline
    mutating func effectiveTargets(_ targets: [Int]) -> B.Chart.Bits {
        var result = B.Chart.Bits(highest: table.stateCount - 1)
        for target in targets {
            if !table.rows[target].isHistory {
                result.insert(target)
            } else if !records[target].isEmpty {
                result.formUnion(records[target])
            } else {
                result.formUnion(effectiveTargets(table.rows[target].initial))
            }
        }
        return result
    }

    /// R6 for all chosen transitions. A deeper one can preempt several earlier ones. A preempted one preempts none.
    @usableFromInline
    mutating func resolveConflicts() -> Choice {
        var exits: [B.Chart.Bits] = []
        for transition in chosen { exits.append(exitSet(of: transition)) }
        var kept: [Int] = []
        for candidate in chosen.indices {
            var displaced: [Int] = []
            var isDropped = false
            for other in kept where exits[other].intersects(exits[candidate]) {
                let outer = table.transitions[chosen[other]].source
                if table.states[outer].descendants.contains(table.transitions[chosen[candidate]].source) {
                    displaced.append(other)
                } else {
                    isDropped = true
                    break
                }
            }
            if isDropped { continue }
            kept.removeAll { displaced.contains($0) }
            kept.append(candidate)
        }
        if kept.count == 1 { return .one(chosen[kept[0]]) }
        if kept.count < chosen.count { chosen = kept.map { chosen[$0] } }
        return .several
    }
}
