import Exposure
import PTP

/// Decides the next transaction with a connected body.
extension SonyPTPIP {
    package mutating func begin(_ command: CameraCommand, _ ticket: Ticket, in turn: inout DriverTurn) {
        // From here on `.resolveCapture` asks about this frame, even if the link is already lost.
        if case .capture = command { lastFrame.order(isConnected: common.isConnected) }
        guard common.isConnected else { return }
        if case .readStatus = command { return statusQuestions.ask(ticket, in: &turn) }
        savingReportedAt = nil
        let gateUntil = turn.now + timing.gate
        // If a command replaced a stepping, that stepping first runs to its end.
        let gate = max(turn.now, body.steps.settledAt) + timing.gate
        switch command {
        case .setSpeed(let speed):
            activity = .settingSpeed(SonySetting(ticket: ticket, speed: speed, since: turn.now, gateUntil: gate))
        case .readSpeed: activity = .readingSpeed(ticket, since: turn.now)
        case .capture(let speed):
            // The last press can still result in a picture. Another press would mix up the two pictures.
            if lastFrame.isOpen { return turn.report(.busy, ticket) }
            let capture = SonyCapture(
                ticket: ticket,
                speed: speed,
                since: turn.now,
                readingsBefore: body.readings,
                gateUntil: gateUntil
            )
            activity = .capturing(capture)
        case .awaitIdle: activity = .awaitingIdle(ticket, since: turn.now)
        case .resolveCapture(let shotsLeft):
            activity = .resolving(ResolvingCapture(ticket: ticket, since: turn.now, shotsLeftBefore: shotsLeft))
        case .setProperty(let property, let text):
            let setting = SonyPropertySetting(
                ticket: ticket,
                property: property,
                text: text,
                since: turn.now,
                gateUntil: gate
            )
            activity = .settingProperty(setting)
        case .liveView:
            activity = .takingLiveView(.init(ticket, since: turn.now, gateUntil: gateUntil), isDescribed: false)
        case .connect, .disconnect, .abandon, .readStatus, .keepPictures, .files:
            preconditionFailure("handled before")
        }
    }

    mutating func decideConnected(in turn: inout DriverTurn) -> SonyNextAction {
        expireFrame(in: &turn)
        expirePlan(in: &turn)
        expirePicture(in: &turn)
        if let move = decideButtons(in: &turn) { return move }
        reportProperties(in: &turn)
        let move = decideActivity(in: &turn)
        if case .perform(.reading) = move, turn.now < body.retryReadingAt { return .wait(until: body.retryReadingAt) }
        guard case .wait(let until) = move else { return move }
        if isPressing { return move }

        // Starts a transfer only when the buttons are released, because a transfer can take long.
        if buttons.areUp, let task = drainTask(at: turn.now) { return .perform(task) }
        let readingAt = max(statusQuestions.isEmpty ? nextReadingAt(turn.now) : turn.now, body.retryReadingAt)
        if readingAt <= turn.now { return .perform(.reading) }
        let frameEnd = lastFrame.isOpen ? lastFrame.frame?.deadline(timing) : nil
        let release = buttons.areUp ? nil : Optional(max(buttons.releaseAt, turn.now))
        return .wait(until: [until, readingAt, frameEnd, release, drainRetryAt(turn.now)].compactMap { $0 }.min())
    }

    /// Whether a capture reserves the command connection, from the first press to the end of the hold. During that time
    /// the driver requests readings only to wait for focus.
    private var isPressing: Bool {
        guard case .capturing(let capture) = activity, capture.outcome == nil else { return false }
        switch capture.step {
        case .focusing, .pressing, .holding: return true
        case .checking, .exposing, .finishing: return false
        }
    }

    /// Holds the button for the required time, and releases it when no capture needs it.
    private mutating func decideButtons(in turn: inout DriverTurn) -> SonyNextAction? {
        if case .capturing(var capture) = activity, case .holding(let until) = capture.step {
            if turn.now < until { return .wait(until: until) }
            capture.step = .exposing
            activity = .capturing(capture)
        }
        if isPressing { return nil }
        if buttons.areUp {
            buttons.giveUpAt = nil
            if case .capturing(let capture) = activity, let outcome = capture.outcome {
                activity = .idle
                turn.report(outcome, capture.ticket)
                return .again
            }
            return nil
        }
        let giveUpAt = buttons.giveUpAt ?? max(turn.now + timing.gate, lastFrame.frame?.deadline(timing) ?? turn.now)
        buttons.giveUpAt = giveUpAt
        if turn.now >= giveUpAt {
            buttons = SonyButtons()
            turn.note(SonyCaptureSentences.releaseUnconfirmed)
            return .again
        }
        guard turn.now >= buttons.releaseAt else { return nil }
        return .perform(.button(buttons.isFullDown ? .fullPress : .halfPress, .released))
    }

    private mutating func decideActivity(in turn: inout DriverTurn) -> SonyNextAction {
        if let move = decideWithoutRoom(in: &turn) { return move }
        switch activity {
        case .idle, .readingSpeed:
            return .wait(until: nil)
        case .settingSpeed(let setting):
            return decide(setting, in: &turn)
        case .settingProperty(let setting):
            return decide(setting, in: &turn)
        case .capturing(let capture):
            // A failed capture is reported when the buttons are released. The driver does not press again.
            if capture.outcome != nil { return .wait(until: nil) }
            return decide(capture, in: &turn)
        case .awaitingIdle(let ticket, let since):
            guard isBodyIdle(since: since, at: turn.now) else {
                return stillSaving(ticket, in: &turn)
            }
            return end(.idle, ticket, in: &turn)
        case .resolving(let resolving):
            return decide(resolving, in: &turn)
        case .takingLiveView(let taking, let isDescribed):
            return decide(taking, isDescribed: isDescribed, in: &turn)
        }
    }

