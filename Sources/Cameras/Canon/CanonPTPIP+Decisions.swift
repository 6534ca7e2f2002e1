import Exposure
import PTP

/// Decides the next transaction with a connected body.
extension CanonPTPIP {
    package mutating func begin(_ command: CameraCommand, _ ticket: Ticket, in turn: inout DriverTurn) {
        // From here on `.resolveCapture` asks about this frame, even if the link is already lost.
        if case .capture = command { lastFrame.order(isConnected: common.isConnected) }
        guard common.isConnected else { return }
        if case .readStatus = command { return statusQuestions.ask(ticket, in: &turn) }
        savingReports = SavingReports()
        restartPolling()
        let gateUntil = turn.now + timing.gate
        switch command {
        case .setSpeed(let speed):
            activity = .setting(
                CanonSetting(ticket: ticket, target: .speed(speed), since: turn.now, gateUntil: gateUntil)
            )
        case .setProperty(let property, let text):
            guard CanonPropertyRow.table.contains(where: { $0.property == property }) else {
                return turn.report(.failed(.propertyUnknown(property)), ticket)
            }
            let target = SettingTarget.property(property, text)
            activity = .setting(CanonSetting(ticket: ticket, target: target, since: turn.now, gateUntil: gateUntil))
        case .readSpeed: readSpeed(ticket, in: &turn)
        case .capture(let speed):
            // The last press can still result in a picture. Another press would mix up the two pictures.
            if lastFrame.isOpen { return turn.report(.busy, ticket) }
            activity = .capturing(CanonCapture(ticket: ticket, speed: speed, since: turn.now, gateUntil: gateUntil))
        case .awaitIdle: activity = .awaitingIdle(ticket, since: turn.now)
        case .resolveCapture(let shotsLeft):
            activity = .resolving(ResolvingCapture(ticket: ticket, since: turn.now, shotsLeftBefore: shotsLeft))
        case .liveView:
            activity = .takingLiveView(TakingLiveView(ticket, since: turn.now, gateUntil: gateUntil))
        case .connect, .disconnect, .abandon, .readStatus, .keepPictures, .files: preconditionFailure("handled before")
        }
    }

    /// Reports the speed of the last list at once if that list is recent. The list may be the one that confirmed the
    /// speed, and another list would delay the frame.
    private mutating func readSpeed(_ ticket: Ticket, in turn: inout DriverTurn) {
        activity = .readingSpeed(ticket, since: turn.now)
        if let list = body.list, isRecent(list, since: turn.now, at: turn.now), !body.isInDoubt,
            let speed = body.reported?.speed
        {
            turn.report(.speedRead(speed), ticket)
        }
    }

    mutating func decideConnected(in turn: inout DriverTurn) -> CanonNextAction {
        expireFrame(in: &turn)
        if let move = decideButtons(in: &turn) { return move }
        if !isPressing, let task = dueTask(at: turn.now) { return .perform(task) }
        reportProperties(in: &turn)
        let move = endLiveView(in: &turn) ?? decideActivity(in: &turn)
        if case .perform(.list) = move, turn.now < body.retryListAt { return .wait(until: body.retryListAt) }
        guard case .wait(let until) = move else { return move }

        // A transfer of many pieces must not delay an answer or a report of the body.
        if isListOverdue(at: turn.now), turn.now >= body.retryListAt { return .perform(.list) }
        if !isPressing, areButtonsUp, !isExposing, let next = decideFiles(in: &turn) { return next }
        let listAt = max(listDue(at: turn.now), body.retryListAt)
        if listAt <= turn.now { return .perform(.list) }
        let release = areButtonsUp ? nil : Optional(max(buttons.releaseAt, turn.now))
        let times = [until, listAt, release, keepOnAt, files.retryAt].compactMap { $0 }.filter { $0 > turn.now }
        return .wait(until: times.min())
    }

