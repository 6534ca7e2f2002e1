import Exposure
import PTP

/// Decides the next transaction with a connected body.
extension NikonPTPIP {
    package mutating func begin(_ command: CameraCommand, _ ticket: Ticket, in turn: inout DriverTurn) {
        // From here on `.resolveCapture` asks about this frame, even if the link is already lost.
        if case .capture = command { lastFrame.order(isConnected: common.isConnected) }
        guard common.isConnected else { return }
        if case .readStatus = command { return statusQuestions.ask(ticket, in: &turn) }
        savingReports = SavingReports()
        body.pauses = 0
        body.listsOfCommand = 0
        let gateUntil = turn.now + timing.gate
        func setting(_ target: SettingTarget) -> NikonActivity {
            .setting(NikonSetting(ticket: ticket, target: target, since: turn.now, gateUntil: gateUntil))
        }
        switch command {
        case .setSpeed(let speed): activity = setting(.speed(speed))
        case .setProperty(let property, let text):
            guard NikonPropertyRow.table.contains(where: { $0.property == property }) else {
                return turn.report(.failed(.propertyUnknown(property)), ticket)
            }
            activity = setting(.property(property, text))
        case .readSpeed: readSpeed(ticket, in: &turn)
        case .capture(let speed):
            // The last press can still result in a picture. Another press would mix up the two pictures.
            if lastFrame.isOpen { return turn.report(.busy, ticket) }
            activity = .capturing(NikonCapture(ticket: ticket, speed: speed, since: turn.now, gateUntil: gateUntil))
        case .awaitIdle: activity = .awaitingIdle(ticket, since: turn.now)
        case .resolveCapture(let shotsLeft):
            activity = .resolving(ResolvingCapture(ticket: ticket, since: turn.now, shotsLeftBefore: shotsLeft))
        case .liveView:
            activity = .takingLiveView(TakingLiveView(ticket, since: turn.now, gateUntil: gateUntil))
        case .connect, .disconnect, .abandon, .readStatus, .keepPictures, .files: preconditionFailure("handled before")
        }
    }

    /// Reports the last reading at once if it is recent. It may be the one that confirmed the speed, and another one
    /// would delay the frame.
    private mutating func readSpeed(_ ticket: Ticket, in turn: inout DriverTurn) {
        activity = .readingSpeed(ticket, since: turn.now)
        if let speed = body.store.speed, let readAt = speedReadAt, turn.now <= readAt + timing.freshness {
            turn.report(.speedRead(speed), ticket)
        }
    }

    mutating func decideConnected(in turn: inout DriverTurn) -> NikonNextAction {
        expireFrame(in: &turn)
        settleUnshown(at: turn.now)
        beginReadingAll(at: turn.now)
        reportChanges(in: &turn)
        if let task = body.dueStep {
            body.dueStep = nil
            return .perform(task)
        }
        if let move = endLiveView(in: &turn) { return move }
        let move = decideActivity(in: &turn)
        if case .perform(.events) = move, turn.now < body.retryPollAt { return .wait(until: body.retryPollAt) }
        guard case .wait(let until) = move else { return move }

        // Neither a busy property nor a transfer of many pieces may delay a report of the body.
        if isPollOverdue(at: turn.now), turn.now >= body.retryPollAt { return poll }
        var busyUntil: Duration?
        if let code = nextUnread(in: &turn) {
            switch decideBusy(at: turn.now) {
            case .wait(let until)?: busyUntil = until
            case let step?: return step
            case nil: return .perform(.describe(code))
            }
        }
        if let due = body.fileListDue, turn.now >= due.at, !isExposing || lastFrame.frame?.readyAt != nil {
            guard mayListFiles else {
                body.fileListDue = nil
                return .again
            }
            return .perform(.fileList)
        }
        if let next = decideFiles(in: &turn) { return next }
        let pollAt = max(pollDue(at: turn.now), body.retryPollAt)
        if pollAt <= turn.now { return poll }
        let settledAt = body.unshown.map { $0.at + timing.confirm }.min()
        let dues = [until, pollAt, busyUntil, settledAt, body.fileListDue?.at, files.retryAt, files.proofAt]
        let times = dues.compactMap { $0 }
        return .wait(until: times.filter { $0 > turn.now }.min())
    }

    /// Whether a frame of this session may still be exposed. Transfers wait until its end.
    var isExposing: Bool { lastFrame.isOpen && lastFrame.frame.map(isOfThisSession) ?? false }

    private mutating func decideActivity(in turn: inout DriverTurn) -> NikonNextAction {
        switch activity {
        case .idle: return .wait(until: nil)
        case .readingSpeed(_, let since): return decideReading(since: since, at: turn.now)
        case .setting(let setting): return decide(setting, in: &turn)
        case .capturing(let capture): return decide(capture, in: &turn)
        case .awaitingIdle(let ticket, let since):
            if let move = readinessMove(since: since, at: turn.now) { return stillSaving(ticket, move, in: &turn) }
            guard isBodyIdle(at: turn.now) else { return stillSaving(ticket, .wait(until: nil), in: &turn) }
            return end(.idle, ticket, in: &turn)
        case .resolving(let resolving): return decide(resolving, in: &turn)
        case .takingLiveView(let taking): return decide(taking, in: &turn)
        }
    }

