// MARK: - Microsteps

extension Machine {
    /// R8: leave, run the transitions' contents, enter.
    @inlinable
    mutating func microstep(
        _ origin: Origin,
        event: Int?,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        microstepCount += 1
        if microstepCount > limits.microstepsMax { return pass(.microsteps(limits.microstepsMax)) }
        recorder.microstepBegan(origin, event: event)
        for transition in chosen { recorder.transitionTaken(transition) }
        var exiting = exits[0]
        for exit in exits.dropFirst() { exiting.formUnion(exit) }
        if !exiting.isEmpty { leave(exiting, effects: &effects, recorder: &recorder) }
        for transition in chosen {
            let row = table.transitions[transition]
            run(row.contentStart, row.contentEnd, effects: &effects, recorder: &recorder)
        }
        planEntry()
        enterPlanned(effects: &effects, recorder: &recorder)
        assert(isLegal, "chart \(table.name): the configuration \(active.members) is not legal")
        recorder.microstepEnded()
    }

    /// R1: the root's initial states, by a transition from nowhere.
    @inlinable
    mutating func enterInitial(effects: inout [B.Effect], recorder: inout some StepRecorder) {
        recorder.microstepBegan(.start, event: nil)
        planInitial()
        enterPlanned(effects: &effects, recorder: &recorder)
        assert(isLegal, "chart \(table.name): the configuration \(active.members) is not legal")
        recorder.microstepEnded()
    }

    /// R9: records for histories, then `onexit`, innermost and last first.
    @inlinable
    mutating func leave(
        _ exiting: B.Chart.Bits,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        var next = exiting.last(before: table.states.count)
        while let state = next {
            next = exiting.last(before: state)
            if !table.states[state].histories.isEmpty { remember(state) }
        }
        next = exiting.last(before: table.states.count)
        while let state = next {
            next = exiting.last(before: state)
            run(table.states[state].exitStart, table.states[state].exitEnd, effects: &effects, recorder: &recorder)
            active.remove(state)
            recorder.stateExited(state)
        }
    }

    /// Writes down what is active in a state, for each of its histories.
    @usableFromInline
    mutating func remember(_ state: Int) {
        let histories = table.states[state].histories
        var next = histories.next(after: 0)
        while let history = next {
            next = histories.next(after: history)
            if table.rows[history].kind == .deepHistory {
                records[history] = active.intersection(table.states[state].descendants).intersection(table.leaves)
            } else {
                records[history] = active.intersection(table.states[state].children)
            }
        }
    }
}

// MARK: - Entering

extension Machine {
    /// R10: what the chosen transitions bring in.
    @inlinable
    mutating func planEntry() {
        let first = table.transitions[chosen[0]]
        if chosen.count == 1, !first.needsRecords {
            plan.reset(to: first.wanted, defaultEntry: first.defaultEntry)
        } else {
            planEntryByRecords()
        }
    }

    @usableFromInline
    mutating func planEntryByRecords() {
        let empty = B.Chart.Bits(highest: table.stateCount - 1)
        plan.reset(to: empty, defaultEntry: empty)
        for number in chosen where table.transitions[number].hasTargets {
            let transition = table.transitions[number]
            if !transition.needsRecords {
                plan.wanted.formUnion(transition.wanted)
                plan.defaultEntry.formUnion(transition.defaultEntry)
                continue
            }
            for target in table.targets[number] {
                plan.want(target, rows: table.rows, states: table.states, records: records)
            }
            // The records may have changed in this very microstep, and with them the domain.
            climb(from: effectiveTargets(table.targets[number]), to: domain(of: number))
        }
    }

    @usableFromInline
    mutating func planInitial() {
        let empty = B.Chart.Bits(highest: table.stateCount - 1)
        plan.reset(to: empty, defaultEntry: empty)
        for target in table.initial {
            plan.want(target, rows: table.rows, states: table.states, records: records)
        }
        climb(from: effectiveTargets(table.initial), to: 0)
    }

    @usableFromInline
    mutating func climb(from targets: B.Chart.Bits, to domain: Int) {
        var next = targets.next(after: 0)
        while let target = next {
            next = targets.next(after: target)
            plan.climb(from: target, to: domain, rows: table.rows, states: table.states, records: records)
        }
    }

    /// R11: enters what is planned and not active already, outermost and first first.
    @inlinable
    mutating func enterPlanned(effects: inout [B.Effect], recorder: inout some StepRecorder) {
        let entering = plan.wanted.subtracting(active)
        var next = entering.next(after: 0)
        while let state = next {
            next = entering.next(after: state)
            let row = table.states[state]
            active.insert(state)
            recorder.stateEntered(state)
            run(row.entryStart, row.entryEnd, effects: &effects, recorder: &recorder)
            if row.initialTransition >= 0, plan.defaultEntry.contains(state) {
                let content = table.transitions[row.initialTransition]
                run(content.contentStart, content.contentEnd, effects: &effects, recorder: &recorder)
            }
            if !plan.historyDefaults.isEmpty { runHistoryDefault(of: state, effects: &effects, recorder: &recorder) }
            if row.kind == .final { finish(row.parent, recorder: &recorder) }
        }
    }

