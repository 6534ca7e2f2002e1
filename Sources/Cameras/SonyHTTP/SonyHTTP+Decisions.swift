import Exposure
import JSON

/// Decides the next call on a connected body.
extension SonyHTTP {
    mutating func begin(_ command: CameraCommand, _ ticket: Ticket, in turn: inout DriverTurn) {
        if case .capture = command {
            // The last press can still result in a picture. Another press would mix up the two pictures.
            if isConnected, lastFrame.isOpen || isShutterCalled { return turn.report(.busy, ticket) }
            // From here on `.resolveCapture` asks about this frame, even if the link is already lost.
            lastFrame.order(isConnected: isConnected)
        }
        switch stage {
        case .connected: break
        case .disconnected: return turn.report(.lost(.notConnected), ticket)
        case .settingUp, .leaving:
            return turn.report(.failed(.other(ConnectionSentences.notYetConnected)), ticket)
        }
        if case .readStatus = command { return statusQuestions.ask(ticket, in: &turn) }
        savingReportedAt = nil
        if case .contents = activity { pictures.removeWanted(in: &turn) }
        let gateUntil = turn.now + timing.gate
        switch command {
        case .setSpeed(let speed):
            activity = .setting(
                SonyHTTPSetting(ticket: ticket, target: .speed(speed), since: turn.now, gateUntil: gateUntil)
            )
        case .setProperty(let property, let text):
            let target = SonyHTTPSetting.Target.property(property, text)
            activity = .setting(SonyHTTPSetting(ticket: ticket, target: target, since: turn.now, gateUntil: gateUntil))
        case .readSpeed: readSpeed(ticket, in: &turn)
        case .capture(let speed):
            activity = .capturing(SonyHTTPCapture(ticket: ticket, speed: speed, since: turn.now, gateUntil: gateUntil))
        case .awaitIdle: activity = .awaitingIdle(ticket, since: turn.now)
        case .resolveCapture(let shotsLeft):
            activity = .resolving(SonyHTTPResolving(ticket: ticket, since: turn.now, shotsLeftBefore: shotsLeft))
        case .files(.listSelected), .files(.getSelected):
            turn.report(.failed(.other(SonyPushSentences.notInMode)), ticket)
        case .files(let request):
            let until = turn.now + timing.ready
            activity = .contents(SonyHTTPContentsWork(ticket: ticket, request: request, until: until))
        case .liveView(let size):
            activity = .takingLiveView(TakingLiveView(ticket, size: size, since: turn.now, gateUntil: gateUntil))
        case .connect, .disconnect, .abandon, .readStatus, .keepPictures: preconditionFailure("handled before")
        }
    }

    /// Reports the speed at once if its report is recent. That report may be the one that confirmed the speed.
    private mutating func readSpeed(_ ticket: Ticket, in turn: inout DriverTurn) {
        activity = .readingSpeed(ticket, since: turn.now)
        if isSpeedRecent(since: turn.now, at: turn.now), let speed = shownSpeed {
            turn.report(.speedRead(speed), ticket)
        }
    }

    /// Whether the speed was reported or read after this time or shortly before now.
    private func isSpeedRecent(since: Duration, at now: Duration) -> Bool {
        let times = [state.since(.shutterSpeed), state.askedAt(.shutterSpeed)].compactMap { $0 }
        return times.contains { $0 >= since || now <= $0 + timing.freshness }
    }

    mutating func decideConnected(in turn: inout DriverTurn) -> SonyHTTPNextAction {
        expireFrame(in: &turn)
        if let move = endHalfPress(in: &turn) { return move }
        if requests.isStateNeeded || statusQuestions.lastAskedAt.map({ $0 > state.wholeAt ?? .zero }) ?? false {
            return readState(in: &turn)
        }
        if let move = leaveEndedSession(in: &turn) { return move }
        if let task = askSupported() { return .perform(task) }
        reportProperties(in: &turn)
        if let move = endLiveView(in: &turn) { return move }
        if let move = returnToShooting(in: &turn) ?? enlargePostview(in: &turn) { return move }
        switch activity {
        case .idle: return .wait(until: nil)
        case .readingSpeed(_, let since): return pollSpeed(since: since, in: &turn)
        case .setting(let setting): return decide(setting, in: &turn)
        case .capturing(let capture):
            // A failed capture is reported when the half press has ended.
            return capture.outcome == nil ? decide(capture, in: &turn) : .wait(until: nil)
        case .awaitingIdle(let ticket, let since): return awaitIdle(ticket, since: since, in: &turn)
        case .resolving(let resolving): return decide(resolving, in: &turn)
        case .contents(let work): return decide(work, in: &turn)
        case .takingLiveView(let taking): return decide(taking, in: &turn)
        }
    }