    private var isPressing: Bool {
        if case .capturing(let capture) = activity { capture.isPressing } else { false }
    }

    /// Whether a frame of this session may still be exposed. Transfers wait until its end.
    private var isExposing: Bool { lastFrame.isOpen && lastFrame.frame.map(isOfThisSession) ?? false }

    private mutating func decideActivity(in turn: inout DriverTurn) -> CanonNextAction {
        switch activity {
        case .idle, .readingSpeed: return .wait(until: nil)
        case .setting(let setting): return decide(setting, in: &turn)
        case .capturing(let capture):
            // A failed capture is reported when the button is released.
            return capture.outcome == nil ? decide(capture, in: &turn) : .wait(until: nil)
        case .awaitingIdle(let ticket, let since):
            guard isBodyIdle(since: since, at: turn.now) else { return stillSaving(ticket, in: &turn) }
            return end(.idle, ticket, in: &turn)
        case .resolving(let resolving): return decide(resolving, in: &turn)
        case .takingLiveView(let taking): return decide(taking, in: &turn)
        }
    }

    /// Reports at intervals that the body is not idle, because the waiting command has a timeout. Each cause has a
    /// limit: `isBusy(at:)`, and the number of failed transfers.
    mutating func stillSaving(_ ticket: Ticket, in turn: inout DriverTurn) -> CanonNextAction {
        if let heldSince = files.heldSince, turn.now >= heldSince + timing.room {
            return end(.failed(.other(TransferSentences.noSpace)), ticket, in: &turn)
        }
        if let file = files.waiting.first, file.isStuck {
            return end(.failed(.other(TransferSentences.onlyInBuffer(file.name))), ticket, in: &turn)
        }
        let isKnown = body.isBusy == true || !files.waiting.isEmpty
        if isKnown { savingReports.report(ticket, every: timing.savingReport, in: &turn) }
        return .wait(until: lastFrame.frame.map { $0.latestEnd + timing.writing })
    }

    /// Reports the progress of a transfer, also during a long piece.
    package mutating func reportProgress(in turn: inout DriverTurn) {
        guard common.isConnected, task?.isTransfer == true else { return }
        switch activity {
        case .awaitingIdle(let ticket, _): savingReports.report(ticket, every: timing.savingReport, in: &turn)
        case .capturing(let capture):
            guard case .finishing = capture.step else { return }
            savingReports.report(capture.ticket, every: timing.savingReport, in: &turn)
        case .idle, .setting, .readingSpeed, .resolving, .takingLiveView: break
        }
    }

    /// Ends the activity and reports its result.
    mutating func end(_ event: CameraEvent, _ ticket: Ticket, in turn: inout DriverTurn) -> CanonNextAction {
        activity = .idle
        turn.report(event, ticket)
        return .again
    }

    // MARK: Tasks besides the command

    /// The next task that keeps the session and the reports correct.
    private func dueTask(at now: Duration) -> CanonTask? {
        if body.store.saveTarget?.isHost == true, let due = body.capacityDueAt, due <= now, has(.canonPCHDDCapacity) {
            return .capacity
        }
        if body.isRemoteLost { return .remoteMode(body.quirks.remoteMode) }
        if let keepOnAt, keepOnAt <= now { return .keepOn }
        return body.doubtful.first.map { .request($0) }
    }

    /// The time of the next KeepDeviceOn; nil: the body does not have it.
    private var keepOnAt: Duration? {
        guard has(.canonKeepDeviceOn) else { return nil }
        return body.keptOnAt + (body.isShutdownNear ? timing.keepOnMin : timing.keepOn)
    }

    // MARK: Time of the next list

