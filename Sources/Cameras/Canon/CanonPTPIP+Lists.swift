import PTP

/// Event lists: the reports of the body.
extension CanonPTPIP {
    /// EOS bodies normally send no event packets. If one comes, it announces a change.
    package mutating func receive(_ event: PTPEvent, at now: Duration) { body.hasEvent = true }

    mutating func finishList(_ result: OperationResult, in turn: inout DriverTurn) {
        guard adoptList(result, in: &turn) != nil else { return noteFailedList(result, in: &turn) }
        guard common.isConnected else { return }
        proveFrame(at: turn.now)
        reportStatus(in: &turn)
        if case .readingSpeed(let ticket, let since) = activity, common.transactionSince >= since,
            let speed = body.reported?.speed
        {
            turn.report(.speedRead(speed), ticket)
        }
    }

    /// Decodes a list and notes its records; nil: the answer contained no list.
    mutating func adoptList(_ result: OperationResult, in turn: inout DriverTurn) -> CanonEventList? {
        guard result.isSuccess else { return nil }
        let list = CanonEventList(decoding: result.data)
        report(list, in: &turn)
        for record in list.records { note(record, at: turn.now) }
        let requestedAt = common.transactionSince
        body.list = CanonListTimes(requestedAt: requestedAt, receivedAt: turn.now, isEmpty: list.isEmpty)
        body.emptyLists = list.isEmpty ? body.emptyLists + 1 : 0
        body.filledLists = list.isEmpty ? 0 : body.filledLists + 1
        body.pauses = body.hasReportedAll ? body.pauses + 1 : 0
        body.awaitsReports = false
        body.listsFailSince = nil
        if list.damage != nil || !list.shortRecords.isEmpty { noteDamage() }
        return list
    }

    /// Requests the properties again, because the body reports each change once. If the body does not support that, a
    /// lost change stays unknown until the next change.
    private mutating func noteDamage() {
        lastFrame.update { $0.mayLackSigns = true }
        // The end of the work may be among the lost reports. A body that still works answers "busy".
        body.isBusy = nil
        guard has(.canonRequestProperty) else { return }
        body.awaitsReports = false
        body.doubtful = CanonPropertyStore.used.filter { body.store[$0].reportedAt != nil }
    }

    /// Reports each remark once per session, because a body repeats its errors.
    private mutating func report(_ list: CanonEventList, in turn: inout DriverTurn) {
        var remarks = list.shortRecords.map { CanonListRemark.shortRecord($0) }
        if let damage = list.damage { remarks.append(.damage(damage)) }
        for remark in remarks where !body.remarks.contains(remark) && body.remarks.count < CanonLimits.remarksMax {
            body.remarks.append(remark)
            turn.note(CanonSessionSentences.remark(remark))
        }
    }

    private mutating func note(_ record: CanonRecord, at now: Duration) {
        let requestedAt = common.transactionSince
        switch record {
        case .value(let code, let words):
            body.store.note(code, words: words, at: requestedAt)
            noteChange(of: code, at: now)
        case .choices(let code, let count, let words): body.store.note(code, count: count, words: words)
        case .status(let isBusy):
            body.isBusy = isBusy
            if isBusy { body.busySince = now }
            noteSign { $0.note(isBusy: isBusy, at: now) }
            if let frame = lastFrame.frame, frame.wasBusy, isOfThisSession(frame) { body.reportsStatus = true }
        case .objectAdded(let object): noteObject(object, .announced, at: now)
        case .transferRequested(let object): noteObject(object, .inBuffer, at: now)
        case .objectRemoved(let handle): files.noteRemoved(handle)
        case .storeChanged: files.forgetHandles()
        case .shutdownSoon: body.isShutdownNear = true
        case .displayInfo(let bytes):
            let info = CanonDisplayInfo(decoding: bytes, version: body.store.number(.canonDisplayInfoVersion))
            body.button = info.button ?? body.button
            // The first result of a press holds. One list can contain all reports of the focus, and after 1-1 an R8
            // reports 0-0.
            if body.focus?.isResult != true { body.focus = info.focus ?? body.focus }
            if info.focus == .searching { body.hasSearchedFocus = true }
        case .other: break
        }
    }