    /// Ends the session with a body that offers `startRecMode` again: its battery was changed, or its app began again.
    /// There may be no other sign, because each call has its own connection.
    private mutating func leaveEndedSession(in turn: inout DriverTurn) -> SonyHTTPNextAction? {
        guard state.has(.startRecMode), !state.isReadyToShoot else { return nil }
        // While a body changes its function, it offers the call too.
        if case .contents = activity { return nil }
        if let askedAt = functionAskedAt, turn.now < askedAt + timing.ready { return nil }
        guard state.status == .notReady else {
            // The last report of the status can be older than the end of the session.
            return state.wholeAt.map { $0 >= state.methodsSince } ?? false ? nil : readStateRarely(in: &turn)
        }
        let endedAt = max(state.statusSince, state.methodsSince) + timing.locked
        if turn.now < endedAt { return .wait(until: endedAt) }
        guard let wholeAt = state.wholeAt, wholeAt >= endedAt else { return readStateRarely(in: &turn) }
        lose(.closedByCamera, in: &turn)
        return .again
    }

    private mutating func readState(in turn: inout DriverTurn) -> SonyHTTPNextAction {
        if let askedAt = stateAskedAt, turn.now < askedAt + timing.again { return .wait(until: askedAt + timing.again) }
        stateAskedAt = turn.now
        return .perform(.state)
    }

    /// Reads the whole state, but not more often than the interval.
    mutating func readStateRarely(in turn: inout DriverTurn) -> SonyHTTPNextAction {
        if let askedAt = stateAskedAt, turn.now < askedAt + timing.read { return .wait(until: askedAt + timing.read) }
        stateAskedAt = turn.now
        return .perform(.state)
    }

    /// Reads the speed once if no report is recent. Later changes come with the poll.
    private mutating func pollSpeed(since: Duration, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        guard !isSpeedRecent(since: since, at: since) else { return .wait(until: nil) }
        return read(SonyHTTPPropertyRow.shutterSpeed, notBefore: since, in: &turn)
    }

    /// Reads a property, but since `notBefore` not more often than the interval. A body without a getter reports its
    /// whole state.
    mutating func read(
        _ row: SonyHTTPPropertyRow,
        notBefore: Duration,
        in turn: inout DriverTurn
    ) -> SonyHTTPNextAction {
        let reader = row.readers.first { state.has($0) && !refusedReaders.contains($0) }
        guard let reader else { return readStateRarely(in: &turn) }
        let at = readAskedAt.map { $0 < notBefore ? notBefore : $0 + timing.freshness } ?? notBefore
        if turn.now < at { return .wait(until: at) }
        readAskedAt = turn.now
        return .perform(.read(row.property, reader))
    }

    /// Ends the activity and reports its result.
    mutating func end(_ event: CameraEvent, _ ticket: Ticket, in turn: inout DriverTurn) -> SonyHTTPNextAction {
        activity = .idle
        turn.report(event, ticket)
        return .again
    }

    /// Changes a body back that still lists its files for a command which another command replaced.
    private mutating func returnToShooting(in turn: inout DriverTurn) -> SonyHTTPNextAction? {
        if case .contents = activity { return nil }
        guard state.function == Self.contentsFunction, state.has(.setCameraFunction) else { return nil }
        if let askedAt = functionAskedAt, turn.now < askedAt + timing.again { return nil }
        functionAskedAt = turn.now
        return .perform(.function(Self.shootingFunction))
    }

    // MARK: Idle

    private mutating func awaitIdle(_ ticket: Ticket, since: Duration, in turn: inout DriverTurn) -> SonyHTTPNextAction
    {
        if isBodyIdle(since: since) { return end(.idle, ticket, in: &turn) }
        let busyUntil = max(since, lastFrame.frame?.latestEnd ?? .zero) + timing.writing
        if !pictures.isEmpty || state.status != .idle && turn.now < busyUntil { reportSaving(ticket, in: &turn) }
        let reportAt = savingReportedAt.map { $0 + timing.savingReport }
        if isStateIdle(since: since) { return .wait(until: reportAt) }
        // The poll brings the end of the work. The driver also reads the state, at intervals, in case that a body
        // misses a change. It reads soon if the body did not show that it worked.
        let pause = state.status == .idle ? timing.confirm : timing.savingReport
        let askAt = max(since, stateAskedAt ?? .zero) + pause
        if turn.now < askAt { return .wait(until: askAt) }
        let move = readStateRarely(in: &turn)
        guard case .wait(let until) = move else { return move }
        return .wait(until: until.earlier(reportAt))
    }

    private mutating func reportSaving(_ ticket: Ticket, in turn: inout DriverTurn) {
        if let reportedAt = savingReportedAt, turn.now < reportedAt + timing.savingReport { return }
        savingReportedAt = turn.now
        turn.report(.saving, ticket)
    }

    /// Whether the body has no pending work: it is ready for the next frame, and all pictures are fetched. The body
    /// deletes the picture of its URL when the next frame begins.
    func isBodyIdle(since: Duration) -> Bool {
        isStateIdle(since: since) && pictures.isEmpty && !isHalfPressed
    }

    /// Whether the body reported that it is ready, after this time or after its work on the last frame.
    private func isStateIdle(since: Duration) -> Bool {
        guard state.isReadyToShoot, !lastFrame.isOpen else { return false }
        if state.wholeAt.map({ $0 >= since }) ?? false { return true }
        guard let frame = lastFrame.frame else { return false }
        return frame.wasBusy && state.statusSince > frame.pressedAt
    }
}
