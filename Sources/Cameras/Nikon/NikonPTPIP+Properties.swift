import PTP

/// The properties of the body: their readings, and the reports to the core.
extension NikonPTPIP {
    /// Notes a reading, or that the body does not have the property.
    mutating func adoptReading(
        _ task: NikonTask,
        of code: PropertyCode,
        _ result: OperationResult,
        in turn: inout DriverTurn
    ) {
        body.unread.removeAll { $0 == code }
        let requestedAt = common.transactionSince
        do throws(NikonValueError) {
            switch (result.isSuccess, task) {
            case (true, .describe):
                try body.store.note(descriptor: result.data, of: code, at: requestedAt)
                if code == .nikonShutterSpeed { body.ignore(.exposureTime) }
            case (true, _): try body.store.note(value: result.data, of: code, at: requestedAt)
            case (false, _):
                // The body may reject a known property for a moment.
                if body.store[code] == nil { body.store.noteMissing(code) }
            }
        } catch {
            note(error, in: &turn)
        }
        let value = body.store[code]?.value
        body.unshown.removeAll {
            $0.write.code == code && requestedAt >= $0.at && value == $0.write.value.integer
        }
    }

    mutating func note(_ error: NikonValueError, in turn: inout DriverTurn) {
        note(remark: error.sentence, in: &turn)
    }

    mutating func finishReading(
        _ task: NikonTask,
        of code: PropertyCode,
        _ result: OperationResult,
        in turn: inout DriverTurn
    ) {
        if code == .nikonShotsLeft { body.countRequestedAt = common.transactionSince }
        if !result.isSuccess { body.rejectedAt = turn.now }
        if result.code == .deviceBusy {
            if body.unread.contains(code) { body.unreadBusySince = body.unreadBusySince ?? turn.now }
            return noteBusy(at: turn.now)
        }
        body.unreadBusySince = nil
        adoptReading(task, of: code, result, in: &turn)
        guard result.isSuccess else { return }
        if code == .nikonShotsLeft { noteCount(at: turn.now) }
        if case .readingSpeed(let ticket, let since) = activity, code == body.store.speedCode,
            common.transactionSince >= since, let speed = body.store.speed
        {
            turn.report(.speedRead(speed), ticket)
        }
    }

    /// Notes that the body rejected a request as busy. Another request follows when DeviceReady shows that it is ready.
    mutating func noteBusy(at now: Duration) {
        body.busySince = body.busySince ?? now
        body.rejectedAt = now
    }

    /// The next step before a request that the body rejected; nil: the request can be made.
    mutating func decideBusy(at now: Duration) -> NikonNextAction? {
        guard let busySince = body.busySince, has(.nikonDeviceReady) else {
            let due = body.rejectedAt + timing.busyPause
            if now < due { return .wait(until: due) }
            body.busySince = nil
            return nil
        }
        let last = max(body.readiness?.receivedAt ?? .zero, body.rejectedAt)
        let due = last + (now < busySince + timing.near ? timing.nearReady : timing.readyPoll)
        return now < due ? .wait(until: due) : .perform(.ready)
    }

    // MARK: What is read next

    /// The next property to read again, if the present command allows it. A property that stays busy is dropped.
    mutating func nextUnread(in turn: inout DriverTurn) -> PropertyCode? {
        if let since = body.unreadBusySince, turn.now >= since + timing.gate, let code = body.unread.first {
            body.unreadBusySince = nil
            body.unread.removeFirst()
            note(remark: NikonSessionSentences.propertyBusy(code), in: &turn)
        }
        guard !isExposing else { return nil }
        if case .capturing = activity { return body.unread.first { $0 == .nikonShotsLeft } }
        return body.unread.first
    }

    /// Reads one property of an idle body from time to time.
    mutating func refreshOne(at now: Duration) {
        guard isIdle, now >= body.refreshAt, !body.properties.isEmpty else { return }
        body.refreshAt = now + timing.refresh
        body.refreshIndex = (body.refreshIndex + 1) % body.properties.count
        body.markUnread([body.properties[body.refreshIndex]])
    }

    /// Reads a written value that no command awaits any more, when it must have shown.
    mutating func settleUnshown(at now: Duration) {
        if case .setting = activity { return }
        let settled = body.unshown.filter { now >= $0.at + timing.confirm }
        guard !settled.isEmpty else { return }
        body.unshown.removeAll { now >= $0.at + timing.confirm }
        body.markUnread(settled.map(\.write.code))
    }

    /// Begins to read all properties, if a question waits for that.
    mutating func beginReadingAll(at now: Duration) {
        guard body.readAllSince == nil, !statusQuestions.isEmpty else { return }
        body.readAllSince = now
        body.markUnread(body.properties)
    }

    // MARK: Reports to the core

    /// The status. A release to the card does not depend on the save target of the body. 0x9207 releases without
    /// autofocus; 0x100E has no such parameter.
    var status: CameraStatus {
        var status = body.store.status
        status.focusesForFrames =
            known.needsAutofocus || body.quirks.needsAutofocus || shutterForm == .standard
        if shutterForm == .toMedia { status.savesToHostAlone = false }
        return status
    }

    /// Reports what has changed. The mode and the speed belong together.
    mutating func reportChanges(in turn: inout DriverTurn) {
        guard !body.isSpeedInDoubt, !isExposing else { return }
        guard body.store.revision != body.checkedRevision || body.readAllSince != nil else { return }
        reportProperties(in: &turn)
        let status = self.status
        if let since = body.readAllSince, body.unread.isEmpty {
            body.readAllSince = nil
            statusQuestions.answer(status, after: body.reported, requestedAt: since, in: &turn)
        } else if status != body.reported {
            turn.report(.status(status), nil)
        }
        body.reported = status
        body.checkedRevision = body.store.revision
    }

    /// Reports the properties that changed since the last report. The answer to a command reports the property that the
    /// command sets. The first report is always complete.
    mutating func reportProperties(in turn: inout DriverTurn) {
        guard body.store.revision != body.reportedRevision else { return }
        let inWork = activity.propertyInWork
        if inWork == nil { body.reportedRevision = body.store.revision }
        let changes = body.store.states.filter { state in
            state.property != inWork && !body.reportedStates.contains(state)
        }
        for state in changes { noteReported(state) }
        if !changes.isEmpty { turn.report(.properties(changes), nil) }
    }

    /// Notes that a property was reported.
    mutating func noteReported(_ state: PropertyState) {
        body.reportedStates.removeAll { $0.property == state.property }
        body.reportedStates.append(state)
    }
}

extension NikonActivity {
    fileprivate var propertyInWork: CameraProperty? {
        guard case .setting(let setting) = self, case .property = setting.target, case .confirming = setting.step else {
            return nil
        }
        return setting.target.property
    }
}
