import Cameras

/// Time, planned events and the end of a session.
extension SonyHTTPBody {
    // MARK: Time

    package var nextDeadline: Duration? {
        [poll?.until, running?.until, awaiting?.until, queue.map(\.until).min(), silenceEnd].compactMap(\.self)
            .reduce(schedule.nextTime) { $0.earlier($1) }
    }

    /// When the session ends because the initiator is silent; nil: not.
    var silenceEnd: Duration? {
        let isBusy = poll != nil || running != nil || awaiting != nil || liveView != nil
        return isSessionOpen && !isBusy ? calledAt + Self.silenceMax : nil
    }

    /// The time without a call after which the session ends. No source has a number. A body without stopRecMode has no
    /// other end.
    private static let silenceMax = Duration.seconds(10)

    package mutating func advance(to now: Duration) {
        while let (time, event) = schedule.takeNext(dueBy: now) {
            perform(event, at: time)
            turnDialForFrame(at: time)
        }
        endLateCalls(at: now)
        if let silenceEnd, silenceEnd <= now { endSession(isOrderly: !model.needsRecMode) }
        answerPoll(at: now)
    }

    private mutating func perform(_ event: ScheduledEvent, at now: Duration) {
        switch event {
        case .speedShows(let value): showSpeed(value)
        case .speedTurned(let value):
            outputs.append(.fact(.moved(value.ofBody)))
            showSpeed(value)
        case .speedFallsBack(let frame): fallBack(frame)
        case .valueShows(let stem, let value): show(stem, value)
        case .functionStarts: functionStarts(at: now)
        case .focusSettles: focusSettles(at: now)
        case .halfPressFocuses(let finds): setFocus(finds ? "Focused" : "Failed")
        case .shutterOpens: shutterOpens(at: now)
        case .shutterCloses: shutterCloses(at: now)
        case .darkFrameEnds: save(at: now)
        case .pictureSaved, .bodyRecovers: pictureSaved(at: now)
        case .becomesReady: becomesReady()
        case .dialTurns(let mode): dialTurns(to: mode)
        case .linkFails(let fault): outputs.append(.link(fault))
        case .trickle(let id, let bytes): trickle(bytes, on: id, at: now)
        case .liveViewFrame: sendLiveViewFrame(at: now)
        case .counterShows: showCounter(shotsShown - 1)
        }
    }

    // MARK: The session

    mutating func openSession(at now: Duration) {
        isSessionOpen = true
        // Each fault `modeAfter` turns the dial only once, in the first session.
        while let turn = faults.take({ if case .modeAfter(let delay, let mode) = $0 { (delay, mode) } else { nil } }) {
            schedule.plan(.dialTurns(turn.1), at: now + turn.0)
        }
    }

    mutating func endSession(isOrderly: Bool) {
        guard isSessionOpen else { return }
        isSessionOpen = false
        readings = SonyHTTPReadings()
        // URLs are valid for one session.
        postviews.removeAll()
        releaseHalfPress()
        outputs.append(.log(isOrderly ? "session ended" : "the initiator is silent: session ended"))
        outputs.append(.fact(.left(isOrderly: isOrderly)))
    }
}
