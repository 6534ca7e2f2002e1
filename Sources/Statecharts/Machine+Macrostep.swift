// MARK: - Macrosteps

extension Machine {
    @inlinable
    mutating func beginMacrostep(_ cause: Cause, effects: Int, recorder: inout some StepRecorder) {
        microstepCount = 0
        effectsBase = effects
        recorder.macrostepBegan(cause, at: time)
    }

    /// Chooses for one event and takes what was chosen.
    @inlinable
    mutating func take(
        _ origin: Origin,
        number: Int,
        event: B.Chart.Event,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        current = event
        if choose(trigger: number + 1) {
            microstep(origin, event: number, effects: &effects, recorder: &recorder)
        } else {
            recorder.eventDropped(origin, event: number)
        }
    }

    /// R2: eventless transitions first, then internal events, until neither is left; then R13 if the chart ended.
    @inlinable
    mutating func settle(effects: inout [B.Effect], recorder: inout some StepRecorder) {
        while isRunning, overrun == nil {
            if choose(trigger: 0) {
                microstep(.eventless, event: nil, effects: &effects, recorder: &recorder)
            } else if let next = internalQueue.popFirst() {
                take(.internal, number: next.number, event: next.event, effects: &effects, recorder: &recorder)
            } else {
                break
            }
        }
        if !isRunning, overrun == nil { stop(effects: &effects, recorder: &recorder) }
        recorder.macrostepEnded()
        if let passed, limits.traps { trap(passed, recorder: recorder) }
    }

    /// Delivers what the chart sent itself: first what had no delay, then what falls due, a macrostep each. The next
    /// is taken only when the one before is done, for it may have cancelled it.
    @inlinable
    mutating func deliver(until limit: Duration, effects: inout [B.Effect], recorder: inout some StepRecorder) {
        var deliveries = 0
        while isRunning, overrun == nil {
            if let next = externalQueue.popFirst() {
                beginMacrostep(.sent(event: next.number), effects: effects.count, recorder: &recorder)
                take(.external, number: next.number, event: next.event, effects: &effects, recorder: &recorder)
            } else if let next = timers.popDue(by: limit) {
                if next.due > time {
                    time = next.due
                    deliveries = 0
                }
                let event = B.Chart.Event.timer(B.Chart.Timer(tableNumber: next.number))
                beginMacrostep(.timer(event: next.number, id: next.id), effects: effects.count, recorder: &recorder)
                take(.external, number: next.number, event: event, effects: &effects, recorder: &recorder)
            } else {
                break
            }
            deliveries += 1
            if deliveries > limits.deliveriesPerInstantMax { pass(.deliveries(limits.deliveriesPerInstantMax)) }
            settle(effects: &effects, recorder: &recorder)
        }
        if time < limit { time = limit }
    }

    /// R13: leaves everything. What was active is remembered, for it is what the machine reports from now on.
    @inlinable
    mutating func stop(effects: inout [B.Effect], recorder: inout some StepRecorder) {
        lastActive = active
        recorder.microstepBegan(.stop, event: nil)
        leave(active, effects: &effects, recorder: &recorder)
        recorder.microstepEnded()
        internalQueue.removeAll()
        externalQueue.removeAll()
        timers.removeAll()
    }

    @inlinable
    mutating func pass(_ limit: Overrun) {
        if passed == nil { passed = limit }
    }

    /// A limit is passed only by a chart or a behavior that is wrong.
    @usableFromInline
    func trap(_ overrun: Overrun, recorder: some StepRecorder) -> Never {
        // Unlike preconditionFailure this prints its message in release builds too, and without the message nobody
        // learns which chart ran in circles.
        fatalError("chart \(table.name): \(overrun). Last record: \(recorder.lastRecord)")
    }
}

// MARK: - Choosing

extension Machine {
    /// R5 and R6: fills `chosen` and `exits`; says whether there is anything to take.
    @inlinable
    mutating func choose(trigger: Int) -> Bool {
        guard table.handling[trigger].intersects(active) else { return false }
        chosen.removeAll(keepingCapacity: true)
        let leaves = active.intersection(table.leaves)
        var next = leaves.next(after: 0)
        while let leaf = next {
            next = leaves.next(after: leaf)
            if let transition = firstEnabled(from: leaf, trigger: trigger), !chosen.contains(transition) {
                chosen.append(transition)
            }
        }
        guard !chosen.isEmpty else { return false }
        exits.removeAll(keepingCapacity: true)
        for transition in chosen { exits.append(exitSet(of: transition)) }
        if chosen.count > 1 { resolveConflicts() }
        return true
    }

    /// The first transition that may be taken on the way from a leaf to the root.
    @inlinable
    func firstEnabled(from leaf: Int, trigger: Int) -> Int? {
        let path = table.states[leaf].path.intersection(table.handling[trigger])
        // Ancestors have lower numbers, so the way up is the way down in numbers.
        var next = path.last(before: leaf + 1)
        while let state = next {
            next = path.last(before: state)
            let cell = trigger * table.states.count + state
            for place in Int(table.candidateStart[cell])..<Int(table.candidateStart[cell + 1]) {
                let transition = Int(table.candidates[place])
                if holds(table.transitions[transition].condition) { return transition }
            }
        }
        return nil
    }

    @inlinable
    func holds(_ condition: Condition) -> Bool {
        switch condition {
        case .always: true
        case .holds(let number): behavior.holds(B.Chart.Guard(tableNumber: number), current)
        case .fails(let number): !behavior.holds(B.Chart.Guard(tableNumber: number), current)
        case .active(let state): active.contains(state)
        case .inactive(let state): !active.contains(state)
        }
    }

    /// What a transition leaves: the active states below its domain.
    @inlinable
    func exitSet(of number: Int) -> B.Chart.Bits {
        let transition = table.transitions[number]
        guard transition.needsRecords else { return transition.exit.intersection(active) }
        return table.states[domain(of: number)].descendants.intersection(active)
    }

    /// R7 where a history's record has a say.
    @usableFromInline
    func domain(of number: Int) -> Int {
        let transition = table.transitions[number]
        return ChartTable<B.Chart.Bits>.domain(
            source: transition.source,
            isInternal: transition.isInternal,
            effective: effectiveTargets(table.targets[number]),
            states: table.states
        )
    }

    /// What targets really mean: histories replaced by their records or defaults.
    @usableFromInline
    func effectiveTargets(_ targets: [Int]) -> B.Chart.Bits {
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

    /// R6 over the whole list: a later, deeper transition may displace several; one that is dropped displaces none.
    @usableFromInline
    mutating func resolveConflicts() {
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
        guard kept.count < chosen.count else { return }
        chosen = kept.map { chosen[$0] }
        exits = kept.map { exits[$0] }
    }
}
