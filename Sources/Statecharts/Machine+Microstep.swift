// MARK: - Microsteps

extension Machine {
    /// R8: exits states, executes the content of the transitions, and enters states.
    @inlinable
    mutating func microstep(
        _ origin: Origin,
        _ choice: Choice,
        number: Int?,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        microstepCount += 1
        if microstepCount > limits.microstepsMax { return pass(.microsteps(limits.microstepsMax)) }
        recorder.microstepBegan(origin, event: number)
        if case .one(let transition) = choice {
            takeOne(transition, effects: &effects, recorder: &recorder)
        } else {
            takeSeveral(effects: &effects, recorder: &recorder)
        }
        assert(table.isLegal(active), "chart \(table.name): the configuration \(active.members) is not legal")
        recorder.microstepEnded()
    }

    @inlinable
    mutating func takeOne(
        _ transition: Int,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        recorder.transitionTaken(transition)
        let exiting = exitSet(of: transition)
        if !exiting.isEmpty { leave(exiting, effects: &effects, recorder: &recorder) }
        runContent(of: transition, effects: &effects, recorder: &recorder)
        if table.transitions[transition].needsRecords {
            planEntry(of: transition)
            enterPlanned(effects: &effects, recorder: &recorder)
        } else {
            let entering = table.transitions[transition].wanted.subtracting(active)
            let byDefault = table.transitions[transition].defaultEntry
            enter(entering, byDefault: byDefault, effects: &effects, recorder: &recorder)
        }
    }

    @usableFromInline
    mutating func takeSeveral(
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        var exiting = B.Chart.Bits(highest: table.stateCount - 1)
        for transition in chosen {
            recorder.transitionTaken(transition)
            exiting.formUnion(exitSet(of: transition))
        }
        if !exiting.isEmpty { leave(exiting, effects: &effects, recorder: &recorder) }
        for place in chosen.indices {
            runContent(of: chosen[place], effects: &effects, recorder: &recorder)
        }
        resetPlan()
        for transition in chosen { planEntry(adding: transition) }
        enterPlanned(effects: &effects, recorder: &recorder)
    }

    @inlinable
    mutating func runContent(
        of transition: Int,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        let (first, end) = (table.transitions[transition].contentStart, table.transitions[transition].contentEnd)
        run(first, end, effects: &effects, recorder: &recorder)
    }

    /// R1: enters the initial states of the root, as if by a transition without source.
    @inlinable
    mutating func enterInitial(effects: inout [B.Effect], recorder: inout some StepRecorder) {
        recorder.microstepBegan(.start, event: nil)
        run(table.states[0].entryStart, table.states[0].entryEnd, effects: &effects, recorder: &recorder)
        planInitial()
        enterPlanned(effects: &effects, recorder: &recorder)
        assert(table.isLegal(active), "chart \(table.name): the configuration \(active.members) is not legal")
        recorder.microstepEnded()
    }

    /// R9: records the histories, then executes `onexit`, both in reverse document order.
    @inlinable
    mutating func leave(
        _ exiting: B.Chart.Bits,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        let remembering = exiting.intersection(table.remembering)
        var next = remembering.next(after: 0)
        while let state = next {
            next = remembering.next(after: state)
            remember(state)
        }
        next = exiting.last(before: table.states.count)
        while let state = next {
            next = exiting.last(before: state)
            let (first, end) = (table.states[state].exitStart, table.states[state].exitEnd)
            run(first, end, effects: &effects, recorder: &recorder)
            active.remove(state)
            recorder.stateExited(state)
        }
    }

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
    /// R10: the entry set of a transition that depends on a history's record.
    @usableFromInline
    mutating func planEntry(of transition: Int) {
        resetPlan()
        planEntry(adding: transition)
    }

    @usableFromInline
    mutating func resetPlan() {
        let empty = B.Chart.Bits(highest: table.stateCount - 1)
        plan.reset(to: empty, defaultEntry: empty)
    }

    @usableFromInline
    mutating func planEntry(adding number: Int) {
        let transition = table.transitions[number]
        guard transition.needsRecords else {
            plan.wanted.formUnion(transition.wanted)
            plan.defaultEntry.formUnion(transition.defaultEntry)
            return
        }
        for target in table.targets[number] {
            plan.want(target, rows: table.rows, states: table.states, records: records)
        }
        // This microstep can have changed the records. So the domain is computed again.
        climb(from: effectiveTargets(table.targets[number]), to: domain(of: number))
    }

