import JSON

/// The poll, the transfers, and the answers to the calls of a connected body.
extension SonyHTTP {
    // MARK: Requests beside the call

    /// Starts the poll and the next transfer if they are due.
    ///
    /// - Returns: the time of the next decision about them; nil: after an input.
    mutating func decideBeside(in turn: inout DriverTurn) -> Duration? {
        guard isConnected else { return nil }
        return startPoll(in: &turn).earlier(startTransfer(in: &turn))
    }

    private mutating func startPoll(in turn: inout DriverTurn) -> Duration? {
        guard requests.poll == nil else { return nil }
        guard !requests.isStateNeeded, turn.now >= requests.pollNotBefore else {
            lastFrame.update { $0.isWatched = false }
            return requests.isStateNeeded ? nil : requests.pollNotBefore
        }
        start(.poll, in: &turn)
        return nil
    }

    // MARK: Answers

    mutating func finishConnected(
        _ task: SonyHTTPTask,
        _ answer: SonyHTTPAnswer,
        since: Duration,
        in turn: inout DriverTurn
    ) {
        switch (task, answer) {
        case (.poll, _): finishPoll(answer, since: since, in: &turn)
        case (.state, .result(let result)):
            requests.isStateNeeded = false
            failedStates = 0
            adoptEvent(result, askedAt: since, isWhole: true, in: &turn)
        case (.state, .error(let error)):
            failedStates += 1
            if error.isPassing, failedStates < SonyHTTPLimits.failedStatesMax { break }
            lose(.protocolError(SonyHTTPSentences.refused(task.name, error)), in: &turn)
        case (.read(let property, let method), .result(let result)):
            state.adopt(result, of: property, by: method, askedAt: since, at: turn.now)
            adoptEvent([], askedAt: since, isWhole: false, in: &turn)
        case (.read(_, let method), .error(let error)) where !error.isPassing: refusedReaders.insert(method)
        case (.write(let property, let value, _), _): finishWrite(property, value, answer, since: since, in: &turn)
        case (.halfPress, _): finishHalfPress(answer, since: since, in: &turn)
        case (.cancelHalfPress, _): finishCancelHalfPress(answer, in: &turn)
        case (.take, _), (.awaitPicture, _): finishPicture(task, answer, since: since, in: &turn)
        case (.startLiveView, _), (.stopLiveView, _): finishLiveView(task, answer, at: turn.now)
        case (.contents, _), (.function, _): finishContents(task, answer, in: &turn)
        default: break
        }
    }

    private mutating func finishPoll(_ answer: SonyHTTPAnswer, since: Duration, in turn: inout DriverTurn) {
        switch answer {
        case .result(let result):
            requests.failedPolls = 0
            let before = state
            adoptEvent(result, askedAt: since, isWhole: false, in: &turn)
            // A body that answers at once without news is not asked at once again.
            if state.isSame(as: before) { requests.pollNotBefore = since + timing.emptyPoll }
        // No change within the body's time (API Reference: 2; Smart Remote 4: 1 or 2).
        case .error(.timeout), .error(.any):
            requests.failedPolls = 0
            requests.pollNotBefore = since + timing.emptyPoll
        case .error(.alreadyPolling):
            if !hasNotedOtherClient { turn.note(SonyHTTPSentences.otherClientPolls) }
            hasNotedOtherClient = true
            requests.pollNotBefore = turn.now + timing.displacedPoll
        case .error(let error): finishFailedPoll(error, in: &turn)
        }
    }

    private mutating func finishFailedPoll(_ error: SonyHTTPError, in turn: inout DriverTurn) {
        if error == .unsupportedVersion, let older = SonyHTTPEventSlot.version(before: eventVersion) {
            eventVersion = older
            return
        }
        requests.failedPolls += 1
        requests.pollNotBefore = turn.now + timing.emptyPoll
        guard requests.failedPolls > SonyHTTPLimits.failedPollsMax else { return }
        lose(.protocolError(SonyHTTPSentences.refused(SonyHTTPMethod.getEvent.rawValue, error)), in: &turn)
    }
}