    /// The time of the next list. While lists are not empty, the next one is due at once, except on a chatty body.
    /// Otherwise the pauses grow.
    private func listDue(at now: Duration) -> Duration {
        guard let list = body.list else { return now }
        if body.hasEvent || body.awaitsReports || list.requestedAt < listNeededSince { return now }
        if !list.isEmpty, body.filledLists < CanonLimits.drainMax { return now }
        let last = list.receivedAt
        if let frame = lastFrame.frame, lastFrame.isOpen, now < frame.expectedEnd,
            frame.wasBusy || now >= frame.pressedAt + timing.exposureBegin
        {
            // The picture cannot appear before the shutter has closed.
            return max(min(last + timing.exposurePoll, frame.expectedEnd), last + timing.poll)
        }
        if isResultNear(at: now) { return last + timing.nearPoll }
        let pauseMax = isIdle ? timing.idlePollMax : timing.pollMax
        return last + min(timing.poll * max(body.pauses, 1), pauseMax)
    }

    /// Begins with short pauses between the lists again.
    mutating func restartPolling() {
        body.emptyLists = 0
        body.pauses = 0
    }

    /// Whether a question waits for a list, or the last list is older than on an idle body.
    private func isListOverdue(at now: Duration) -> Bool {
        guard let list = body.list else { return true }
        return list.requestedAt < listNeededSince || now >= list.receivedAt + timing.idlePollMax
    }

    /// Whether the body will soon report a written value or a picture.
    private func isResultNear(at now: Duration) -> Bool {
        if case .setting(let setting) = activity { return now < setting.listSince + timing.near }
        guard let frame = lastFrame.frame, lastFrame.isOpen else { return false }
        return now >= frame.expectedEnd && now < frame.expectedEnd + timing.near
    }

    private var isIdle: Bool {
        if case .idle = activity { !lastFrame.isInWork } else { false }
    }

    /// A list that was requested before this time cannot answer the present questions.
    private var listNeededSince: Duration {
        let question = statusQuestions.lastAskedAt ?? .zero
        let own: Duration =
            switch activity {
            case .idle: .zero
            case .readingSpeed(_, let since): since
            case .setting(let setting): setting.listSince
            case .capturing(let capture): capture.since
            case .awaitingIdle(_, let since): since
            case .resolving(let resolving): resolving.since
            case .takingLiveView(let taking): taking.since
            }
        return max(question, own)
    }

    /// Whether the last list was requested after a command or shortly before it.
    func isRecent(_ list: CanonListTimes, since: Duration, at now: Duration) -> Bool {
        list.requestedAt >= since || now <= list.requestedAt + timing.freshness
    }

    /// Whether the last list has just shown that no report waits. Another one would only delay the command.
    func isJustEmpty(_ list: CanonListTimes, at now: Duration) -> Bool {
        list.isEmpty && now <= min(list.receivedAt + timing.nearPoll, list.requestedAt + timing.freshness)
    }

    // MARK: Idle

    /// Whether the body has no pending work. A list without changes after the last file shows that.
    func isBodyIdle(since: Duration, at now: Duration) -> Bool {
        guard let list = body.list, list.requestedAt >= since || isJustEmpty(list, at: now), areButtonsUp,
            files.waiting.isEmpty
        else { return false }
        guard body.hasReportedAll, !isBusy(at: now) else { return false }
        guard let frame = lastFrame.frame else { return true }
        switch frame.stage {
        case .over: return true
        case .exposing: return false
        case .captured(let at):
            // A body without a status is idle when it has reported nothing twice.
            return list.requestedAt >= at && (body.isBusy != nil || body.emptyLists > 1)
        }
    }

    /// Whether the body reported that it works on a picture. The wait has a limit, because a body may not report the
    /// end.
    func isBusy(at now: Duration) -> Bool {
        guard body.isBusy == true else { return false }
        if lastFrame.isOpen { return true }
        return now < max(lastFrame.frame?.latestEnd ?? .zero, body.busySince) + timing.writing
    }

    /// Whether the frame was released in this session.
    func isOfThisSession(_ frame: CanonFrame) -> Bool { common.isConnected && frame.pressedAt >= common.connectedAt }
}
