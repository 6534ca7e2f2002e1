import PTP

/// The events of the body.
extension NikonPTPIP {
    package mutating func receive(_ event: PTPEvent, at now: Duration) { note(NikonEvent(event), by: .packet, at: now) }

    mutating func finishEvents(_ form: NikonEventForm, _ result: OperationResult, in turn: inout DriverTurn) {
        guard result.isSuccess else { return noteFailedPoll(form, result, in: &turn) }
        let list = NikonEventList(decoding: result.data, form)
        let requestedAt = common.transactionSince
        body.poll = NikonPollTimes(requestedAt: requestedAt, receivedAt: turn.now, isEmpty: list.isEmpty)
        body.pauses += 1
        body.listsOfCommand += 1
        body.pollsFailSince = nil
        if let damage = list.damage { noteDamage(NikonSessionSentences.eventsDamaged(damage), in: &turn) }
        for event in list.events { note(event, by: .list, at: turn.now) }
        proveFrame(at: turn.now)
        refreshOne(at: turn.now)
    }

    /// Reads everything again, because the body reports each event once.
    private mutating func noteDamage(_ remark: String, in turn: inout DriverTurn) {
        note(remark: remark, in: &turn)
        lastFrame.update { $0.mayLackSigns = true }
        body.markUnread(body.properties)
        // The list of all files shows those that the damaged list announced.
        if mayListFiles { body.fileListDue = (at: turn.now, until: turn.now + timing.busy) }
    }

    /// Reports each remark once per session, because a body repeats its errors.
    mutating func note(remark: String, in turn: inout DriverTurn) {
        guard !body.remarks.contains(remark), body.remarks.count < NikonLimits.remarksMax else { return }
        body.remarks.insert(remark)
        turn.note(remark)
    }

    private mutating func note(_ event: NikonEvent, by way: NikonRecentEvents.Way, at now: Duration) {
        guard common.identity != nil, body.recentEvents.note(event, by: way, at: now, timing) else { return }
        switch event.meaning {
        case .objectAdded(let handle): noteObject(handle, .announced, at: now)
        case .objectInMemory(let handle): noteObject(handle, .inMemory, at: now)
        case .complete:
            lastFrame.update { frame in
                guard case .exposing = frame.stage, now >= frame.earliestEnd else { return }
                frame.completeAt = frame.completeAt ?? now
            }
        case .objectRemoved(let handle): files.noteRemoved(handle)
        case .propertyChanged(let code):
            if body.unshown(code) == nil, body.ownChanges.take(code, at: now, timing) { return }
            body.markUnread(NikonPropertyStore.affected(by: code))
        case .storeChanged:
            files.forgetHandles()
            body.markUnread([.nikonShotsLeft])
        case .storeFull: body.markUnread([.nikonShotsLeft])
        case .other: break
        }
        if way == .packet { proveFrame(at: now) }
    }

    /// Handles a request for a list that the body rejected. Bodies do that during an exposure, so the wait lasts until
    /// the end of a possible exposure plus a margin.
    private mutating func noteFailedPoll(_ form: NikonEventForm, _ result: OperationResult, in turn: inout DriverTurn) {
        body.retryPollAt = turn.now + timing.rejectedPoll
        let isDenied = result.code == .operationNotSupported || result.code == .accessDenied
        if isDenied, NikonEventForm.allCases.contains(where: { $0 != form && has($0.operation) }) {
            // The body may have the other form.
            body.denied.insert(form.operation)
            return
        }
        // The body has sent these events and does not repeat them.
        if !result.isComplete { noteDamage(NikonSessionSentences.eventsIncomplete, in: &turn) }
        guard let since = body.pollsFailSince else {
            body.pollsFailSince = turn.now
            return note(remark: NikonSessionSentences.eventsUnreadable(result.code), in: &turn)
        }
        let timeout = max(since, lastFrame.frame?.latestEnd ?? .zero) + timing.failingPolls
        if turn.now >= timeout {
            common.ending = .lose(.protocolError(NikonSessionSentences.eventsNotReported(result.code)))
        }
    }

    // MARK: Readiness

    mutating func finishReady(_ result: OperationResult, in turn: inout DriverTurn) {
        if result.code == .operationNotSupported { body.denied.insert(.nikonDeviceReady) }
        let report = NikonReadinessReport(
            requestedAt: common.transactionSince,
            receivedAt: turn.now,
            value: NikonReadiness(result.code),
            hasFired: !NikonFailures.meansNoRelease(result.code)
        )
        body.readiness = report
        if !isBusy(report.value, at: turn.now), body.busySince != nil {
            body.busySince = nil
            body.rejectedAt = .zero
        }
        guard let frame = lastFrame.frame, report.requestedAt >= frame.pressedAt, isOfThisSession(frame) else { return }
        if case .failed(let failure) = report.value, !report.hasFired, case .exposing = frame.stage {
            lastFrame.update { $0.failure = failure }
            lastFrame.update { $0.failedAt = turn.now }
        }
        if isReady(for: frame, at: turn.now) { lastFrame.update { $0.readyAt = $0.readyAt ?? turn.now } }
    }

    /// Whether the last answer of DeviceReady shows that the body has completed this frame. An unknown answer shows
    /// nothing while the shutter can be open.
    func isReady(for frame: NikonFrame, at now: Duration) -> Bool {
        guard let report = body.readiness, report.requestedAt >= frame.pressedAt else { return false }
        if case .failed = report.value, report.hasFired { return now >= frame.latestEnd }
        return !isBusy(report.value, at: now)
    }

    /// Some bodies report a silent release for ever, so that counts for a limited time.
    func isBusy(_ value: NikonReadiness, at now: Duration) -> Bool {
        guard value == .silentRelease else { return value.isBusy }
        return now < (lastFrame.frame?.latestEnd ?? .zero) + timing.silentRelease
    }

    /// The time of the next DeviceReady for a frame.
    func readyDue(for frame: NikonFrame, at now: Duration) -> Duration {
        let last = max(body.readiness?.receivedAt ?? .zero, frame.pressedAt)
        if now < frame.expectedEnd { return min(last + timing.exposurePoll, frame.expectedEnd) }
        let isNear = now < frame.expectedEnd + timing.near || frame.hasDarkFrame && isNearEnd(of: frame, at: now)
        return last + (isNear ? timing.nearReady : timing.readyPoll)
    }

    private func isNearEnd(of frame: NikonFrame, at now: Duration) -> Bool {
        now >= frame.pressedAt + frame.exposure * 2 && now < frame.latestEnd + timing.near
    }
}