    @inlinable
    mutating func runHistoryDefault(of state: Int, effects: inout [B.Effect], recorder: inout some StepRecorder) {
        for entry in plan.historyDefaults where entry.parent == state {
            let content = table.transitions[entry.transition]
            run(content.contentStart, content.contentEnd, effects: &effects, recorder: &recorder)
        }
    }

    /// R12: a final child of `state` was entered.
    @inlinable
    mutating func finish(_ state: Int, recorder: inout some StepRecorder) {
        guard state != 0 else {
            runs = false
            return
        }
        raiseDone(state, recorder: &recorder)
        var ancestor = table.states[state].parent
        // 3.4: a parallel is finished when all its children are, so this climbs through nested ones.
        while ancestor != 0, table.states[ancestor].kind == .parallel, isFinished(ancestor) {
            raiseDone(ancestor, recorder: &recorder)
            ancestor = table.states[ancestor].parent
        }
    }

    @inlinable
    mutating func raiseDone(_ state: Int, recorder: inout some StepRecorder) {
        let number = table.states[state].done
        guard number >= 0 else { return }
        raise(number, .done(B.Chart.State(tableNumber: state)), recorder: &recorder)
    }

    @usableFromInline
    func isFinished(_ state: Int) -> Bool {
        let children = table.states[state].children
        var next = children.next(after: 0)
        while let child = next {
            next = children.next(after: child)
            switch table.states[state].kind {
            case .compound: if active.contains(child), table.states[child].kind == .final { return true }
            case .parallel: if !isFinished(child) { return false }
            default: return false
            }
        }
        return table.states[state].kind == .parallel
    }

    /// 1.1: one child of the root and of every active compound, all children of every active parallel, no orphans.
    @usableFromInline var isLegal: Bool {
        var next = active.next(after: 0)
        while let state = next {
            next = active.next(after: state)
            let row = table.states[state]
            if row.parent != 0, !active.contains(row.parent) { return false }
            let children = row.children.intersection(active)
            switch row.kind {
            case .atomic, .final: break
            case .compound: if !hasOneMember(children) { return false }
            case .parallel: if children != row.children { return false }
            case .root, .shallowHistory, .deepHistory: return false
            }
        }
        return hasOneMember(active.intersection(table.states[0].children))
    }

    private func hasOneMember(_ set: B.Chart.Bits) -> Bool {
        guard let first = set.next(after: 0) else { return false }
        return set.next(after: first) == nil
    }
}

// MARK: - Content

extension Machine {
    /// Runs blocks `first ..< end` in order.
    @inlinable
    mutating func run(
        _ first: Int,
        _ end: Int,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        guard first < end else { return }
        for place in table.blockStart[first]..<table.blockStart[end] {
            execute(table.operations[place], effects: &effects, recorder: &recorder)
        }
    }

    @inlinable
    mutating func execute(_ operation: Operation, effects: inout [B.Effect], recorder: inout some StepRecorder) {
        switch operation {
        case .perform(let number):
            recorder.actionPerformed(number)
            behavior.perform(B.Chart.Action(tableNumber: number), current, &effects)
            if effects.count - effectsBase > limits.effectsMax { pass(.effects(limits.effectsMax)) }
        case .raise(let number):
            raise(number, .raised(B.Chart.Raised(tableNumber: number)), recorder: &recorder)
        case .send(let number, let id):
            recorder.eventSent(number, id: id, due: nil)
            let event = B.Chart.Event.raised(B.Chart.Raised(tableNumber: number))
            externalQueue.append(EventQueue.Entry(number: number, event: event))
            if externalQueue.count > limits.queuedEventsMax { pass(.queuedEvents(limits.queuedEventsMax)) }
        case .sendAfter(let milliseconds, let number, let id):
            arm(number, id: id, delay: .milliseconds(milliseconds), recorder: &recorder)
        case .sendAfterDelay(let delay, let number, let id):
            let duration = behavior.delay(B.Chart.Delay(tableNumber: delay))
            precondition(duration >= .zero, "a delay is not negative")
            arm(number, id: id, delay: duration, recorder: &recorder)
        case .cancel(let id):
            recorder.sendsCancelled(id: id, count: timers.cancel(id: id))
        case .log(let line):
            recorder.lineLogged(line)
        }
    }

    @inlinable
    mutating func raise(_ number: Int, _ event: B.Chart.Event, recorder: inout some StepRecorder) {
        recorder.eventRaised(number)
        internalQueue.append(EventQueue.Entry(number: number, event: event))
        if internalQueue.count > limits.queuedEventsMax { pass(.queuedEvents(limits.queuedEventsMax)) }
    }

    @inlinable
    mutating func arm(_ number: Int, id: Int?, delay: Duration, recorder: inout some StepRecorder) {
        let due = time + delay
        recorder.eventSent(number, id: id, due: due)
        timers.insert(TimerQueue.Entry(due: due, number: number, id: id))
        if timers.count > limits.timersMax { pass(.timers(limits.timersMax)) }
    }
}