    @usableFromInline
    mutating func planInitial() {
        resetPlan()
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

    @usableFromInline
    mutating func enterPlanned(
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        let entering = plan.wanted.subtracting(active)
        enter(entering, byDefault: plan.defaultEntry, effects: &effects, recorder: &recorder)
        plan.historyDefaults.removeAll(keepingCapacity: true)
    }

    /// R11: enters states in document order.
    @inlinable
    mutating func enter(
        _ entering: B.Chart.Bits,
        byDefault: B.Chart.Bits,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        var next = entering.next(after: 0)
        while let state = next {
            next = entering.next(after: state)
            active.insert(state)
            recorder.stateEntered(state)
            let (first, end) = (table.states[state].entryStart, table.states[state].entryEnd)
            run(first, end, effects: &effects, recorder: &recorder)
            let initial = table.states[state].initialTransition
            if initial >= 0, byDefault.contains(state) {
                runContent(of: initial, effects: &effects, recorder: &recorder)
            }
            if !plan.historyDefaults.isEmpty {
                runHistoryDefault(of: state, effects: &effects, recorder: &recorder)
            }
            if table.states[state].kind == .final {
                finish(by: state, effects: &effects, recorder: &recorder)
            }
        }
    }

    @usableFromInline
    mutating func runHistoryDefault(
        of state: Int,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        for entry in plan.historyDefaults where entry.parent == state {
            runContent(of: entry.transition, effects: &effects, recorder: &recorder)
        }
    }

    /// R12: handles the entry of a final state.
    @inlinable
    mutating func finish(
        by final: Int,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        let state = table.states[final].parent
        guard state != 0 else {
            runs = false
            return
        }
        let content = table.states[final].doneContent
        if content < 0 || !evaluate(content, effects: &effects, recorder: &recorder) {
            raiseDone(state, recorder: &recorder)
        }
        var ancestor = table.states[state].parent
        // SCXML 3.4: a parallel is finished when all its children are finished. This can finish its parent too.
        while ancestor != 0, table.states[ancestor].kind == .parallel, isFinished(ancestor) {
            raiseDone(ancestor, recorder: &recorder)
            ancestor = table.states[ancestor].parent
        }
    }

    @inlinable
    mutating func raiseDone(_ state: Int, recorder: inout some StepRecorder) {
        let number = table.states[state].done
        guard number >= 0 else { return }
        raise(QueuedEvent(number, .done(B.Chart.State(tableNumber: state))), recorder: &recorder)
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
}

// MARK: - Content

extension Machine {
    /// Executes the blocks `first ..< end` in order. An error ends only the block in which it happens (R16).
    @inlinable
    mutating func run(
        _ first: Int,
        _ end: Int,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        for block in first..<end {
            for place in table.blockStart[block]..<table.blockStart[block + 1] {
                guard execute(table.operations[place], effects: &effects, recorder: &recorder) else { break }
            }
        }
    }

    /// Executes one operation. Returns false after an error.
    @inlinable
    mutating func execute(
        _ operation: Operation,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) -> Bool {
        switch operation {
        case .perform(let number):
            recorder.actionPerformed(number)
            let name = B.Chart.Action(tableNumber: number)
            if isKept { behavior.perform(name, kept, &effects) } else { behavior.perform(name, nil, &effects) }
            if effects.count - effectsBase > limits.effectsMax { pass(.effects(limits.effectsMax)) }
        case .raise(let number):
            raise(QueuedEvent(number, .raised(B.Chart.Raised(tableNumber: number))), recorder: &recorder)
        case .send(let number, let id):
            send(QueuedEvent(number, .raised(B.Chart.Raised(tableNumber: number))), id: id, recorder: &recorder)
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
        case .evaluate(let content):
            return evaluate(content, effects: &effects, recorder: &recorder)
        }
        return true
    }

    /// Executes content of the data model, then the content's requests. A failure raises an error event. Returns false
    /// after an error.
    @usableFromInline
    mutating func evaluate(
        _ content: Int,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) -> Bool {
        var outbox = Outbox<B.Chart>()
        do throws(B.Failure) {
            try behavior.evaluate(
                content: content,
                at: Moment(event: isKept ? kept : nil, active: active),
                into: &outbox
            )
            empty(outbox, effects: &effects, recorder: &recorder)
            return true
        } catch {
            empty(outbox, effects: &effects, recorder: &recorder)
            raise(behavior.event(for: error), recorder: &recorder)
            return false
        }
    }

    @usableFromInline
    mutating func empty(
        _ outbox: Outbox<B.Chart>,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        for item in outbox.items {
            switch item {
            case .raise(let queued): raise(queued, recorder: &recorder)
            case .send(let queued, let id): send(queued, id: id, recorder: &recorder)
            case .arm(let timer, let number, let place, let id, let delay):
                let entry = TimerQueue<B.Chart>.Entry(
                    due: time + delay,
                    id: id,
                    number: number,
                    place: place,
                    timer: timer
                )
                arm(entry, recorder: &recorder)
            case .operation(let operation): _ = execute(operation, effects: &effects, recorder: &recorder)
            }
        }
    }

    @inlinable
    mutating func raise(_ event: QueuedEvent<B.Chart>, recorder: inout some StepRecorder) {
        recorder.eventRaised(event.number)
        internalQueue.append(event)
        if internalQueue.count > limits.queuedEventsMax { pass(.queuedEvents(limits.queuedEventsMax)) }
    }

    @inlinable
    mutating func send(_ event: QueuedEvent<B.Chart>, id: Int?, recorder: inout some StepRecorder) {
        recorder.eventSent(event.number, id: id, due: nil)
        externalQueue.append(event)
        if externalQueue.count > limits.queuedEventsMax { pass(.queuedEvents(limits.queuedEventsMax)) }
    }

    @inlinable
    mutating func arm(_ number: Int, id: Int?, delay: Duration, recorder: inout some StepRecorder) {
        let timer = B.Chart.Timer(tableNumber: number)
        let due = time + delay
        arm(TimerQueue.Entry(due: due, id: id, number: number, place: number, timer: timer), recorder: &recorder)
    }

    @inlinable
    mutating func arm(_ entry: TimerQueue<B.Chart>.Entry, recorder: inout some StepRecorder) {
        recorder.eventSent(entry.number, id: entry.id, due: entry.due)
        timers.insert(entry)
        if timers.count > limits.timersMax { pass(.timers(limits.timersMax)) }
    }
}