    /// Notes what the new value of a property shows about the last frame.
    private mutating func noteChange(of code: PropertyCode, at now: Duration) {
        switch code {
        case .canonShotsLeft:
            let left = body.store.shotsLeft
            noteSign { $0.note(shotsLeft: left, at: now) }
            // The counter can follow the last file, when the frame is already over.
            if lastFrame.frame?.countedAt == now { known.countsShots = true }
        case .canonSaveTarget where body.store.saveTarget?.isHost != true:
            // UNSURE: a body may forget the capacity when its target changes, so it is announced again.
            body.capacityDueAt = .zero
        case .canonShutterSpeed:
            let exposure = body.store.speed?.exposureTime ?? .zero
            noteSign { if case .exposing = $0.stage { $0.longestReported = max($0.longestReported, exposure) } }
        default: break
        }
    }

    /// Changes the last frame, if the list was requested after its press.
    private mutating func noteSign(_ change: (inout CanonFrame) -> Void) {
        let requestedAt = common.transactionSince
        lastFrame.update { if requestedAt >= $0.pressedAt { change(&$0) } }
    }

    /// Handles a request for a list that the body rejected. Bodies do that during an exposure, so the wait lasts until
    /// the end of a possible exposure plus a margin.
    private mutating func noteFailedList(_ result: OperationResult, in turn: inout DriverTurn) {
        guard common.isConnected else { return }
        body.retryListAt = turn.now + timing.rejectedPoll
        // The body has sent these reports and does not repeat them.
        if !result.isComplete { noteDamage() }
        guard let since = body.listsFailSince else {
            body.listsFailSince = turn.now
            return turn.note(CanonSessionSentences.listUnreadable(result.code, isComplete: result.isComplete))
        }
        let timeout = max(since, lastFrame.frame?.latestEnd ?? .zero) + timing.failingPolls
        if turn.now >= timeout {
            common.ending = .lose(.protocolError(CanonSessionSentences.listsNotReported(result.code)))
        }
    }

    // MARK: Reports to the core

    private mutating func reportStatus(in turn: inout DriverTurn) {
        let status = reportable(body.store.status)
        statusQuestions.answer(status, after: body.reported, requestedAt: common.transactionSince, in: &turn)
        body.reported = status
    }

    /// The status to report. During a frame a body sends its lists again, so they can be empty for a moment. The driver
    /// reports the shot counter with the picture, because the record of the next frame needs the counter before the
    /// speed is set.
    private func reportable(_ status: CameraStatus) -> CameraStatus {
        guard let reported = body.reported else { return status }
        if case .idle = activity { return status }
        var status = status
        if lastFrame.isOpen { status.shotsLeft = reported.shotsLeft }
        if lastFrame.isInWork {
            status.speeds = reported.speeds
            status.speedIsWritable = reported.speedIsWritable
        }
        return status
    }

    /// Reports the properties that changed since the last report. The answer to a command reports the property that the
    /// command sets. The first report is always complete.
    mutating func reportProperties(in turn: inout DriverTurn) {
        guard body.store.revision != body.reportedRevision else { return }
        let isFirst = body.reportedStates.allSatisfy { $0 == nil }
        if !isFirst, lastFrame.isInWork { return }
        if activity.propertyInWork == nil { body.reportedRevision = body.store.revision }
        var changes: [PropertyState] = []
        for (index, row) in CanonPropertyRow.table.enumerated() where row.property != activity.propertyInWork {
            guard let state = row.state(in: body.store), state != body.reportedStates[index] else { continue }
            body.reportedStates[index] = state
            changes.append(state)
        }
        if !changes.isEmpty { turn.report(.properties(changes), nil) }
    }

    /// Notes that a property was reported in the answer to its command.
    mutating func noteReported(_ state: PropertyState) {
        guard let index = CanonPropertyRow.table.firstIndex(where: { $0.property == state.property }) else { return }
        body.reportedStates[index] = state
    }
}

extension CanonActivity {
    fileprivate var propertyInWork: CameraProperty? {
        guard case .setting(let setting) = self, case .property = setting.target, case .awaiting = setting.step else {
            return nil
        }
        return setting.property
    }
}
