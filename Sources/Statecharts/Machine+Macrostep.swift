// MARK: - Macrosteps

// `kept` holds the current event if a guard or action can read the event (`isKept`). As a parameter, the event would be
// copied at every call, and events can be large.

extension Machine {
    @inlinable
    mutating func beginMacrostep(_ cause: Cause, effects: Int, recorder: inout some StepRecorder) {
        microstepCount = 0
        effectsBase = effects
        recorder.macrostepBegan(cause, at: time)
    }

    @inlinable
    mutating func take(
        _ origin: Origin,
        number: Int,
        place: Int,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        let choice = choose(trigger: place + 1, recorder: &recorder)
        if case .nothing = choice {
            // Events without a transition count too, because a guard that always fails raises an error event each time.
            microstepCount += 1
            if microstepCount > limits.microstepsMax { pass(.microsteps(limits.microstepsMax)) }
            recorder.eventDropped(origin, event: number)
        } else {
            microstep(origin, choice, number: number, effects: &effects, recorder: &recorder)
        }
    }

    /// R2: handles eventless transitions first, then internal events, until none is left. R13 if the chart ended.
    @inlinable
    mutating func settle(
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        settleEventless(effects: &effects, recorder: &recorder)
        if !isRunning, overrun == nil { stop(effects: &effects, recorder: &recorder) }
        while isRunning, overrun == nil, !internalQueue.isEmpty {
            let next = internalQueue.removeFirst()
            isKept = B.Chart.keeps(next.number)
            if isKept { kept = next.event }
            take(.internal, number: next.number, place: next.place, effects: &effects, recorder: &recorder)
            settleEventless(effects: &effects, recorder: &recorder)
            if !isRunning, overrun == nil { stop(effects: &effects, recorder: &recorder) }
        }
        recorder.macrostepEnded()
        if let passed, limits.traps { trap(passed, recorder: recorder) }
    }

    @inlinable
    mutating func settleEventless(
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        while isRunning, overrun == nil {
            let choice = choose(trigger: 0, recorder: &recorder)
            if case .nothing = choice { return }
            microstep(.eventless, choice, number: nil, effects: &effects, recorder: &recorder)
        }
    }

    /// Delivers the events that the chart sent itself, one macrostep each: first those without delay, then those that
    /// are due. Each event is fetched only after the previous macrostep, which can cancel it.
    @inlinable
    mutating func deliver(until limit: Duration, effects: inout [B.Effect], recorder: inout some StepRecorder) {
        var deliveries = 0
        while isRunning, overrun == nil {
            if !externalQueue.isEmpty {
                let next = externalQueue.removeFirst()
                guard countDelivery(&deliveries) else { break }
                beginMacrostep(.sent(event: next.number), effects: effects.count, recorder: &recorder)
                isKept = B.Chart.keeps(next.number)
                if isKept { kept = next.event }
                complete(number: next.number, place: next.place, effects: &effects, recorder: &recorder)
            } else if timers.isDue(by: limit) {
                let next = timers.removeNext()
                if next.due > time {
                    time = next.due
                    deliveries = 0
                }
                guard countDelivery(&deliveries) else { break }
                let cause = Cause.timer(event: next.number, id: next.id)
                beginMacrostep(cause, effects: effects.count, recorder: &recorder)
                isKept = B.Chart.keeps(next.number)
                if isKept { kept = .timer(next.timer) }
                complete(number: next.number, place: next.place, effects: &effects, recorder: &recorder)
            } else {
                break
            }
        }
        if let passed, limits.traps { trap(passed, recorder: recorder) }
        // The clock of a machine that exceeded a limit does not advance, because this machine is stopped.
        if time < limit, overrun == nil { time = limit }
    }

    /// Runs the complete macrostep of one external event.
    @inlinable
    mutating func complete(
        number: Int,
        place: Int,
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
        take(.external, number: number, place: place, effects: &effects, recorder: &recorder)
        settle(effects: &effects, recorder: &recorder)
    }

    /// Whether the limits allow one more delivery.
    @inlinable
    mutating func countDelivery(_ atOnce: inout Int) -> Bool {
        atOnce += 1
        deliveryCount += 1
        if deliveryCount > limits.deliveriesMax { pass(.deliveries(limits.deliveriesMax)) }
        if atOnce > limits.deliveriesPerInstantMax { pass(.deliveriesAtOnce(limits.deliveriesPerInstantMax)) }
        return overrun == nil
    }

    /// R13: exits all states. The machine keeps and reports the states that were active.
    @inlinable
    mutating func stop(
        effects: inout [B.Effect],
        recorder: inout some StepRecorder
    ) {
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

    /// Ends the program after an exceeded limit, because the machine cannot continue.
    @usableFromInline
    func trap(_ overrun: Overrun, recorder: some StepRecorder) -> Never {
        let message = "chart \(table.name): \(overrun). Last record: \(recorder.lastRecord)"
        // A chart or its behavior has an endless loop: our error, after which no state is right.
        // Only `fatalError` prints the message in release builds too.
        fatalError(message)
    }
}