    /// Reports once that the body is not idle.
    mutating func stillSaving(_ ticket: Ticket, in turn: inout DriverTurn) -> SonyNextAction {
        let isKnown = body.reading.map { $0.fileInfo != .empty } ?? false
        if isKnown, savingReportedAt == nil {
            savingReportedAt = turn.now
            turn.report(.saving, ticket)
        }
        return .wait(until: graceEnd.flatMap { $0 > turn.now ? $0 : nil })
    }

    // MARK: Time of the next reading

    /// The time of the next reading (0x9209): for the present activity, for an event, or as a keep-alive.
    private func nextReadingAt(_ now: Duration) -> Duration {
        guard let reading = body.reading else { return now }
        var due = min(readingDue(reading, at: now), common.lastTransactionAt + keepAlive)
        switch body.news {
        case .none: break
        case .file: due = now
        case .property:
            due = min(due, reading.receivedAt + eventPause)
        }
        return due
    }

    private var eventPause: Duration {
        switch activity {
        case .idle: timing.idleEventPause
        case .readingSpeed, .settingProperty: timing.speedEventPause
        case .settingSpeed, .capturing, .awaitingIdle, .resolving, .takingLiveView: timing.eventPause
        }
    }

    private func readingDue(_ reading: SonyReading, at now: Duration) -> Duration {
        let last = reading.receivedAt
        switch activity {
        case .idle:
            // While the buffer is not empty, the driver requests readings at intervals.
            return reading.fileInfo == .empty ? .seconds(Int64.max) : last + timing.exposurePoll
        case .settingSpeed:
            return last + timing.bufferPoll
        case .settingProperty(let setting):
            return readingDue(setting, reading, at: now)
        case .readingSpeed(_, let since):
            return reading.requestedAt < since ? now : last + timing.speedPoll
        case .capturing(let capture):
            switch capture.step {
            case .checking: return pictureDue(reading) ?? max(last + timing.bufferPoll, mayShootAt)
            case .focusing, .pressing, .holding: return last + timing.focusPoll
            case .exposing, .finishing: return pictureDue(reading) ?? last + timing.bufferPoll
            }
        case .awaitingIdle(_, let since):
            if !isRecent(reading, since: since) { return now }
            return pictureDue(reading) ?? last + timing.bufferPoll
        case .takingLiveView(let taking, _):
            if taking.until != nil { return last + timing.exposurePoll }
            if !isRecent(reading, since: taking.since) { return now }
            return pictureDue(reading) ?? last + timing.bufferPoll
        case .resolving(let resolving):
            return reading.requestedAt < resolving.since ? now : last + timing.picturePoll
        }
    }

    /// The time of the next check for the picture or its file; nil: the picture exists, or no picture is expected.
    private func pictureDue(_ reading: SonyReading) -> Duration? {
        guard let frame = lastFrame.frame, !frame.isOver else { return nil }
        if case .ready = reading.fileInfo { return nil }
        let poll = body.sendsEvents ? timing.picturePoll : timing.picturePollWithoutEvents
        let last = max(reading.receivedAt, frame.pressedAt)
        if frame.isCaptured { return last + poll }
        // The picture cannot appear before the shutter has closed.
        let first = frame.expectedEnd + poll
        return last < frame.expectedEnd ? min(last + timing.exposurePoll, first) : max(last + poll, first)
    }

    // MARK: Idle

    /// Whether the body has no pending work.
    func isBodyIdle(since: Duration, at now: Duration) -> Bool {
        guard let reading = body.reading, reading.fileInfo == .empty, buttons.areUp else { return false }
        guard isRecent(reading, since: since), body.news != .file else { return false }
        guard reading.requestedAt >= drain.fetchedAt ?? .zero else { return false }
        guard let frame = lastFrame.frame else { return true }
        switch frame.stage {
        case .over: return true
        case .exposing: return false
        case .captured(_, let at):
            return reading.requestedAt >= at && now >= graceEnd ?? now && !isLockedByFrame(frame, reading, at: now)
        }
    }

    /// Whether the body is locked because it writes this frame. A body that writes to its card shows an empty buffer
    /// but accepts no setting. The wait has a limit, because another cause is possible, for example a turned dial.
    private func isLockedByFrame(_ frame: SonyFrame, _ reading: SonyReading, at now: Duration) -> Bool {
        frame.wasSpeedWritable && !reading.status.speedIsWritable && reading.isModeReliable
            && reading.status.mode == frame.mode && now < frame.latestEnd + timing.gate
    }

    /// Whether the reading was requested after the command, or shortly before it without an event in between.
    func isRecent(_ reading: SonyReading, since: Duration) -> Bool {
        if reading.requestedAt >= since { return true }
        return reading.receivedAt == common.lastTransactionAt && reading.receivedAt + timing.freshness >= since
            && body.news == .none
    }

    /// The time until which the driver expects more signs of a picture that the body only reported: its file, or its
    /// count if the body counted the previous frame. A body can report the picture before its dark frame, and send the
    /// other signs after the dark frame. While the body writes the picture, it may ignore the next press.
    var graceEnd: Duration? {
        guard let frame = lastFrame.frame, case .captured(by: .report, let at) = frame.stage else { return nil }
        let isWritten = frame.wasCounted || lastFrame.beforeLast?.wasCounted != true
        return body.deliversFiles == false && isWritten ? at : max(at, frame.latestEnd) + timing.fileGrace
    }
}