    private func decideReading(since: Duration, at now: Duration) -> NikonNextAction {
        guard let code = body.store.speedCode, !isExposing else { return .wait(until: nil) }
        let due = max(speedReadAt ?? .zero, body.rejectedAt) + timing.speedPoll
        return now < due ? .wait(until: due) : .perform(.read(code))
    }

    /// The time of the last reading of the speed.
    var speedReadAt: Duration? { body.store.speedCode.flatMap { body.store[$0]?.reportedAt } }

    /// Reports at intervals that the body is not idle, because the waiting command has a timeout. Each cause has a
    /// limit: the time after a frame, and the number of failed transfers.
    mutating func stillSaving(
        _ ticket: Ticket,
        _ move: NikonNextAction,
        in turn: inout DriverTurn
    ) -> NikonNextAction {
        if let heldSince = files.heldSince, turn.now >= heldSince + timing.room {
            return end(.failed(.other(TransferSentences.noSpace)), ticket, in: &turn)
        }
        if let file = files.waiting.first, file.isStuck {
            return end(.failed(.other(TransferSentences.onlyInBuffer(file.name))), ticket, in: &turn)
        }
        let isBusy = body.readiness.map { self.isBusy($0.value, at: turn.now) } ?? false
        if isBusy || !files.waiting.isEmpty { savingReports.report(ticket, every: timing.savingReport, in: &turn) }
        return move
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
    mutating func end(_ event: CameraEvent, _ ticket: Ticket, in turn: inout DriverTurn) -> NikonNextAction {
        activity = .idle
        turn.report(event, ticket)
        return .again
    }

    // MARK: Time of the next list of events

    /// The request for a list of events.
    var poll: NikonNextAction {
        let form = NikonEventForm.allCases.first { has($0.operation) } ?? body.abilities.events
        guard let form else { preconditionFailure("the set-up requires a form") }
        return .perform(.events(form))
    }

    /// The time of the next list. The pauses grow.
    private func pollDue(at now: Duration) -> Duration {
        guard let last = body.poll?.receivedAt else { return now }
        if let frame = lastFrame.frame, lastFrame.isOpen, isOfThisSession(frame) {
            // The body reports the picture when it is ready.
            guard let readyAt = frame.readyAt ?? (has(.nikonDeviceReady) ? nil : frame.expectedEnd) else {
                return max(last, frame.pressedAt) + timing.exposurePoll
            }
            if now < readyAt { return min(readyAt, last + timing.exposurePoll) }
            if last < readyAt { return now }
            if now < readyAt + timing.near { return last + timing.nearPoll }
        }
        let pauseMax = isIdle ? timing.idlePollMax : timing.pollMax
        return last + min(timing.poll * max(body.pauses, 1), pauseMax)
    }

    /// Whether the last list is older than on an idle body.
    private func isPollOverdue(at now: Duration) -> Bool {
        body.poll.map { now >= $0.receivedAt + timing.idlePollMax } ?? true
    }

    var isIdle: Bool {
        if case .idle = activity { !lastFrame.isInWork } else { false }
    }

    /// Whether a report was requested after a command or shortly before it.
    func isRecent(_ requestedAt: Duration, since: Duration, at now: Duration) -> Bool {
        requestedAt >= since || now <= requestedAt + timing.freshness
    }

    // MARK: Idle

    /// The next step until DeviceReady shows a ready body after a time; nil: it does, or the body cannot report it.
    func readyMove(since: Duration, at now: Duration) -> NikonNextAction? {
        guard has(.nikonDeviceReady) else { return nil }
        guard let report = body.readiness, isRecent(report.requestedAt, since: since, at: now) else {
            return .perform(.ready)
        }
        guard isBusy(report.value, at: now), now < busyUntil else { return nil }
        // A busy report from before says nothing about now. At the beginning of the wait the pauses are short.
        guard report.requestedAt >= since else { return .perform(.ready) }
        let due = report.receivedAt + (now < since + timing.near ? timing.nearReady : timing.readyPoll)
        return now < due ? .wait(until: min(due, busyUntil)) : .perform(.ready)
    }

    /// The next step until DeviceReady and the events show the state after a time; nil: they do.
    func readinessMove(since: Duration, at now: Duration) -> NikonNextAction? {
        if let move = readyMove(since: since, at: now) { return move }
        guard let last = body.poll, isRecent(last.requestedAt, since: since, at: now) else { return poll }
        return nil
    }

    /// The time until which a busy body is waited for.
    private var busyUntil: Duration { max(lastFrame.frame?.latestEnd ?? .zero, activitySince) + timing.busy }

    private var activitySince: Duration {
        switch activity {
        case .idle: .zero
        case .setting(let setting): setting.since
        case .readingSpeed(_, let since), .awaitingIdle(_, let since): since
        case .capturing(let capture): capture.since
        case .resolving(let resolving): resolving.since
        case .takingLiveView(let taking): taking.since
        }
    }

    /// Whether the body has no pending work, apart from DeviceReady and the events.
    func isBodyIdle(at now: Duration) -> Bool {
        files.waiting.isEmpty && !lastFrame.isOpen && !body.unread.contains(.nikonShotsLeft)
    }

    /// Whether the frame was released in this session.
    func isOfThisSession(_ frame: NikonFrame) -> Bool { common.isConnected && frame.pressedAt >= common.connectedAt }
}
